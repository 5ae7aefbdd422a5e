// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_LAYER_STREAMED_HPP
#define HEADSTRONG_LAYER_STREAMED_HPP
/// @file
/// The streamed plan: keys come 128 at a time, and the softmax is carried on from block to block (Milakov and Gimelshein, "Online
/// normalizer calculation for softmax", 2018), in memory that does not grow with m.

#include "headstrong/kernel/attend.hpp"
#include "headstrong/kernel/pack.hpp"
#include "headstrong/kernel/softmax.hpp"
#include "headstrong/layer/run.hpp"
#include "headstrong/plan.hpp"
#include "headstrong/weights.hpp"

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// The softmax of one panel of queries so far: largest scores, sums of exponentials and unscaled outputs, d_v rows.
template <class T>
struct streamed_state {
    T *maximum, *sum, *output;
};

/// Goes on with the next keys, for one panel of queries: all is scaled from the largest score so far to the new one.
template <lanes L, class V>
constexpr void attend_to_next(typename L::value_type* scores, V v, const streamed_state<typename L::value_type>& so_far)
{
    using T = typename L::value_type;
    const L before = L::load(so_far.maximum), maximum = larger(largest_score<L>(scores, V::columns), before);
    const L subtracted = subtrahend(maximum), scale = softmax_weight(before - subtracted);
    const L sum = exponentials<L>(scores, V::columns, subtracted);
    fma(L::load(so_far.sum), scale, sum).store(so_far.sum);
    maximum.store(so_far.maximum);
    multiply_panels<L>(
        lanes_at<const T>{scores, 0, L::size}, known<1>{}, v.transposed(), lanes_at<T>{so_far.output, 0, L::size}, false,
        [&](std::size_t, std::size_t c) HEADSTRONG_INLINE { return product(L::load(so_far.output + c * L::size), scale); },
        finish_as_it_is{});
}

/// One run of equal heads by the streamed plan; outputs go to sink as in walk_directly.
template <lanes L, class Run, packed_shape S, class Q, class K, class V, class Sink>
constexpr void walk_streamed(const packed_weights<typename L::value_type, S>& w, Q q, K k, V v, typename L::value_type* scratch,
                             const Sink& sink)
{
    using T = typename L::value_type;
    constexpr std::size_t n = Q::columns, m = K::columns, d_k = Run::d_k, d_v = Run::d_v;
    constexpr streamed_layout at = streamed_layout_of<T>(shape_of_run<S, Run, n, m>);
    constexpr std::size_t lanes_of_queries = padded<T>(n);
    // Not at.kv_heads: GCC 12 loses the constant in the generic lambda below.
    using group = head_group<T, S, Run, streamed_layout_of<T>(shape_of_run<S, Run, Q::columns, K::columns>).kv_heads>;
    const typename Run::score score{};
    T *const keys = scratch + at.keys, *const values = scratch + at.values, *const queries = scratch + at.queries;
    T *const query_lanes = scratch + at.query_lanes, *const scores = scratch + at.scores;
    T *const maxima = scratch + at.maxima, *const sums = scratch + at.sums, *const output = scratch + at.output;

    for (std::size_t index = 0; index < group::count; ++index) {
        const group heads{w, index};
        heads.template project_queries<L>(q, queries);
        for (std::size_t i = 0; i < group::heads * lanes_of_queries; i += L::size) {
            L::broadcast(minus_infinity<T>).store(maxima + i);
            L::broadcast(0).store(sums + i);
            for (std::size_t c = 0; c < d_v; ++c) L::broadcast(0).store(output + i * d_v + c * L::size);
        }

        const auto attend_to_keys = [&]<std::size_t Count>(std::size_t first_key) HEADSTRONG_INLINE {
            const matrix_view<const T, K::rows, Count, K::row_stride, K::column_stride> k_block{k.data + first_key * K::column_stride};
            const matrix_view<const T, V::rows, Count, V::row_stride, V::column_stride> v_block{v.data + first_key * V::column_stride};
            heads.template project_keys<L>(k_block, keys);
            heads.template project_values<L>(v_block, values);
            for (std::size_t h = 0; h < group::heads; ++h) {
                const matrix_view<const T, d_k, n, 1, group::q_stride> q_h{queries + h * d_k};
                const matrix_view<const T, d_k, Count, 1, group::k_stride> k_h{keys + h / group::queries_per_key * d_k};
                const matrix_view<const T, d_v, Count, 1, group::v_stride> v_h{values + h / group::queries_per_key * d_v};
                for (std::size_t first = 0; first < n; first += L::size) {
                    tokens_to_lanes<L>(q_h, first, query_scale<T, d_k>(score), query_lanes);
                    score_panels<L>({query_lanes, 0, L::size}, known<1>{}, n - first < L::size ? n - first : L::size, k_h, scores,
                                    score);
                    const std::size_t lane = h * lanes_of_queries + first;
                    attend_to_next<L>(scores, v_h, streamed_state<T>{maxima + lane, sums + lane, output + lane * d_v});
                }
            }
        };
        for (std::size_t first = 0; first + streamed_keys <= m; first += streamed_keys)
            attend_to_keys.template operator()<streamed_keys>(first);
        if constexpr (m % streamed_keys != 0)
            attend_to_keys.template operator()<m % streamed_keys>(m / streamed_keys * streamed_keys);

        for (std::size_t h = 0; h < group::heads; ++h) {
            T* const output_of_head = output + h * lanes_of_queries * d_v;
            for (std::size_t first = 0; first < n; first += L::size) {
                const L factor = reciprocal_of_sum(L::load(sums + h * lanes_of_queries + first));
                for (std::size_t c = 0; c < d_v; ++c) {
                    T* const row = output_of_head + first * d_v + c * L::size;
                    product(L::load(row), factor).store(row);
                }
            }
            give_outputs<L, d_v, n>(output_of_head, heads.o_column(h), sink);
        }
    }
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
