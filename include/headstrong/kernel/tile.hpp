// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_TILE_HPP
#define HEADSTRONG_KERNEL_TILE_HPP
/// @file
/// The multiply kernel behind every product of the library: C(16 P x N) = start + A(16 P x K) B(K x N).
///
/// A lies in panels: panel p holds 16 rows, its column c at a + p * panel_stride + c * 16. Numbers of B are read one at a
/// time and broadcast, so B may have any strides and is never copied. Each element of C is a chain of fused multiply-adds
/// in order of the contraction index, that begins with `start`; after each 128 links a new chain begins with zero, and
/// the chains are added in order, which halves the error of a long sum. The size of the register tile changes no bit.

#include "headstrong/lanes.hpp"

#include <cstddef>
#include <utility>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// The longest chain of multiply-adds.
inline constexpr std::size_t longest_chain = 128;

/// Links `from` to `to` of the chains of one register tile: top(:, j) += A_0(:, c) B(c, j), and with P = 2 panels of A
/// bottom(:, j) += A_1(:, c) B(c, j). Sums have constant indices (J counts 0 ... N - 1), so that they stay in registers.
template <lanes L, std::size_t P, std::size_t BRow, std::size_t BColumn, std::size_t... J>
HEADSTRONG_INLINE constexpr void chain(const typename L::value_type* a, std::size_t panel_stride,
                                       const typename L::value_type* b, std::size_t from, std::size_t to,
                                       std::index_sequence<J...>, L (&top)[sizeof...(J)], L (&bottom)[sizeof...(J)])
{
    static_assert(P == 1 || P == 2);
    for (std::size_t c = from; c < to; ++c) {
        const L upper = L::load(a + c * L::size);
        if constexpr (P == 1) {
            ((top[J] = fma(upper, L::broadcast(b[c * BRow + J * BColumn]), top[J])), ...);
        } else {
            const L lower = L::load(a + panel_stride + c * L::size);
            const auto add = [&](const L& number, L& above, L& below) HEADSTRONG_INLINE {
                above = fma(upper, number, above);
                below = fma(lower, number, below);
            };
            (add(L::broadcast(b[c * BRow + J * BColumn]), top[J], bottom[J]), ...);
        }
    }
}

/// One register tile. start(p, j) gives the lanes that the sum of panel p, column j begins with; finish(p, j, sum) takes it.
template <lanes L, std::size_t P, std::size_t BRow, std::size_t BColumn, std::size_t... J, class Start, class Finish>
HEADSTRONG_INLINE constexpr void tile(const typename L::value_type* a, std::size_t panel_stride,
                                      const typename L::value_type* b, std::size_t depth, std::index_sequence<J...> columns,
                                      const Start& start, const Finish& finish)
{
    L top[] = {start(0, J)...};
    L bottom[] = {(P == 2 ? start(1, J) : top[J])...};
    chain<L, P, BRow, BColumn>(a, panel_stride, b, 0, depth < longest_chain ? depth : longest_chain, columns, top, bottom);
    for (std::size_t from = longest_chain; from < depth; from += longest_chain) {
        const std::size_t to = depth - from < longest_chain ? depth : from + longest_chain;
        L next[] = {(static_cast<void>(J), L::broadcast(0))...};
        L below[] = {(static_cast<void>(J), L::broadcast(0))...};
        chain<L, P, BRow, BColumn>(a, panel_stride, b, from, to, columns, next, below);
        ((top[J] = top[J] + next[J]), ...);
        if constexpr (P == 2) ((bottom[J] = bottom[J] + below[J]), ...);
    }
    (finish(0, J, top[J]), ...);
    if constexpr (P == 2) (finish(1, J, bottom[J]), ...);
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

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
