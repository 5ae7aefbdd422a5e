// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_UNIT_COUNTED_HEAP_HPP
#define HEADSTRONG_TESTS_UNIT_COUNTED_HEAP_HPP
/// @file
/// A program that links counted_heap.cpp, with the linker's --wrap of the functions named there, counts its allocations.

#include <cstddef>

namespace counted_heap {

/// The calls of new, malloc, calloc, realloc, aligned_alloc and posix_memalign up to now.
std::size_t allocations() noexcept;

}  // namespace counted_heap

#endif
