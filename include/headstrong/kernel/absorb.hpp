// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_ABSORB_HPP
#define HEADSTRONG_KERNEL_ABSORB_HPP
/// @file
/// Attention to keys and values that are not projected: by associativity, (W^K x_j) . q = x_j . ((W^K)^T q) and
/// sum_j p_j W^V x_j = W^V (sum_j p_j x_j), so that the projections act once for a query and not once for each key.

#include "headstrong/kernel/dots.hpp"
#include "headstrong/kernel/pack.hpp"
#include "headstrong/kernel/tile.hpp"
#include "headstrong/sizes.hpp"
#include "headstrong/view.hpp"

#include <bit>
#include <cstddef>
#include <utility>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// Consecutive rows of packed weights, which need not begin with a panel.
template <class T>
struct packed_rows {
    const T* values;  ///< of the weight
    std::size_t row;  ///< the first
    std::size_t columns;

    [[nodiscard]] constexpr std::size_t lane() const noexcept { return row % lane_count<T>; }
    [[nodiscard]] constexpr const T* first_panel() const noexcept { return values + (row - lane()) * columns; }
    [[nodiscard]] constexpr std::size_t panel_stride() const noexcept { return columns * lane_count<T>; }
    /// The panels that `count` rows touch, at most panels_touched(count).
    [[nodiscard]] constexpr std::size_t panels_of(std::size_t count) const noexcept { return panels_for<T>(lane() + count); }
};

/// The most panels that `count` rows can touch, wherever they begin.
template <class T>
[[nodiscard]] constexpr std::size_t panels_touched(std::size_t count) noexcept
{
    return panels_for<T>(count + lane_count<T> - 1);
}

/// out = W^T q for Rows rows of W: number c is q . W(:, c). `placed` holds panels_touched panels.
template <lanes L, std::size_t Rows>
HEADSTRONG_KERNEL constexpr void multiply_transposed(packed_rows<typename L::value_type> w, const typename L::value_type* q,
                                                     typename L::value_type* placed, typename L::value_type* out)
{
    using T = typename L::value_type;
    const std::size_t blocks = w.panels_of(Rows);
    for (std::size_t b = 0; b < blocks; ++b) L::broadcast(0).store(placed + b * L::size);
    for (std::size_t r = 0; r < Rows; ++r) placed[w.lane() + r] = q[r];
    dot_columns<L, 1>({placed, 1, 0}, blocked_columns<T>{w.first_panel(), blocks, w.panel_stride(), L::size}, w.columns, out,
                      0);
}

/// Links of four chains: sums[s] += W_p(:, c + s) x[c + s] for s < Count.
template <lanes L, std::size_t Count, std::size_t... S>
HEADSTRONG_STEP constexpr void add_links(lanes_at<const typename L::value_type> w, std::size_t panel, std::size_t c,
                                         const typename L::value_type* x, L* sums, std::index_sequence<S...>)
{
    ((sums[S] = S < Count ? fma(w.template load<L>(panel, c + S), L::broadcast(x[c + S]), sums[S]) : sums[S]), ...);
}

/// W x for one column x of Depth numbers, in four chains of every fourth number that are added as neighbours, since one chain
/// would wait for each multiply-add before the next. Panel p of the result goes to store(p, sum). One panel at a time: memory
/// is read from end to end, a third faster than two panels side by side where W does not lie in the first-level cache.
template <lanes L, std::size_t Depth, class Store>
HEADSTRONG_KERNEL constexpr void multiply_column(lanes_at<const typename L::value_type> w, std::size_t panels,
                                                 const typename L::value_type* x, Store store)
{
    constexpr auto chains = std::make_index_sequence<4>{};
    for (std::size_t panel = 0; panel < panels; ++panel) {
        L sums[4] = {};
        for (std::size_t c = 0; c + 4 <= Depth; c += 4) add_links<L, 4>(w, panel, c, x, sums, chains);
        if constexpr (Depth % 4 != 0) add_links<L, Depth % 4>(w, panel, Depth / 4 * 4, x, sums, chains);
        store(panel, (sums[0] + sums[1]) + (sums[2] + sums[3]));
    }
}

/// out = W x for Rows rows of W; `placed` holds panels_touched panels, and out as much as whole panels fill.
template <lanes L, std::size_t Rows, std::size_t Depth>
HEADSTRONG_KERNEL constexpr void multiply_rows(packed_rows<typename L::value_type> w, const typename L::value_type* x,
                                               typename L::value_type* placed, typename L::value_type* out)
{
    typename L::value_type* const target = w.lane() == 0 ? out : placed;
    multiply_column<L, Depth>({w.first_panel(), w.panel_stride(), L::size}, w.panels_of(Rows), x,
                              [&](std::size_t p, const L& sum) HEADSTRONG_STEP { sum.store(target + p * L::size); });
    if (w.lane() != 0)
        for (std::size_t r = 0; r < Rows; ++r) out[r] = placed[w.lane() + r];
}

/// scores[v * stride + j] = x(:, j) . u_v for all columns of x and Vectors vectors: whole blocks of 16 numbers by lanes, then
/// the others one by one.
template <lanes L, std::size_t Vectors, class X>
HEADSTRONG_KERNEL constexpr void score_columns(const typename L::value_type* u, std::size_t u_stride, X x,
                                               typename L::value_type* scores, std::size_t stride)
{
    using T = typename L::value_type;
    constexpr std::size_t blocks = X::rows / L::size, at_once = smaller_of(std::bit_floor(Vectors), vectors_at_once<L>);
    const some_vectors<T> vectors{u, Vectors, u_stride};
    if constexpr (X::row_stride == 1 || blocks == 0) {
        dot_columns<L, at_once>(vectors, blocked_columns<T>{x.data, blocks, L::size, X::column_stride}, X::columns, scores,
                                stride);
    } else {
        T column[blocks * L::size];
        for (std::size_t j = 0; j < X::columns; ++j) {
            for (std::size_t r = 0; r < blocks * L::size; ++r) column[r] = x(r, j);
            dot_columns<L, 1>(vectors, blocked_columns<T>{column, blocks, L::size, 0}, 1, scores + j, stride);
        }
    }
    if constexpr (blocks * L::size < X::rows)
        for (std::size_t v = 0; v < Vectors; ++v)
            for (std::size_t j = 0; j < X::columns; ++j)
                for (std::size_t r = blocks * L::size; r < X::rows; ++r)
                    scores[v * stride + j] = fma(u[v * u_stride + r], x(r, j), scores[v * stride + j]);
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
