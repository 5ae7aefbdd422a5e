// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_PACK_HPP
#define HEADSTRONG_KERNEL_PACK_HPP
/// @file
/// Panels: 16 rows (8 of double) beside each other, one column of them after another, zeros where the rows end.

#include "headstrong/lanes/portable.hpp"

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// The panels that hold `rows` rows.
template <class T>
[[nodiscard]] constexpr std::size_t panels_for(std::size_t rows) noexcept
{
    return (rows + lane_count<T> - 1) / lane_count<T>;
}

/// `rows` rounded up to whole panels.
template <class T>
[[nodiscard]] constexpr std::size_t padded(std::size_t rows) noexcept
{
    return panels_for<T>(rows) * lane_count<T>;
}

/// Where row `row` of column `column` lies in panels whose columns count `depth`.
template <class T>
[[nodiscard]] HEADSTRONG_INLINE constexpr std::size_t panel_index(std::size_t row, std::size_t column,
                                                                  std::size_t depth) noexcept
{
    return row / lane_count<T> * depth * lane_count<T> + column * lane_count<T> + row % lane_count<T>;
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
