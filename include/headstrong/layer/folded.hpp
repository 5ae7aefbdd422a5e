// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_LAYER_FOLDED_HPP
#define HEADSTRONG_LAYER_FOLDED_HPP
/// @file
/// The folded plan: tokens are keys and values as they come, since what projects them was folded into the other projections.

#include "headstrong/kernel/attend.hpp"
#include "headstrong/layer/run.hpp"
#include "headstrong/plan.hpp"
#include "headstrong/weights.hpp"

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// Tokens with a row of ones below, which meets a bias that was folded, as copies at `copies`; without one, themselves.
template <std::size_t Rows, class X, class T>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto with_ones(X x, T* copies) noexcept
{
    if constexpr (Rows == X::rows) {
        return x;
    } else {
        for (std::size_t j = 0; j < X::columns; ++j) {
            for (std::size_t r = 0; r < X::rows; ++r) copies[j * Rows + r] = x(r, j);
            copies[j * Rows + X::rows] = 1;
        }
        return matrix_view<const T, Rows, X::columns>{copies};
    }
}

/// One run of equal heads by the folded plan, in which the d_k of a head are the rows of the keys and its d_v those of the
/// values; outputs go to sink as in walk_directly.
template <lanes L, std::size_t Heads, class Run, packed_shape S, class Kinds, class Q, class K, class V, class Options,
          class Sink>
constexpr void walk_folded(const packed_weights<typename L::value_type, S>& w, const Kinds& kinds, Q q, K k, V v,
                           typename L::value_type* scratch, const Options& options, const Sink& sink)
{
    using T = typename L::value_type;
    using packed = packed_weights<T, S>;
    constexpr std::size_t n = Q::columns, m = K::columns, d_k = Run::d_k, d_v = Run::d_v, rows = padded<T>(d_k);
    constexpr folded_layout at = folded_layout_of<T>(shape_of_run<S, Run, n, m>);
    T *const queries = scratch + at.queries, *const output = scratch + at.output;

    const auto keys = with_ones<d_k>(k, scratch + at.keys);
    const auto values = with_ones<d_v>(v, scratch + at.values);
    const bool finite = !hides_values<typename Run::kind, Options> || all_finite<L>(values);
    for (std::size_t h = 0; h < Run::heads; ++h) {
        project_tokens<L, rows>(w.values + packed::w_q_at + h * rows * S.d_model, bias_at<bias::q>(w, packed::b_q_at, h * rows),
                                q, queries);
        const matrix_view<const T, d_k, n, 1, rows> queries_of_head{queries};
        const auto& own = kinds[h];
        const auto& score = static_cast<const typename Run::score&>(own);
        const auto t = treated_kind<Heads>(own, score, Run::at.head + h, n, m, options);
        for (std::size_t i = 0; i < n; i += at.query_panels * L::size)
            attend<L, at.query_panels>(
                queries_of_head, i, keys, values,
                attend_memory<T>{scratch + at.query_lanes, scratch + at.scores, output + i * d_v, d_v * L::size}, t, finite);
        give_outputs<L, d_v>(output, Run::at.o_column + h * d_v, q, sink);
    }
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
