// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_TILE_HPP
#define HEADSTRONG_KERNEL_TILE_HPP
/// @file
/// The multiply kernel behind every product of the library: C(16 P x N) = start + A(16 P x K) B(K x N).
///
/// A lies in panels: panel p holds 16 rows, its column c at a + p * panel_stride + c * 16. Numbers of B are read one at a
/// time and broadcast, so B may have any strides and is never copied. Each element of C is one chain of fused
/// multiply-adds in order of the contraction index; the size of the register tile changes no bit.

#include "headstrong/lanes.hpp"

#include <cstddef>
#include <utility>

namespace headstrong::detail {

/// One register tile. start(p, j) gives the lanes that the sum of panel p, column j begins with; finish(p, j, sum) takes it.
/// Sums have constant indices (J counts 0 ... N - 1), so that they stay in registers.
template <lanes L, std::size_t P, std::size_t BRow, std::size_t BColumn, std::size_t... J, class Start, class Finish>
HEADSTRONG_INLINE constexpr void tile(const typename L::value_type* a, std::size_t panel_stride,
                                      const typename L::value_type* b, std::size_t depth, std::index_sequence<J...>,
                                      const Start& start, const Finish& finish)
{
    static_assert(P == 1 || P == 2);
    L upper[] = {start(0, J)...};
    L lower[] = {(P == 2 ? start(1, J) : upper[J])...};
    for (std::size_t c = 0; c < depth; ++c) {  // C(:, j) += A(:, c) B(c, j)
        const L top = L::load(a + c * L::size);
        if constexpr (P == 1) {
            ((upper[J] = fma(top, L::broadcast(b[c * BRow + J * BColumn]), upper[J])), ...);
        } else {
            const L bottom = L::load(a + panel_stride + c * L::size);
            const auto add = [&](const L& number, L& above, L& below) HEADSTRONG_INLINE {
                above = fma(top, number, above);
                below = fma(bottom, number, below);
            };
            (add(L::broadcast(b[c * BRow + J * BColumn]), upper[J], lower[J]), ...);
        }
    }
    (finish(0, J, upper[J]), ...);
    if constexpr (P == 2) (finish(1, J, lower[J]), ...);
}

/// Columns of B dealt out evenly to register tiles of at most `limit` columns: `wide` tiles of `width`, then `rest`.
struct column_split {
    std::size_t width, wide, rest;

    [[nodiscard]] static constexpr column_split of(std::size_t columns, std::size_t limit) noexcept
    {
        const std::size_t tiles = (columns + limit - 1) / limit;
        const std::size_t width = (columns + tiles - 1) / tiles;
        return {width, columns / width, columns % width};
    }
};

/// All columns of C for P panels.
template <lanes L, std::size_t P, std::size_t Columns, std::size_t BRow, std::size_t BColumn, class Start, class Finish>
HEADSTRONG_INLINE constexpr void multiply_row_of_panels(const typename L::value_type* a, std::size_t panel_stride,
                                      const typename L::value_type* b, std::size_t depth, Start start, Finish finish)
{
    constexpr column_split split = column_split::of(Columns, L::tile_columns);
    const auto tiles_at = [&](std::size_t first, auto width) HEADSTRONG_INLINE {
        tile<L, P, BRow, BColumn>(
            a, panel_stride, b + first * BColumn, depth, std::make_index_sequence<width()>{},
            [&](std::size_t p, std::size_t j) HEADSTRONG_INLINE { return start(p, first + j); },
            [&](std::size_t p, std::size_t j, const L& sum) HEADSTRONG_INLINE { finish(p, first + j, sum); });
    };
    for (std::size_t t = 0; t < split.wide; ++t)
        tiles_at(t * split.width, std::integral_constant<std::size_t, split.width>{});
    if constexpr (split.rest > 0)
        tiles_at(split.wide * split.width, std::integral_constant<std::size_t, split.rest>{});
}

/// C = start + A B for `panels` panels of A and Columns columns of B. start(p, j) and finish(p, j, sum) see panel p and
/// column j of the whole.
template <lanes L, std::size_t Columns, std::size_t BRow, std::size_t BColumn, class Start, class Finish>
HEADSTRONG_INLINE constexpr void multiply_panels(const typename L::value_type* a, std::size_t panel_stride,
                                                 std::size_t panels, const typename L::value_type* b, std::size_t depth,
                                                 Start start, Finish finish)
{
    std::size_t first = 0;
    const auto row_at = [&](auto p) HEADSTRONG_INLINE {
        multiply_row_of_panels<L, p(), Columns, BRow, BColumn>(
            a + first * panel_stride, panel_stride, b, depth,
            [&](std::size_t q, std::size_t j) HEADSTRONG_INLINE { return start(first + q, j); },
            [&](std::size_t q, std::size_t j, const L& sum) HEADSTRONG_INLINE { finish(first + q, j, sum); });
    };
    if constexpr (L::tile_panels > 1)
        for (; first + L::tile_panels <= panels; first += L::tile_panels)
            row_at(std::integral_constant<std::size_t, L::tile_panels>{});
    for (; first < panels; ++first) row_at(std::integral_constant<std::size_t, 1>{});
}

}  // namespace headstrong::detail

#endif
