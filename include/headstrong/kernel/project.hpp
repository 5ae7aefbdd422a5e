// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_PROJECT_HPP
#define HEADSTRONG_KERNEL_PROJECT_HPP
/// @file
/// The projections of a layer, as calls of the multiply kernel.

#include "headstrong/kernel/pack.hpp"
#include "headstrong/kernel/tile.hpp"
#include "headstrong/view.hpp"

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// W X + b with the rows of W in the lanes: column j of the result at out + j * Rows, Rows rows in whole panels. Serves Q_h,
/// K_h and V_h. `bias` is null where there is none; finish(panel, column, sum) gives what is stored.
template <lanes L, std::size_t Rows, class X, class Finish = finish_as_it_is>
HEADSTRONG_LARGE_KERNEL constexpr void project_tokens(const typename L::value_type* w, const typename L::value_type* bias, X x,
                                                      typename L::value_type* out, Finish finish = {})
{
    using T = typename L::value_type;
    multiply_panels<L>(packed_lanes<T>{w, X::rows * lane_count<T>}, known<Rows / L::size>{}, x, lanes_at<T>{out, L::size, Rows},
                       false, start_with<L>{bias}, finish);
}

/// The outputs of one head for queries in lanes: of Width numbers a row, those behind the last column belong to no query.
template <class T, std::size_t Rows, std::size_t Columns, std::size_t Width>
struct outputs_in_lanes : matrix_view<T, Rows, Columns, Width, 1> {
    static constexpr std::size_t width = Width;
};

/// The share of one head in the output, for the tokens of one panel of its outputs or as many as O has columns:
/// y(:, first + i) = b + W_1^O O(:, i) for the first head, y(:, first + i) + W_h^O O(:, i) for the others. W^O has panels that
/// are panel_stride apart, whose columns from `w` on are those of the head.
template <lanes L, class O, class Y>
HEADSTRONG_LARGE_KERNEL constexpr void project_output(const typename L::value_type* w, std::size_t panel_stride,
                                                      const typename L::value_type* bias, O o, Y y, std::size_t first,
                                                      bool first_head)
{
    using T = typename L::value_type;
    constexpr std::size_t whole = Y::row_stride == 1 ? Y::rows / L::size : 0, all = panels_of<L>(Y::rows);
    const auto some_panels = [&](auto panels, std::size_t from, auto count, auto place) HEADSTRONG_STEP {
        multiply_panels<L>(panels, count, o, place, !first_head,
                           start_with<L>{first_head && bias != nullptr ? bias + from * L::size : nullptr}, finish_as_it_is{});
    };
    const packed_lanes<T> columns{w, panel_stride};
    if constexpr (whole > 0) some_panels(columns, 0, known<whole>{}, lanes_at<T>{&y(0, first), L::size, Y::column_stride});
    if constexpr (whole < all)
        some_panels(panels_from<packed_lanes<T>>{columns, whole}, whole, known<all - whole>{},
                    rows_of<Y>{y, whole * L::size, first});
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
