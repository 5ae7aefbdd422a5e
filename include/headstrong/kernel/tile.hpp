// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_TILE_HPP
#define HEADSTRONG_KERNEL_TILE_HPP
/// @file
/// The multiply kernel behind every product of the library: C(16 P x N) = start + A(16 P x K) B(K x N).
///
/// A lies in panels of 16 rows. Numbers of B are read one or two at a time and broadcast, so B may have any strides and is
/// never copied. Each element of C is a chain of fused multiply-adds in order of the contraction index, that begins with
/// `start`; after each 128 links a new chain begins with zero and is added to C when it ends, which halves the error of a long
/// sum and keeps the panels that are at work in the first-level cache. The size of the register tile changes no bit.

#include "headstrong/kernel/cortex_m/multiply.hpp"
#include "headstrong/kernel/ends.hpp"
#include "headstrong/kernel/panels.hpp"
#include "headstrong/lanes.hpp"
#include "headstrong/view.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// sums[p] += panel[p] number; if First, = panel[p] number.
template <bool First, lanes L, std::size_t... P>
HEADSTRONG_STEP constexpr void add_products(const L (&panel)[sizeof...(P)], const L& number, L* sums, std::index_sequence<P...>)
{
    if constexpr (First) ((sums[P] = panel[P] * number), ...);
    else ((sums[P] = fma(panel[P], number, sums[P])), ...);
}

/// Pairs of neighbours that stand in the lanes by turns, in place of numbers that stand in all: B of two products at once, one
/// in the even lanes and one in the odd.
template <class T, std::size_t Rows, std::size_t Columns, std::size_t RowStride, std::size_t ColumnStride>
struct pair_view : matrix_view<T, Rows, Columns, RowStride, ColumnStride> {
    static constexpr bool alternates = true;
};

template <lanes L, class B>
[[nodiscard]] HEADSTRONG_STEP constexpr L broadcast_from(const typename L::value_type* number)
{
    if constexpr (requires { B::alternates; }) return L::alternate(number);
    else return L::broadcast(*number);
}

/// Link c of the chains of one register tile: sums[j * Stride + p] += A_p(:, c) B(c, j), for panels of A from first_panel on
/// and columns of B whose first numbers are at `numbers`. Sums have constant indices (J counts the columns, I the panels), so
/// that they stay in registers.
template <std::size_t Stride, class B, bool First = false, lanes L, class A, std::size_t... I, std::size_t... J>
HEADSTRONG_STEP constexpr void add_link(A a, std::size_t first_panel, const typename L::value_type* numbers, std::size_t c,
                                        L* sums, std::index_sequence<I...> panel_indices, std::index_sequence<J...>)
{
    const L panel[] = {a.template load<L>(first_panel + I, c)...};
    if constexpr (of_single_numbers<L> && B::column_stride == 1 && sizeof...(J) % 2 == 0 && !requires { B::alternates; }) {
        using two = portable_lanes<typename L::value_type, 2>;
        const auto add_pair = [&](std::size_t j, const two& pair) HEADSTRONG_STEP {
            add_products<First>(panel, L::broadcast(pair.lane[0]), sums + j * Stride, panel_indices);
            add_products<First>(panel, L::broadcast(pair.lane[1]), sums + (j + 1) * Stride, panel_indices);
        };
        ((J % 2 == 0 ? add_pair(J, load_pairs<two>(numbers + c * B::row_stride + J)) : void()), ...);
    } else {
        (add_products<First>(panel, broadcast_from<L, B>(numbers + c * B::row_stride + J * B::column_stride), sums + J * Stride,
                             panel_indices),
         ...);
    }
}

/// How many links are added at a time to the sums of so many columns. Of one column many panels are at work, and two links of
/// all would not fit the registers.
template <lanes L, std::size_t Columns>
inline constexpr std::size_t links_at_once =
    fused_in_hardware<typename L::value_type> && of_single_numbers<L> && Columns > 1 ? 2 : 1;

