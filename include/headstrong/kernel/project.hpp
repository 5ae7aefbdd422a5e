// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_PROJECT_HPP
#define HEADSTRONG_KERNEL_PROJECT_HPP
/// @file
/// The projections of a layer, as calls of the multiply kernel.

#include "headstrong/kernel/pack.hpp"
#include "headstrong/kernel/tile.hpp"

#include <cstddef>

namespace headstrong::detail {

/// W X + b with the rows of W in the lanes: column j of the result at out + j * stride, `panels` panels of rows. Serves Q_h,
/// K_h and V_h. `bias` is null where there is none.
template <lanes L, class X>
constexpr void project_tokens(const typename L::value_type* w, std::size_t count, const typename L::value_type* bias, X x,
                              typename L::value_type* out, std::size_t stride)
{
    using T = typename L::value_type;
    multiply_panels<L>(
        panels<T>{w, X::rows * L::size, count}, x, lanes_at<T>{out, L::size, stride}, false,
        [&](std::size_t p, std::size_t) HEADSTRONG_INLINE {
            return bias != nullptr ? L::load(bias + p * L::size) : L::broadcast(0);
        },
        [](std::size_t, std::size_t, const L& sum) HEADSTRONG_INLINE { return sum; });
}

/// Lanes of a matrix y: rows of column first_column + j from row first_row + p * 16 on, as many as y has.
template <class Y>
struct rows_of {
    Y y;
    std::size_t first_row, first_column;

    template <lanes L>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L load(std::size_t p, std::size_t j) const
    {
        using T = typename L::value_type;
        const std::size_t row = first_row + p * L::size, column = first_column + j;
        const std::size_t count = Y::rows - row < L::size ? Y::rows - row : L::size;
        if constexpr (Y::row_stride == 1) {
            return count == L::size ? L::load(&y(row, column)) : L::load(&y(row, column), count);
        } else {
            T gathered[L::size] = {};
            for (std::size_t r = 0; r < count; ++r) gathered[r] = y(row + r, column);
            return L::load(gathered);
        }
    }

    template <lanes L>
    HEADSTRONG_INLINE constexpr void store(std::size_t p, std::size_t j, const L& sum) const
    {
        using T = typename L::value_type;
        const std::size_t row = first_row + p * L::size, column = first_column + j;
        const std::size_t count = Y::rows - row < L::size ? Y::rows - row : L::size;
        if constexpr (Y::row_stride == 1) {
            if (count == L::size) sum.store(&y(row, column));
            else sum.store(&y(row, column), count);
        } else {
            T scattered[L::size];
            sum.store(scattered);
            for (std::size_t r = 0; r < count; ++r) y(row + r, column) = scattered[r];
        }
    }
};

/// The share of one head in the output, for the tokens of one panel of its outputs or as many as O has columns:
/// y(:, first + i) = b + W_1^O O(:, i) for the first head, y(:, first + i) + W_h^O O(:, i) for the others. W^O has panels that
/// are panel_stride apart, whose columns from `w` on are those of the head.
template <lanes L, class O, class Y>
constexpr void project_output(const typename L::value_type* w, std::size_t panel_stride, const typename L::value_type* bias, O o,
                              Y y, std::size_t first, bool first_head)
{
    using T = typename L::value_type;
    multiply_panels<L>(
        panels<T>{w, panel_stride, panels_for<T>(Y::rows)}, o, rows_of<Y>{y, 0, first}, !first_head,
        [&](std::size_t p, std::size_t) HEADSTRONG_INLINE {
            return first_head && bias != nullptr ? L::load(bias + p * L::size) : L::broadcast(0);
        },
        [](std::size_t, std::size_t, const L& sum) HEADSTRONG_INLINE { return sum; });
}

}  // namespace headstrong::detail

#endif
