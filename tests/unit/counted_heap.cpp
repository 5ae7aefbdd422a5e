// SPDX-License-Identifier: BSL-1.0
// Every way to the heap: the operators of C++ are replaced, the functions of C wrapped by the linker, so that valgrind still
// finds the real ones behind.
#include "counted_heap.hpp"

#include <cstdlib>
#include <new>

namespace {
std::size_t count = 0;
}  // namespace

std::size_t counted_heap::allocations() noexcept { return count; }

extern "C" {
void* __real_malloc(std::size_t);
void* __real_calloc(std::size_t, std::size_t);
void* __real_realloc(void*, std::size_t);
void* __real_aligned_alloc(std::size_t, std::size_t);
int __real_posix_memalign(void**, std::size_t, std::size_t);

void* __wrap_malloc(std::size_t size) { return ++count, __real_malloc(size); }
void* __wrap_calloc(std::size_t n, std::size_t size) { return ++count, __real_calloc(n, size); }
void* __wrap_realloc(void* p, std::size_t size) { return ++count, __real_realloc(p, size); }
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) { return ++count, __real_aligned_alloc(alignment, size); }
int __wrap_posix_memalign(void** p, std::size_t alignment, std::size_t size)
{
    return ++count, __real_posix_memalign(p, alignment, size);
}
}

// The other forms of new come down to these two.
void* operator new(std::size_t size)
{
    if (void* p = std::malloc(size)) return p;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment)
{
    void* p = nullptr;
    if (posix_memalign(&p, static_cast<std::size_t>(alignment), size) == 0) return p;
    throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