/// add_link for links_at_once links from c on. Two of columns whose numbers lie beside each other go by columns, so that a pair
/// of numbers is loaded at once.
template <std::size_t Stride, class B, bool First = false, lanes L, class A, std::size_t... I, std::size_t... J>
HEADSTRONG_STEP constexpr void add_links(A a, std::size_t first_panel, const typename L::value_type* numbers, std::size_t c,
                                         L* sums, std::index_sequence<I...> panel_indices,
                                         std::index_sequence<J...> column_indices)
{
    using T = typename L::value_type;
    constexpr std::size_t links = links_at_once<L, sizeof...(J)>;
    constexpr bool pairs = HEADSTRONG_PAIRS && sizeof(T) == sizeof(float) && B::row_stride == 1 && B::column_stride != 1;
    if constexpr (links == 2 && pairs) {
        using two = portable_lanes<T, 2>;
        const L panel[] = {a.template load<L>(first_panel + I, c)...}, next[] = {a.template load<L>(first_panel + I, c + 1)...};
        const auto add_column = [&](std::size_t j) HEADSTRONG_STEP {
            const two pair = load_pairs<two>(numbers + c + j * B::column_stride);
            add_products<First>(panel, L::broadcast(pair.lane[0]), sums + j * Stride, panel_indices);
            add_products<false>(next, L::broadcast(pair.lane[1]), sums + j * Stride, panel_indices);
        };
        (add_column(J), ...);
    } else {
        add_link<Stride, B, First>(a, first_panel, numbers, c, sums, panel_indices, column_indices);
        if constexpr (links == 2) add_link<Stride, B>(a, first_panel, numbers, c + 1, sums, panel_indices, column_indices);
    }
}

/// Links from ... to - 1 of the chains of one register tile, for columns of B from first_column on.
template <std::size_t Stride, lanes L, class A, class B, class I, std::size_t... J>
HEADSTRONG_STEP constexpr void add_chain(A a, std::size_t first_panel, B b, std::size_t first_column, std::size_t from,
                                         std::size_t to, L* sums, I panel_indices, std::index_sequence<J...> column_indices)
{
    constexpr std::size_t links = links_at_once<L, sizeof...(J)>;
    const auto* numbers = b.data + first_column * B::column_stride;
    std::size_t c = from;
    for (; c + links <= to; c += links) add_links<Stride, B>(a, first_panel, numbers, c, sums, panel_indices, column_indices);
    if (links > 1 && c < to) add_link<Stride, B>(a, first_panel, numbers, c, sums, panel_indices, column_indices);
}

