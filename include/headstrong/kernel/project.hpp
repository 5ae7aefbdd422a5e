// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_PROJECT_HPP
#define HEADSTRONG_KERNEL_PROJECT_HPP
/// @file
/// The three kinds of projection of a layer, as calls of the multiply kernel.

#include "headstrong/kernel/attend.hpp"
#include "headstrong/kernel/pack.hpp"
#include "headstrong/kernel/tile.hpp"

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// W X + b with the rows of W in the lanes: column j of the result at out + j * Stride, `panels` panels of rows. Serves
/// K_h and V_h. `bias` is null where there is none.
template <lanes L, std::size_t Stride, class X>
constexpr void project_tokens(const typename L::value_type* w, std::size_t panels, const typename L::value_type* bias, X x,
                              typename L::value_type* out)
{
    multiply_panels<L, X::columns, X::row_stride, X::column_stride>(
        w, X::rows * L::size, panels, x.data, X::rows,
        [&](std::size_t p, std::size_t) HEADSTRONG_INLINE {
            return bias != nullptr ? L::load(bias + p * L::size) : L::broadcast(0);
        },
        [&](std::size_t p, std::size_t j, const L& sum) HEADSTRONG_INLINE { sum.store(out + j * Stride + p * L::size); });
}

/// (scale (W X + b))^T with tokens in the lanes: the queries of a block, Rows rows of W. X comes in panels of tokens; number c
/// of panel p of the result at out + p * out_stride + c * 16.
template <lanes L, std::size_t Rows>
constexpr void project_queries(const typename L::value_type* w, const typename L::value_type* bias,
                               const typename L::value_type* x, std::size_t depth, std::size_t panels,
                               typename L::value_type scale, typename L::value_type* out, std::size_t out_stride)
{
    using T = typename L::value_type;
    const auto rows_of_panel = [&](std::size_t first, auto count) HEADSTRONG_INLINE {
        multiply_panels<L, count(), L::size, 1>(
            x, depth * L::size, panels, w + first * depth, depth,
            [&](std::size_t, std::size_t c) HEADSTRONG_INLINE { return L::broadcast(bias != nullptr ? bias[first + c] : T{0}); },
            [&](std::size_t p, std::size_t c, const L& sum) HEADSTRONG_INLINE {
                (sum * L::broadcast(scale)).store(out + p * out_stride + (first + c) * L::size);
            });
    };
    for (std::size_t first = 0; first + L::size <= Rows; first += L::size)
        rows_of_panel(first, std::integral_constant<std::size_t, L::size>{});
    if constexpr (Rows % L::size != 0)
        rows_of_panel(Rows / L::size * L::size, std::integral_constant<std::size_t, Rows % L::size>{});
}

/// Lanes of column j of y from row `row` on, as many as y has.
template <lanes L, class Y>
[[nodiscard]] HEADSTRONG_INLINE constexpr L load_rows(Y y, std::size_t row, std::size_t j)
{
    using T = typename L::value_type;
    const std::size_t count = Y::rows - row < L::size ? Y::rows - row : L::size;
    if constexpr (Y::row_stride == 1) {
        return count == L::size ? L::load(&y(row, j)) : L::load(&y(row, j), count);
    } else {
        T gathered[L::size] = {};
        for (std::size_t r = 0; r < count; ++r) gathered[r] = y(row + r, j);
        return L::load(gathered);
    }
}

template <lanes L, class Y>
HEADSTRONG_INLINE constexpr void store_rows(const L& sum, Y y, std::size_t row, std::size_t j)
{
    using T = typename L::value_type;
    const std::size_t count = Y::rows - row < L::size ? Y::rows - row : L::size;
    if constexpr (Y::row_stride == 1) {
        if (count == L::size) sum.store(&y(row, j));
        else sum.store(&y(row, j), count);
    } else {
        T scattered[L::size];
        sum.store(scattered);
        for (std::size_t r = 0; r < count; ++r) y(row + r, j) = scattered[r];
    }
}

/// The share of one head in the output, for the Count queries i of one panel of its outputs, `o`:
/// y(:, first + i) = b + W_1^O O(:, i) for the first head, y(:, first + i) + W_h^O O(:, i) for the others. W^O has panels that
/// are panel_stride apart, of which `depth` columns from `w` on are those of the head.
template <lanes L, std::size_t Count, class Y>
constexpr void project_output(const typename L::value_type* w, std::size_t panel_stride, const typename L::value_type* bias,
                              const typename L::value_type* o, std::size_t depth, Y y, std::size_t first, bool first_head)
{
    multiply_panels<L, Count, L::size, 1>(
        w, panel_stride, panels_for<typename L::value_type>(Y::rows), o, depth,
        [&](std::size_t p, std::size_t) HEADSTRONG_INLINE {
            return first_head && bias != nullptr ? L::load(bias + p * L::size) : L::broadcast(0);
        },
        [&](std::size_t p, std::size_t j, const L& sum) HEADSTRONG_INLINE {
            store_rows(first_head ? sum : load_rows<L>(y, p * L::size, first + j) + sum, y, p * L::size, first + j);
        });
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
