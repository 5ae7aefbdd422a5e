// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_TILE_HPP
#define HEADSTRONG_KERNEL_TILE_HPP
/// @file
/// The multiply kernel behind every product of the library: C(16 P x N) = start + A(16 P x K) B(K x N).
///
/// A lies in panels of 16 rows. Numbers of B are read one at a time and broadcast, so B may have any strides and is never
/// copied. Each element of C is a chain of fused multiply-adds in order of the contraction index, that begins with `start`;
/// after each 128 links a new chain begins with zero and is added to C when it ends, which halves the error of a long
/// sum and keeps the panels that are at work in the first-level cache. The size of the register tile changes no bit.

#include "headstrong/lanes.hpp"

#include <bit>
#include <cstddef>
#include <utility>

namespace headstrong::detail {

/// The longest chain of multiply-adds.
inline constexpr std::size_t longest_chain = 128;

/// A in panels: panel p at data + p * stride, its column c Column numbers after column c - 1.
template <class T, std::size_t Column = lane_count<T>>
struct panels {
    const T* data;
    std::size_t stride;
    std::size_t count;
};

/// Where C lies: lanes of panel p of column j at data + p * panel_stride + j * column_stride.
template <class T>
struct lanes_at {
    T* data;
    std::size_t panel_stride, column_stride;

    template <lanes L>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L load(std::size_t p, std::size_t j) const
    {
        return L::load(data + p * panel_stride + j * column_stride);
    }
    template <lanes L>
    HEADSTRONG_INLINE constexpr void store(std::size_t p, std::size_t j, const L& sum) const
    {
        sum.store(data + p * panel_stride + j * column_stride);
    }
};

/// sums[p] += panel[p] number.
template <lanes L, std::size_t... P>
HEADSTRONG_INLINE constexpr void add_products(const L (&panel)[sizeof...(P)], const L& number, L* sums, std::index_sequence<P...>)
{
    ((sums[P] = fma(panel[P], number, sums[P])), ...);
}

/// `depth` links of the chains of one register tile: sums[j * P + p] += A_p(:, c) B(c, j). Sums have constant indices (J
/// counts the columns, I the panels), so that they stay in registers.
template <lanes L, std::size_t AColumn, std::size_t BRow, std::size_t BColumn, std::size_t... I, std::size_t... J>
HEADSTRONG_INLINE constexpr void add_chain(const typename L::value_type* a, std::size_t panel_stride,
                                           const typename L::value_type* b, std::size_t depth, L* sums,
                                           std::index_sequence<I...> panel_indices, std::index_sequence<J...>)
{
    for (std::size_t c = 0; c < depth; ++c) {
        const L panel[] = {L::load(a + I * panel_stride + c * AColumn)...};
        (add_products(panel, L::broadcast(b[c * BRow + J * BColumn]), sums + J * sizeof...(I), panel_indices), ...);
    }
}

/// How columns of B and panels of A are dealt out to register tiles: `wide` tiles of `width` columns, then one of `rest`;
/// few columns take more panels at once, so that there are enough chains to hide the latency of a multiply-add.
template <lanes L>
struct tiling {
    std::size_t width, wide, rest, panels;

    [[nodiscard]] static constexpr tiling of(std::size_t columns) noexcept
    {
        const std::size_t tiles = (columns + L::tile_columns - 1) / L::tile_columns;
        const std::size_t width = (columns + tiles - 1) / tiles;
        std::size_t panels = L::most_tile_panels;
        while (panels > L::tile_panels && panels * width > L::tile_panels * L::tile_columns) panels /= 2;
        return {width, columns / width, columns % width, panels};
    }
};

/// All columns of C for P panels.
template <lanes L, std::size_t P, std::size_t AColumn, class B, class C, class Start, class Finish>
HEADSTRONG_INLINE constexpr void multiply_some_panels(const typename L::value_type* a, std::size_t panel_stride, B b, C c,
                                                      std::size_t first_panel, bool add, Start start, Finish finish)
{
    constexpr tiling<L> split = tiling<L>::of(B::columns);
    for (std::size_t from = 0; from < B::rows; from += longest_chain) {
        const std::size_t depth = B::rows - from < longest_chain ? B::rows - from : longest_chain;
        const auto tiles_at = [&]<std::size_t... J, std::size_t... S>(std::size_t first, std::index_sequence<J...> columns,
                                                                      std::index_sequence<S...>) HEADSTRONG_INLINE {
            L sums[sizeof...(S)];
            if (from == 0) ((sums[S] = start(first_panel + S % P, first + S / P)), ...);
            else ((sums[S] = L::broadcast(0)), ...);
            add_chain<L, AColumn, B::row_stride, B::column_stride>(a + from * AColumn, panel_stride,
                                                                   b.data + from * B::row_stride + first * B::column_stride, depth,
                                                                   sums, std::make_index_sequence<P>{}, columns);
            if (from > 0 || add) ((sums[S] = c.template load<L>(first_panel + S % P, first + S / P) + sums[S]), ...);
            if (from + longest_chain >= B::rows) ((sums[S] = finish(first_panel + S % P, first + S / P, sums[S])), ...);
            (c.store(first_panel + S % P, first + S / P, sums[S]), ...);
        };
        for (std::size_t t = 0; t < split.wide; ++t)
            tiles_at(t * split.width, std::make_index_sequence<split.width>{}, std::make_index_sequence<split.width * P>{});
        if constexpr (split.rest > 0)
            tiles_at(split.wide * split.width, std::make_index_sequence<split.rest>{}, std::make_index_sequence<split.rest * P>{});
    }
}

/// P panels at a time from panel `first` on, then P / 2 ...
template <lanes L, std::size_t P, std::size_t AColumn, class B, class C, class Start, class Finish>
HEADSTRONG_INLINE constexpr void multiply_from_panel(std::size_t first, panels<typename L::value_type, AColumn> a, B b, C c,
                                                     bool add, Start start, Finish finish)
{
    for (; first + P <= a.count; first += P)
        multiply_some_panels<L, P, AColumn>(a.data + first * a.stride, a.stride, b, c, first, add, start, finish);
    if constexpr (P > 1) {
        if (first < a.count) multiply_from_panel<L, P / 2>(first, a, b, c, add, start, finish);
    }
}

/// C = start + A B or, if `add`, C += start + A B, for all panels of A and columns of B, a matrix_view. start(p, j) gives the
/// lanes that a chain begins with; finish(p, j, sum) what is stored of a sum that is complete.
template <lanes L, std::size_t AColumn, class B, class C, class Start, class Finish>
HEADSTRONG_INLINE constexpr void multiply_panels(panels<typename L::value_type, AColumn> a, B b, C c, bool add, Start start,
                                                 Finish finish)
{
    multiply_from_panel<L, tiling<L>::of(B::columns).panels>(0, a, b, c, add, start, finish);
}

/// C = A B.
template <lanes L, std::size_t AColumn, class B, class C>
HEADSTRONG_INLINE constexpr void multiply_panels(panels<typename L::value_type, AColumn> a, B b, C c)
{
    multiply_panels<L>(a, b, c, false, [](std::size_t, std::size_t) HEADSTRONG_INLINE { return L::broadcast(0); },
                       [](std::size_t, std::size_t, const L& sum) HEADSTRONG_INLINE { return sum; });
}

}  // namespace headstrong::detail

#endif