/// P panels of A from `panel` on, a multiple of P.
template <lanes L, std::size_t P, class A>
[[nodiscard]] HEADSTRONG_STEP constexpr auto panels_in_a_row(A a, std::size_t panel) noexcept
{
    constexpr bool inside = of_single_numbers<L> && P * L::size <= lane_count<typename L::value_type>;
    if constexpr (inside && requires { a.template inside_panel<L>(panel); }) return a.template inside_panel<L>(panel);
    else return panels_from<A>{a, panel};
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

/// Whether weights are fetched while those before them are at work, which memory would else take alone: where they are long,
/// and each serves so many tiles that a few at a time keep no multiply-add waiting.
template <lanes L, class A, class B>
inline constexpr bool fetches_ahead = !of_single_numbers<L> && B::rows > longest_chain
                                      && (tiling<L>::of(columns_by_type<B>).wide > 3)
                                      && requires(A a) { a.template at<L>(0, 0); };

/// Has `count` links from `from` on brought near; links behind the last row are those of the next P panels. What lies behind
/// the last of them is not read.
template <lanes L, std::size_t P, std::size_t Rows, class A>
HEADSTRONG_STEP constexpr void fetch(A a, std::size_t panel, std::size_t from, std::size_t count)
{
    if (from >= Rows) panel += P, from -= Rows;
    for (std::size_t c = from; c < from + count; ++c)
        for (std::size_t p = 0; p < P; ++p) __builtin_prefetch(a.template at<L>(panel + p, c));
}

/// Links from ... to - 1 of the chains: where chains begin with `start`, and where they are complete.
struct links {
    std::size_t from, to;
    bool first, last;
};

/// add_chain for panels whose chains end at different links.
template <lanes L, class A, class B, class Part, class J, std::size_t... I>
HEADSTRONG_STEP constexpr void add_chains_of_part(A a, std::size_t panel, B b, std::size_t column, Part part, links at, L* sums,
                                                  J column_indices, std::index_sequence<I...> panel_indices)
{
    constexpr std::size_t stride = sizeof...(I);
    std::size_t end[stride], shared = at.to;
    for (std::size_t p = 0; p < stride; ++p) {
        const std::size_t rows = part.rows_of(panel + p);
        end[p] = rows < at.from ? at.from : rows > at.to ? at.to : rows;
        shared = end[p] < shared ? end[p] : shared;
    }
    add_chain<stride>(a, panel, b, column, at.from, shared, sums, panel_indices, column_indices);
    (add_chain<stride>(a, panel + I, b, column, shared, end[I], sums + I, std::index_sequence<0>{}, column_indices), ...);
}

/// Whether sums begin with their first product. It is rounded, and must not be the last: a compiler could contract it with a
/// sum or a difference that follows.
template <lanes L, class B, class Start, class Part>
inline constexpr bool begin_with_products = fused_in_hardware<typename L::value_type> && of_single_numbers<L> && requires {
    Start::any_zero;
} && std::is_empty_v<Part> && B::rows >= 2 && B::rows <= longest_chain;

/// One register tile of C: P panels from `panel` on, as many columns from `column` on as J counts; S counts both.
template <lanes L, std::size_t P, class A, class B, class C, class Start, class Finish, class Part, std::size_t... J,
          std::size_t... S>
HEADSTRONG_STEP constexpr void multiply_tile(A a, std::size_t panel, B b, std::size_t column, C c, bool add, Start start,
                                             Finish finish, Part part, links at, std::index_sequence<J...> column_indices,
                                             std::index_sequence<S...>)
{
    constexpr std::make_index_sequence<P> panel_indices{};
    constexpr bool by_product = begin_with_products<L, B, Start, Part>;
    L sums[sizeof...(S)];
    constexpr std::size_t begun = by_product ? links_at_once<L, sizeof...(J)> : 0;
    if constexpr (by_product)
        add_links<P, B, true>(panels_in_a_row<L, P>(a, panel), 0, b.data + column * B::column_stride, at.from, sums,
                              panel_indices, column_indices);
    else if (B::rows <= longest_chain || at.first) ((sums[S] = start(panel + S % P, column + S / P)), ...);
    else if constexpr (B::rows > longest_chain) ((sums[S] = L::broadcast(0)), ...);
    if constexpr (Part::ends_differ && P > 1) {
        add_chains_of_part(a, panel, b, column, part, at, sums, column_indices, panel_indices);
    } else {
        add_chain<P>(panels_in_a_row<L, P>(a, panel), 0, b, column, at.from + begun, at.to, sums, panel_indices,
                     column_indices);
    }
    if (!at.first || add) ((sums[S] = c.template load<L>(panel + S % P, column + S / P) + sums[S]), ...);
    if constexpr (!std::is_same_v<Finish, finish_as_it_is>)
        if (at.last) ((sums[S] = finish(panel + S % P, column + S / P, sums[S])), ...);
    (c.store(panel + S % P, column + S / P, sums[S]), ...);
}

/// All columns of C for the P panels from `panel` on.
template <lanes L, std::size_t P, class A, class B, class C, class Start, class Finish, class Part>
HEADSTRONG_STEP constexpr void multiply_some_panels(A a, std::size_t panel, B b, C c, bool add, Start start, Finish finish,
                                                    Part part)
{
    constexpr tiling<L> split = tiling<L>::of(columns_by_type<B>);
    const std::size_t rows = part.template most_rows_of<P>(panel);
    for (std::size_t chain = part.first_row / longest_chain * longest_chain; chain < rows; chain += longest_chain) {
        const links at{chain < part.first_row ? part.first_row : chain,
                       rows - chain < longest_chain ? rows : chain + longest_chain, chain <= part.first_row,
                       rows - chain <= longest_chain};
        const auto tile = [&]<std::size_t Width>(known<Width>, std::size_t column) HEADSTRONG_STEP {
            multiply_tile<L, P>(a, panel, b, column, c, add, start, finish, part, at, std::make_index_sequence<Width>{},
                                std::make_index_sequence<Width * P>{});
        };
        if constexpr (counts_when_running<B>) {  // tiles of four columns, then of one
            static_assert(std::is_empty_v<Part> && columns_by_type<B> % 4 == 0);
            std::size_t column = 0;
            if constexpr (columns_by_type<B> == 4) {  // a panel of outputs, which are four or fewer: a loop would be slower
                if (b.columns == 4) {
                    tile(known<4>{}, 0);
                    continue;
                }
            } else {
                for (; column + 4 <= b.columns; column += 4) tile(known<4>{}, column);
            }
            for (; column < b.columns; ++column) tile(known<1>{}, column);
        } else {
            const std::size_t columns = part.template most_columns_of<P>(panel);
            for (std::size_t t = part.first_column / split.width; t < split.wide && t * split.width < columns; ++t) {
                if constexpr (fetches_ahead<L, A, B>) {
                    constexpr std::size_t some = (longest_chain + split.wide - 1) / split.wide;
                    if (!__builtin_is_constant_evaluated())
                        fetch<L, P, B::rows>(a, panel, chain + longest_chain + t * some, some);
                }
                tile(known<split.width>{}, t * split.width);
            }
            if constexpr (split.rest > 0)
                if (columns > split.wide * split.width) tile(known<split.rest>{}, split.wide * split.width);
        }
    }
}

/// P panels at a time from `panel` on, then P / 2 ... Tiles that `Left`, what is known of the panels that are left, does not
/// need are not made: each costs code and time to compile.
template <lanes L, std::size_t P, class Left, class A, class B, class C, class Start, class Finish, class Part>
HEADSTRONG_STEP constexpr void multiply_from_panel(A a, std::size_t panel, std::size_t panels, Left left, B b, C c, bool add,
                                                   Start start, Finish finish, Part part)
{
    const auto whole_tiles = [&]() HEADSTRONG_STEP {
        for (; panel + P <= panels; panel += P) multiply_some_panels<L, P>(a, panel, b, c, add, start, finish, part);
    };
    if constexpr (requires { Left::value; }) {
        if constexpr (Left::value >= P) whole_tiles();
        if constexpr (Left::value % P != 0)
            multiply_from_panel<L, P / 2>(a, panel, panels, known<Left::value % P>{}, b, c, add, start, finish, part);
    } else {
        constexpr bool too_wide = requires { requires Left::most < P; };
        if constexpr (!too_wide) whole_tiles();
        if constexpr (P > 1) {
            if (too_wide || panel < panels)
                multiply_from_panel<L, P / 2>(a, panel, panels, left, b, c, add, start, finish, part);
        }
    }
}

/// C = start + A B or, if `add`, C += start + A B. A and C have `panels` panels, a known, an at_most or a std::size_t, and are
/// lanes_at or rows_of, B is a matrix_view. start(p, j) gives the lanes that a chain begins with; finish(p, j, sum) what is
/// stored of a sum that is complete. `part` leaves links and columns out.
template <lanes L, class Panels, class A, class B, class C, class Start, class Finish, class Part = all_of<B>>
HEADSTRONG_STEP constexpr void multiply_panels(A a, Panels panels, B b, C c, bool add, Start start, Finish finish,
                                               Part part = {})
{
#if HEADSTRONG_CORTEX_M
    if constexpr (cortex_m_serves<L, A, B, C, Start, Finish, Part>)
        if (!__builtin_is_constant_evaluated()) return multiply_on_cortex_m<L>(a, panels, b, c, add, start, finish, part);
#endif
    multiply_from_panel<L, tiling<L>::of(columns_by_type<B>).panels>(a, 0, panels, panels, b, c, add, start, finish, part);
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
