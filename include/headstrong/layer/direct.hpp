// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_LAYER_DIRECT_HPP
#define HEADSTRONG_LAYER_DIRECT_HPP
/// @file
/// The direct plan: keys and values are projected, queries lie in the lanes.

#include "headstrong/kernel/attend.hpp"
#include "headstrong/kernel/pack.hpp"
#include "headstrong/kernel/project.hpp"
#include "headstrong/layer/run.hpp"
#include "headstrong/plan.hpp"
#include "headstrong/weights.hpp"

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// One run of equal heads by the direct plan: for each group of key/value heads its keys, values and queries, then for each
/// head its outputs, which go to sink(O, first, column of W^O), where O is a view of the outputs of the queries from `first`.
template <lanes L, class Run, packed_shape S, class Q, class K, class V, class Sink>
constexpr void walk_directly(const packed_weights<typename L::value_type, S>& w, Q q, K k, V v, typename L::value_type* scratch,
                             const Sink& sink)
{
    using T = typename L::value_type;
    using packed = packed_weights<T, S>;
    constexpr std::size_t n = Q::columns, m = K::columns, d_k = Run::d_k, d_v = Run::d_v;
    constexpr run_shape shape = shape_of_run<S, Run, n, m>;
    constexpr walk way = walk_for<T>(shape);
    constexpr scratch_layout at = layout_of<T>(shape, way);
    constexpr std::size_t queries_per_key = Run::heads / Run::kv_heads, group_heads = way.kv_heads * queries_per_key;
    constexpr std::size_t q_stride = padded<T>(group_heads * d_k);
    constexpr std::size_t k_stride = padded<T>(way.kv_heads * d_k), v_stride = padded<T>(way.kv_heads * d_v);
    const typename Run::score score{};
    T* const output = scratch + at.output;

    for (std::size_t group = 0; group < Run::kv_heads / way.kv_heads; ++group) {
        const std::size_t q_row = Run::at.q_row + group * group_heads * d_k;
        const std::size_t k_row = Run::at.k_row + group * way.kv_heads * d_k;
        const std::size_t v_row = Run::at.v_row + group * way.kv_heads * d_v;
        project_tokens<L, k_stride>(w.values + packed::w_k_at + k_row * S.d_key, bias_at<bias::k>(w, packed::b_k_at, k_row), k,
                                    scratch + at.keys);
        project_tokens<L, v_stride>(w.values + packed::w_v_at + v_row * S.d_value, bias_at<bias::v>(w, packed::b_v_at, v_row), v,
                                    scratch + at.values);
        project_tokens<L, q_stride>(w.values + packed::w_q_at + q_row * S.d_model, bias_at<bias::q>(w, packed::b_q_at, q_row), q,
                                    scratch + at.queries);

        for (std::size_t h = 0; h < group_heads; ++h) {
            const std::size_t kv = h / queries_per_key;
            const matrix_view<const T, d_k, n, 1, q_stride> queries{scratch + at.queries + h * d_k};
            const matrix_view<const T, d_k, m, 1, k_stride> keys{scratch + at.keys + kv * d_k};
            const matrix_view<const T, d_v, m, 1, v_stride> values{scratch + at.values + kv * d_v};
            for (std::size_t first = 0; first < n; first += way.query_panels * L::size)
                attend<L, way.query_panels>(queries, first, keys, values, scratch + at.query_lanes, scratch + at.scores,
                                            output + first * d_v, d_v * L::size, score);

            give_outputs<L, d_v, n>(output, Run::at.o_column + (group * group_heads + h) * d_v, sink);
        }
    }
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
