// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_CORTEX_M_HPP
#define HEADSTRONG_KERNEL_CORTEX_M_HPP
/// @file
/// The multiply kernel on a Cortex-M with a floating-point unit: two functions with run-time extents, shared by all products of
/// a program. What they do not serve (double, odd strides, other starts and ends of sums) takes the general kernel.

#include "headstrong/kernel/cortex_m_tiles.hpp"
#include "headstrong/lanes.hpp"

#if HEADSTRONG_CORTEX_M

#include <cstddef>
#include <type_traits>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// The longest chain of multiply-adds: see kernel/tile.hpp.
inline constexpr std::size_t longest_chain_on_cortex_m = 128;

/// C = start + A B, or C += start + A B, of packed weights A, in panels of four lanes: of A four of them in a panel of 16, of C
/// and of the bias, with which sums start, one beside the other. Numbers of a column of B are neighbours, b_stride is from
/// column to column; or, if 0, B is a panel of four lanes, of which columns are used. Strides in numbers.
struct packed_product {
    const float* a;
    std::size_t a_stride, panels;
    const float* b;
    std::size_t b_stride, rows, columns;
    float* c;
    std::size_t c_column;
    const float* bias;  ///< or null
    bool add;
};

[[gnu::noinline]] inline void multiply_packed(const packed_product& x) noexcept
{
    for (std::size_t from = 0; from < x.rows; from += longest_chain_on_cortex_m) {
        const bool of_panel = x.b_stride == 0, biased = from == 0 && x.bias != nullptr;
        const std::size_t links = x.rows - from < longest_chain_on_cortex_m ? x.rows - from : longest_chain_on_cortex_m;
        tile_operands t{x.a + from * 16,
                        x.b + (of_panel ? from * 4 : from),
                        x.c,
                        0,
                        links,
                        x.add || from > 0,
                        x.b_stride * sizeof(float),
                        biased ? x.bias : zeros,
                        nullptr,
                        x.c_column * sizeof(float)};
        if (!of_panel && x.columns % 2 != 0 && x.panels >= 4) {  // the last column
            tile_operands last = t;
            last.b += (x.columns - 1) * x.b_stride, last.b_stride = (x.a_stride - links * 16) * sizeof(float);
            last.c += (x.columns - 1) * x.c_column, last.c_column = biased ? 16 * sizeof(float) : 0;
            last.tiles = x.panels / 4;
            packed_tiles_16x1(last);
            if (x.columns == 1 && x.panels % 4 == 0) continue;
        }
        for (std::size_t p = x.panels; p > 0; p = p < 4 ? 0 : p - 4) {
            const std::size_t panels = p < 4 ? p : 4;
            std::size_t done = 0;
            if (of_panel) {
                t.tiles = panels;
                if (x.columns == 4) packed_tiles_4x4(t), done = 4;
            } else if (panels == 4) {
                t.tiles = x.columns / 2, done = x.columns;
                if (t.tiles > 0) {
                    tile_operands half = t;
                    packed_tiles_8x2(half);
                    half.a += 8, half.c += 8, half.start += 8;
                    packed_tiles_8x2(half);
                }
            }
            for (; done < x.columns; ++done)
                for (std::size_t i = 0; i < panels; ++i) {
                    tile_operands one = t;
                    one.a += i * 4, one.c += done * x.c_column + i * 4, one.start += i * 4, one.c_column = 16 * sizeof(float);
                    one.b += of_panel ? done : done * x.b_stride, one.b_stride = of_panel ? 4 * sizeof(float) : sizeof(float);
                    tile_4x1(one);
                }
            t.a += x.a_stride, t.c += 16, t.start += biased ? 16 : 0;
        }
    }
}

/// One panel of C = A B, columns of both beside each other, for links first_row ... and columns first_column ... of C. What is
/// stored is multiplied by four factors if they are not null, for which b_column must be 1.
struct lanes_product {
    const float* a;
    const float* b;
    std::size_t b_row, b_column;  ///< one of them 1
    float* c;
    const float* factors;
    std::size_t first_row, row_end, first_column, column_end;
    bool add;
};

[[gnu::noinline]] inline void multiply_lanes(const lanes_product& x) noexcept
{
    const bool by_rows = x.b_column == 1;
    for (std::size_t chain = x.first_row / longest_chain_on_cortex_m * longest_chain_on_cortex_m; chain < x.row_end;
         chain += longest_chain_on_cortex_m) {
        const std::size_t from = chain < x.first_row ? x.first_row : chain;
        const bool last = x.row_end - chain <= longest_chain_on_cortex_m;
        const std::size_t to = last ? x.row_end : chain + longest_chain_on_cortex_m, columns = x.column_end - x.first_column;
        tile_operands t{x.a + from * 4,
                        x.b + from * x.b_row + x.first_column * x.b_column,
                        x.c + x.first_column * 4,
                        columns / 4,
                        to - from,
                        x.add || chain > x.first_row,
                        (by_rows ? x.b_row : x.b_column) * sizeof(float),
                        zeros,
                        last ? x.factors : nullptr,
                        4 * sizeof(float)};
        if (t.tiles > 0) by_rows ? lanes_tiles_4x4_of_rows(t) : lanes_tiles_4x4(t);
        t.b += columns / 4 * 4 * x.b_column, t.c += columns / 4 * 16;
        std::size_t left = columns % 4;
        if (by_rows && left >= 2) {
            lanes_tile_4x2_of_rows(t);
            t.b += 2, t.c += 8, left -= 2;
        }
        t.b_stride = x.b_row * sizeof(float);
        for (; left > 0; --left, t.b += x.b_column, t.c += 4) tile_4x1(t);
    }
}

