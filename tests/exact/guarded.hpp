// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_EXACT_GUARDED_HPP
#define HEADSTRONG_TESTS_EXACT_GUARDED_HPP
/// @file
/// Memory between two pages that may not be touched: a read or write beside it ends the program.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <stdexcept>

namespace tests {

class guarded_pages {
public:
    explicit guarded_pages(std::size_t bytes)
        : page(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), inside((bytes + page - 1) / page * page)
    {
        void* const memory = mmap(nullptr, inside + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::runtime_error("no memory for guarded pages");
        start = static_cast<std::byte*>(memory);
        if (mprotect(start + page, inside, PROT_READ | PROT_WRITE) != 0) throw std::runtime_error("pages cannot be protected");
    }
    guarded_pages(const guarded_pages&) = delete;
    guarded_pages& operator=(const guarded_pages&) = delete;
    ~guarded_pages() { munmap(start, inside + 2 * page); }

    /// The first numbers behind the page in front, the last before the page behind.
    template <class T>
    [[nodiscard]] T* first() const
    {
        return reinterpret_cast<T*>(start + page);
    }
    template <class T>
    [[nodiscard]] T* last(std::size_t count) const
    {
        return reinterpret_cast<T*>(start + page + inside) - count;
    }

private:
    std::size_t page, inside;
    std::byte* start;
};

}  // namespace tests

#endif
