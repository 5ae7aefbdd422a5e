// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_CORTEX_M_MULTIPLY_HPP
#define HEADSTRONG_KERNEL_CORTEX_M_MULTIPLY_HPP
/// @file
/// The multiply kernel on a Cortex-M with a floating-point unit: functions with run-time extents, shared by all products of a
/// program. What they do not serve (double, odd strides, other starts and ends of sums) takes the general kernel.

#include "headstrong/kernel/cortex_m/lane_tiles.hpp"
#include "headstrong/kernel/cortex_m/packed_tiles.hpp"
#include "headstrong/kernel/cortex_m/values.hpp"
#include "headstrong/kernel/helium/lane_tiles.hpp"
#include "headstrong/kernel/helium/output_tiles.hpp"
#include "headstrong/kernel/helium/packed_tiles.hpp"
#include "headstrong/kernel/helium/values.hpp"
#include "headstrong/kernel/panels.hpp"
#include "headstrong/lanes.hpp"

#if HEADSTRONG_CORTEX_M

#include <cstddef>
#include <type_traits>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// Tiles of one column for packed weights, panels of four lanes first ... end - 1, 16 lanes a_stride numbers from 16 lanes, and
/// any B, b_row bytes from row to row and b_column numbers from column to column.
[[gnu::noinline]] inline void multiply_packed_ones(const packed_operands& t, std::size_t a_stride, std::size_t first,
                                                   std::size_t end, std::size_t b_row, std::size_t b_column) noexcept
{
    tile_operands one{nullptr, t.b, nullptr, 1, t.links, t.add, b_row, nullptr, nullptr, 16 * sizeof(float)};
    for (std::size_t j = 0; j < t.columns; ++j, one.b += b_column)
        for (std::size_t p = first; p < end; ++p) {
            one.a = t.a + p / 4 * a_stride + p % 4 * 4, one.start = t.start + p * (t.start_step / 16);
            one.c = t.c + p * 4 + j * (t.c_column / sizeof(float));
            tile_4x1(one);
        }
}

/// Panels in memory whose columns may have any stride, and packed ones: lanes_at and packed_lanes of kernel/panels.hpp.
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

/// Whether the functions above compute a product of packed weights: with columns of neighbours, or at most four in lanes.
template <class A, class B, class Finish, class Part>
inline constexpr bool packed_serve =
    in_packed_lanes<A> && std::is_empty_v<Part> && std::is_empty_v<Finish>
    && (B::row_stride == 1 || (B::row_stride == 4 && B::column_stride == 1 && columns_by_type<B> <= 4));
/// The same of other lanes.
template <class A, class B, class Start, class Finish>
inline constexpr bool lanes_serve =
    in_lanes<A> && std::is_empty_v<Start> && (B::column_stride == 1 || (B::row_stride == 1 && std::is_empty_v<Finish>));

/// Whether they compute a product of these types: see multiply_panels. Lanes that are a factor or a product always have columns
/// beside each other.
template <lanes L, class A, class B, class C, class Start, class Finish, class Part>
inline constexpr bool cortex_m_serves = are_of_cortex_m<L> && in_lanes<C> && requires(Start start, Finish finish) {
    start.numbers;
    finish.factors;
} && (packed_serve<A, B, Finish, Part> || lanes_serve<A, B, Start, Finish>);

/// f(the first link, behind the last one) for each chain.
template <class F>
HEADSTRONG_INLINE inline void for_each_chain(std::size_t first, std::size_t end, F f) noexcept
{
    for (std::size_t chain = first / longest_chain * longest_chain; chain < end; chain += longest_chain)
        f(chain < first ? first : chain, end - chain < longest_chain ? end : chain + longest_chain);
}