/// Values of `count` tokens, v_stride numbers apart, for one query: parts of 8 numbers of the outputs of all heads, per_key of
/// which share their values.
struct value_sums {
    const float* values;
    std::size_t v_stride, count;
    std::size_t heads, per_key, d_v;  ///< d_v a multiple of 8
    const float* p;                   ///< weights of head h from p + h * p_stride on
    std::size_t p_stride;
    const float* factors;  ///< of each head
    float* o;              ///< output of head h at o + h * o_stride
    std::size_t o_stride;
};

/// o_h = V_h p_h, times its factor, for all heads, two parts at once.
[[gnu::noinline]] inline void sum_values_of_heads(const value_sums& x) noexcept
{
    using four = portable_lanes<float, 4>;
    const std::size_t of_head = x.d_v / 8, parts = x.heads * of_head;
    for (std::size_t part = 0; part < parts; part += 2) {
        const std::size_t other = part + 1 < parts ? part + 1 : part;
        float sums[16] = {};
        for (std::size_t from = 0; from < x.count; from += longest_chain_on_cortex_m) {
            const auto value_at = [&](std::size_t q) HEADSTRONG_INLINE {
                return x.values + from * x.v_stride + q / of_head / x.per_key * x.d_v + q % of_head * 8;
            };
            const auto p_at = [&](std::size_t q) HEADSTRONG_INLINE { return x.p + from + q / of_head * x.p_stride; };
            const std::size_t links = x.count - from < longest_chain_on_cortex_m ? x.count - from : longest_chain_on_cortex_m;
            sum_two_parts(
                {value_at(part), value_at(other), p_at(part), p_at(other), links, x.v_stride * sizeof(float), from > 0, sums});
        }
        for (std::size_t i = 0; i < 16; i += 4) {
            const std::size_t q = i < 8 ? part : other;
            product(four::load(sums + i), four::broadcast(x.factors[q / of_head]))
                .store(x.o + q / of_head * x.o_stride + q % of_head * 8 + i % 8);
        }
    }
}

/// Panels in memory whose columns may have any stride, and packed ones: lanes_at and packed_lanes of kernel/tile.hpp.
template <class A>
concept in_lanes = requires(A a) {
    a.data;
    a.panel_stride;
    a.column_stride;
};
template <class A>
concept in_packed_lanes = !in_lanes<A> && requires(A a) {
    a.data;
    a.panel_stride;
};

/// Whether the functions above compute a product of these types: see multiply_panels. Lanes that are a factor or a product
/// always have columns beside each other.
template <lanes L, class A, class B, class C, class Start, class Finish, class Part>
inline constexpr bool cortex_m_serves =
    are_of_cortex_m<L> && in_lanes<C> && requires(Start start, Finish finish) {
        start.numbers;
        finish.factors;
    } && ((in_packed_lanes<A> && std::is_empty_v<Part> && std::is_empty_v<Finish> && (B::row_stride == 1 || (B::row_stride == 4 && B::column_stride == 1 && B::columns <= 4))) || (in_lanes<A> && std::is_empty_v<Start> && (B::column_stride == 1 || (B::row_stride == 1 && std::is_empty_v<Finish>))));

/// multiply_panels by them.
template <lanes L, class A, class Panels, class B, class C, class Start, class Finish, class Part>
HEADSTRONG_INLINE inline void multiply_on_cortex_m(A a, Panels panels, B b, C c, bool add, Start start, Finish finish,
                                                   Part part) noexcept
{
    if constexpr (in_packed_lanes<A>) {
        multiply_packed({a.data, a.panel_stride, panels, b.data, B::row_stride == 1 ? B::column_stride : 0, B::rows, B::columns,
                         c.data, c.column_stride, start.numbers, add});
    } else {
        for (std::size_t p = 0; p < panels; ++p) {
            const float* factors = nullptr;
            if constexpr (!std::is_empty_v<Finish>) factors = finish.factors[p].lane;
            multiply_lanes({a.data + p * a.panel_stride, b.data, B::row_stride, B::column_stride, c.data + p * c.panel_stride,
                            factors, part.first_row, part.rows_of(p), part.first_column, part.columns_of(p), add});
        }
    }
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif  // HEADSTRONG_CORTEX_M
#endif
