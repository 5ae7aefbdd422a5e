// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_LAYER_HPP
#define HEADSTRONG_LAYER_HPP
/// @file
/// The walk of a call through the heads of a layer; multi_head and residual_attention differ in what they do with
/// the heads' outputs.

#include "headstrong/heads.hpp"
#include "headstrong/kernel/attend.hpp"
#include "headstrong/kernel/pack.hpp"
#include "headstrong/kernel/project.hpp"
#include "headstrong/plan.hpp"
#include "headstrong/weights.hpp"

#include <algorithm>
#include <cstddef>

namespace headstrong::detail {

template <class T, packed_shape S, class Run, std::size_t N, std::size_t M>
inline constexpr run_shape shape_of_run{S.d_model, N, M, Run::heads, Run::kv_heads, Run::d_k, Run::d_v};

/// The scratch memory of a call, in numbers: the most that any run needs.
template <class T, packed_shape S, class Runs, std::size_t N, std::size_t M>
[[nodiscard]] constexpr std::size_t scratch_size() noexcept
{
    std::size_t size = 0;
    Runs::for_each([&](auto run) {
        constexpr run_shape shape = shape_of_run<T, S, decltype(run), N, M>;
        size = std::max(size, layout_of<T>(shape, plan_for<T>(shape)).size);
    });
    return size;
}

/// A bias of the packed weights, from row `row` on; null where the layer has none.
template <bias One, class T, packed_shape S>
[[nodiscard]] HEADSTRONG_INLINE constexpr const T* bias_at(const packed_weights<T, S>& w, std::size_t at, std::size_t row) noexcept
{
    if constexpr (contains(S.biases, One)) return w.values + at + row;
    else return nullptr;
}

/// One run of equal heads: for each group of key/value heads its keys, values and queries, then for each head its outputs,
/// which go to sink<d_v>(outputs, column of W^O): 16 queries a panel, row c of panel p at outputs + (p * d_v + c) * 16.
template <lanes L, class Run, packed_shape S, class Q, class K, class V, class Sink>
constexpr void walk_run(const packed_weights<typename L::value_type, S>& w, Q q, K k, V v, typename L::value_type* scratch,
                        const Sink& sink)
{
    using T = typename L::value_type;
    using packed = packed_weights<T, S>;
    constexpr std::size_t n = Q::columns, m = K::columns, d_k = Run::d_k, d_v = Run::d_v;
    constexpr run_shape shape = shape_of_run<T, S, Run, n, m>;
    constexpr plan plan = plan_for<T>(shape);
    constexpr scratch_layout at = layout_of<T>(shape, plan);
    constexpr std::size_t queries_per_key = Run::heads / Run::kv_heads, group_heads = plan.kv_heads * queries_per_key;
    constexpr std::size_t q_stride = padded<T>(group_heads * d_k);
    constexpr std::size_t k_stride = padded<T>(plan.kv_heads * d_k), v_stride = padded<T>(plan.kv_heads * d_v);
    const typename Run::score score{};

    for (std::size_t group = 0; group < Run::kv_heads / plan.kv_heads; ++group) {
        const std::size_t q_row = Run::at.q_row + group * group_heads * d_k;
        const std::size_t k_row = Run::at.k_row + group * plan.kv_heads * d_k;
        const std::size_t v_row = Run::at.v_row + group * plan.kv_heads * d_v;
        project_tokens<L>(w.values + packed::w_k_at + k_row * S.d_key, k_stride / L::size,
                          bias_at<bias::k>(w, packed::b_k_at, k_row), k, scratch + at.keys, k_stride);
        project_tokens<L>(w.values + packed::w_v_at + v_row * S.d_value, v_stride / L::size,
                          bias_at<bias::v>(w, packed::b_v_at, v_row), v, scratch + at.values, v_stride);
        project_tokens<L>(w.values + packed::w_q_at + q_row * S.d_model, q_stride / L::size,
                          bias_at<bias::q>(w, packed::b_q_at, q_row), q, scratch + at.queries, q_stride);

        for (std::size_t h = 0; h < group_heads; ++h) {
            const std::size_t kv = h / queries_per_key;
            const matrix_view<const T, d_k, n, 1, q_stride> queries{scratch + at.queries + h * d_k};
            const matrix_view<const T, d_k, m, 1, k_stride> keys{scratch + at.keys + kv * d_k};
            const matrix_view<const T, d_v, m, 1, v_stride> values{scratch + at.values + kv * d_v};
            for (std::size_t first = 0; first < n; first += plan.query_panels * L::size)
                attend<L, plan.query_panels>(queries, first, keys, values, scratch + at.query_lanes, scratch + at.scores,
                                             scratch + at.output + first * d_v, d_v * L::size, score);
            sink.template operator()<d_v>(scratch + at.output, Run::at.o_column + (group * group_heads + h) * d_v);
        }
    }
}

}  // namespace headstrong::detail

#endif
