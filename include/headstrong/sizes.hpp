// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_SIZES_HPP
#define HEADSTRONG_SIZES_HPP
/// @file
/// The smaller and the larger of two sizes. The standard's min and max come with all of `<algorithm>`, a sixth of the time that
/// the other headers take to compile.

#include "headstrong/config.hpp"

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

[[nodiscard]] HEADSTRONG_INLINE constexpr std::size_t smaller_of(std::size_t a, std::size_t b) noexcept
{
    return b < a ? b : a;
}
[[nodiscard]] HEADSTRONG_INLINE constexpr std::size_t larger_of(std::size_t a, std::size_t b) noexcept { return a < b ? b : a; }

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