/// multiply_panels of packed weights. What a shape does not need is not called, so that linkers leave it out.
template <class A, class Panels, class B, class C>
HEADSTRONG_INLINE inline void multiply_packed(A a, Panels panels, B b, C c, bool add, const float* bias) noexcept
{
    constexpr bool of_panel = B::row_stride != 1, whole = requires { requires Panels::value % 4 == 0; };
    for_each_chain(0, B::rows, [&](std::size_t from, std::size_t end) HEADSTRONG_INLINE {
        const bool biased = from == 0 && bias != nullptr;
        const std::size_t panels_of_16 = panels / 4;
        packed_operands t{a.data + from * 16,
                          b.data + from * B::row_stride,
                          c.data,
                          b.columns,
                          end - from,
                          add || from > 0,
                          B::column_stride * sizeof(float),
                          biased ? bias : zeros,
                          biased ? 16 * sizeof(float) : 0,
                          c.column_stride * sizeof(float)};
        if constexpr (of_panel && (columns_by_type<B> == 4 || requires { B::width; })) {
            multiply_packed_fours(t, (a.panel_stride - 16) * sizeof(float), panels);
        } else if constexpr (of_panel) {
            multiply_packed_ones(t, a.panel_stride, 0, panels, B::row_stride * sizeof(float), 1);
        } else {
            if constexpr (!whole)
                if (panels % 4 != 0)
                    multiply_packed_ones(t, a.panel_stride, panels_of_16 * 4, panels, sizeof(float), B::column_stride);
            if (panels_of_16 == 0) return;
            if constexpr (columns_by_type<B> > 1) {
                multiply_packed_pairs(t, (a.panel_stride - 8) * sizeof(float), panels_of_16 * 2);
            } else {
                t.b_stride = (a.panel_stride - t.links * 16) * sizeof(float), t.columns = panels_of_16;
                packed_tiles_16x1(t);
            }
        }
    });
}

/// multiply_panels of one panel of lanes, with factors or null.
template <class B, class Part>
HEADSTRONG_INLINE inline void multiply_lanes(const float* a, std::size_t panel, B b, float* c, bool add, const float* factors,
                                             Part part) noexcept
{
    constexpr bool by_rows = B::column_stride == 1, all = std::is_empty_v<Part>;
    const std::size_t row_end = part.rows_of(panel), columns = part.columns_of(panel) - part.first_column;
    for_each_chain(part.first_row, row_end, [&](std::size_t from, std::size_t end) HEADSTRONG_INLINE {
        tile_operands t{a + from * 4,
                        b.data + from * B::row_stride + part.first_column * B::column_stride,
                        c + part.first_column * 4,
                        columns / 4,
                        end - from,
                        add || from > part.first_row,
                        (by_rows ? B::row_stride : B::column_stride) * sizeof(float),
                        zeros,
                        end == row_end ? factors : nullptr,
                        4 * sizeof(float)};
        if (t.tiles > 0) by_rows ? lanes_tiles_4x4_of_rows(t) : lanes_tiles_4x4(t);
        if constexpr (!all || B::columns % 4 != 0) {
            std::size_t left = columns % 4;
            if constexpr (!by_rows && all && B::columns >= 4 && B::rows <= longest_chain)
                if (!add) {  // some columns twice, which changes nothing
                    t.b += (B::columns - 4) * B::column_stride, t.c += (B::columns - 4) * 4, t.tiles = 1;
                    return lanes_tiles_4x4(t);
                }
            t.b += t.tiles * 4 * B::column_stride, t.c += t.tiles * 16;
            if constexpr (by_rows && (!all || B::columns % 4 >= 2))
                if (left >= 2) {
                    t.tiles = 1;
                    lanes_tile_4x2_of_rows(t);
                    t.b += 2, t.c += 8, left -= 2;
                }
            if constexpr (!by_rows || !all || B::columns % 2 != 0) {
                t.b_stride = B::row_stride * sizeof(float);
                for (; left > 0; --left, t.b += B::column_stride, t.c += 4) tile_4x1(t);
            }
        }
    });
}

/// multiply_panels by them.
template <lanes L, class A, class Panels, class B, class C, class Start, class Finish, class Part>
HEADSTRONG_INLINE inline void multiply_on_cortex_m(A a, Panels panels, B b, C c, bool add, Start start, Finish finish,
                                                   Part part) noexcept
{
    if constexpr (in_packed_lanes<A>) {
        multiply_packed(a, panels, b, c, add, start.numbers);
    } else {
        for (std::size_t p = 0; p < panels; ++p) {
            const float* factors = nullptr;
            if constexpr (!std::is_empty_v<Finish>) factors = finish.factors[p].lane;
            multiply_lanes(a.data + p * a.panel_stride, p, b, c.data + p * c.panel_stride, add, factors, part);
        }
    }
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif  // HEADSTRONG_CORTEX_M
#endif
