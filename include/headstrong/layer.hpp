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

namespace headstrong::detail::inline HEADSTRONG_TARGET {

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

/// One run of equal heads: for each group of key/value heads its keys and values, then for each block of queries the
/// outputs of its heads; those of a head for one panel of queries go to sink<d_v>(first query, outputs, column of W^O).
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
    constexpr std::size_t key_stride = padded<T>(plan.kv_heads * d_k), value_stride = padded<T>(plan.kv_heads * d_v);
    constexpr std::size_t q_stride = group_heads * d_k * L::size, o_stride = group_heads * d_v * L::size;
    const typename Run::score score{};

    for (std::size_t group = 0; group < Run::kv_heads / plan.kv_heads; ++group) {
        const std::size_t q_row = Run::at.q_row + group * group_heads * d_k;
        const std::size_t k_row = Run::at.k_row + group * plan.kv_heads * d_k;
        const std::size_t v_row = Run::at.v_row + group * plan.kv_heads * d_v;
        project_tokens<L, key_stride>(w.values + packed::w_k_at + k_row * S.d_key, key_stride / L::size,
                                      bias_at<bias::k>(w, packed::b_k_at, k_row), k, scratch + at.keys);
        project_tokens<L, value_stride>(w.values + packed::w_v_at + v_row * S.d_value, value_stride / L::size,
                                        bias_at<bias::v>(w, packed::b_v_at, v_row), v, scratch + at.values);

        for (std::size_t first = 0; first < n; first += plan.query_panels * L::size) {
            const std::size_t queries = std::min(n - first, plan.query_panels * L::size), panels = panels_for<T>(queries);
            for (std::size_t p = 0; p < panels; ++p)
                tokens_to_lanes<L>(q, first + p * L::size, scratch + at.input_and_scores + p * S.d_model * L::size);
            project_queries<L, group_heads * d_k>(
                w.values + packed::w_q_at + q_row * S.d_model, bias_at<bias::q>(w, packed::b_q_at, q_row),
                scratch + at.input_and_scores, S.d_model, panels, query_scale<T, d_k>(score), scratch + at.queries, q_stride);

            for (std::size_t h = 0; h < group_heads; ++h) {
                const std::size_t kv = h / queries_per_key;
                const matrix_view<const T, d_k, m, 1, key_stride> keys{scratch + at.keys + kv * d_k};
                const matrix_view<const T, d_v, m, 1, value_stride> values{scratch + at.values + kv * d_v};
                attend<L>({scratch + at.queries + h * d_k * L::size, q_stride, panels, queries}, keys, values,
                          scratch + at.input_and_scores, scratch + at.output + h * d_v * L::size, o_stride, score);
            }
            for (std::size_t p = 0; p < panels; ++p)
                for (std::size_t h = 0; h < group_heads; ++h)
                    sink.template operator()<d_v>(first + p * L::size, scratch + at.output + p * o_stride + h * d_v * L::size,
                                                  Run::at.o_column + (group * group_heads + h) * d_v);
        }
    }
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
