// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_LAYER_ABSORBED_HPP
#define HEADSTRONG_LAYER_ABSORBED_HPP
/// @file
/// The absorbed plan: keys and values stay as they come, one query at a time.

#include "headstrong/kernel/absorb.hpp"
#include "headstrong/kernel/attend.hpp"
#include "headstrong/kernel/seen_values.hpp"
#include "headstrong/kernel/treat.hpp"
#include "headstrong/layer/run.hpp"
#include "headstrong/options.hpp"
#include "headstrong/plan.hpp"
#include "headstrong/weights.hpp"

#include <cstddef>
#include <type_traits>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// Results of scores that lack the same number each, which is added where they are shown.
template <class Results, class T>
struct shifted_results {
    template <score_stage Stage>
    static constexpr bool wants = Results::template wants<Stage>;
    Results results;
    T missing;

    template <score_stage Stage, std::size_t Heads>
    HEADSTRONG_INLINE constexpr void put(std::size_t head, std::size_t i, std::size_t j, T number) const noexcept
    {
        results.template put<Stage, Heads>(head, i, j, Stage == score_stage::weights ? number : sum_of(number, missing));
    }
};

/// One run of equal heads for one query, a view of one column: out_h = W_h^V (V p_h) + b_v sum(p_h) with
/// p_h = softmax(K^T ((W_h^K)^T (W_h^Q q + b_q))). The bias of the keys adds the same to every score of a query, which a
/// softmax does not see; it is added where something else does: a sink, a soft cap, a function of scores, who asked for scores.
/// Returns the outputs of all heads below each other.
template <lanes L, std::size_t Heads, class Run, packed_shape S, class Kinds, class Q, class K, class V, class Options>
HEADSTRONG_KERNEL constexpr const typename L::value_type* absorb_query(const packed_weights<typename L::value_type, S>& w,
                                                                       const Kinds& kinds, Q q, std::size_t i, std::size_t n,
                                                                       K k, V v, typename L::value_type* scratch,
                                                                       const Options& options)
{
    using T = typename L::value_type;
    using packed = packed_weights<T, S>;
    constexpr std::size_t m = K::columns, d_k = Run::d_k, d_v = Run::d_v, heads = Run::heads;
    constexpr std::size_t heads_per_key = heads / Run::kv_heads, score_stride = padded<T>(m), sum_stride = padded<T>(S.d_value);
    constexpr absorbed_layout at = absorbed_layout_of<T>(shape_of_run<S, Run, 1, m>);
    T *const input = scratch + at.input, *const query = scratch + at.query, *const placed = scratch + at.placed;
    T *const absorbed = scratch + at.absorbed, *const scores = scratch + at.scores, *const factors = scratch + at.factors;
    T *const sums = scratch + at.sums, *const output = scratch + at.output;

    const auto treatment_with = [&](const auto& kind, std::size_t h, const auto& some_options) HEADSTRONG_INLINE {
        return treated_kind<Heads>(kind, static_cast<const typename Run::score&>(kind), Run::at.head + h, n, m, some_options);
    };
    const auto treatment_of = [&](const auto& kind, std::size_t h)
                                  HEADSTRONG_INLINE { return treatment_with(kind, h, options); };
    using treatment_type = decltype(treatment_of(kinds[0], 0));
    constexpr bool has_key_bias = contains(S.biases, bias::k);
    const auto key_bias_of = [&](std::size_t h) HEADSTRONG_INLINE {
        const T* const b_k = w.values + packed::b_k_at + Run::at.k_row + h / heads_per_key * d_k;
        T sum = 0;
        for (std::size_t r = 0; r < d_k; ++r) sum = fma(query[h * d_k + r], b_k[r], sum);
        return sum;
    };
    const auto scale_of = [&](std::size_t h) HEADSTRONG_INLINE {
        return query_scale<T, d_k>(static_cast<const typename Run::score&>(kinds[h]));
    };
    constexpr bool one_scale = std::is_empty_v<typename Run::kind>;
    const L scale = L::broadcast(one_scale ? scale_of(0) : T{1});
    for (std::size_t r = 0; r < S.d_model; ++r) input[r] = q(r, 0);
    multiply_column<L, S.d_model>({w.values + packed::w_q_at + Run::at.q_row * S.d_model, S.d_model * L::size, L::size},
                                  panels_for<T>(heads * d_k), input, [&](std::size_t p, L sum) HEADSTRONG_INLINE {
                                      if constexpr (contains(S.biases, bias::q))
                                          sum = sum + L::load(w.values + packed::b_q_at + Run::at.q_row + p * L::size);
                                      (sum * scale).store(query + p * L::size);
                                  });

    constexpr std::size_t absorbed_stride = padded<T>(S.d_key);
    for (std::size_t h = 0; h < heads; ++h) {
        const packed_rows<T> w_k{w.values + packed::w_k_at, Run::at.k_row + h / heads_per_key * d_k, S.d_key};
        if constexpr (!one_scale)
            for (std::size_t r = 0; r < d_k; ++r) query[h * d_k + r] = query[h * d_k + r] * scale_of(h);
        multiply_transposed<L, d_k>(w_k, query + h * d_k, placed, absorbed + h * absorbed_stride);
    }
    score_columns<L, heads>(absorbed, absorbed_stride, k, scores, score_stride);
    for (std::size_t h = 0; h < heads; ++h) {
        const auto& own = kinds[h];
        T* const scores_of_head = scores + h * score_stride;
        if constexpr (has_key_bias && treatment_type::sees_only_differences && treatment_type::wants_any) {
            using results = shifted_results<std::remove_cvref_t<decltype(options.results)>, T>;
            const call_options<std::remove_cvref_t<decltype(options.modifier)>, results, no_sink> shifted{
                options.modifier, {options.results, key_bias_of(h)}, {}};
            factors[h] = treat_row<L>(scores_of_head, i, m, treatment_with(own, h, shifted));
        } else {
            if constexpr (has_key_bias && !treatment_type::sees_only_differences) {
                const T missing = key_bias_of(h);
                for (std::size_t j = 0; j < m; ++j) scores_of_head[j] = sum_of(scores_of_head[j], missing);
            }
            factors[h] = treat_row<L>(scores_of_head, i, m, treatment_of(own, h));
        }
    }
    multiply_panels<L>(
        rows_of<V>{v, 0, 0}, known<panels_for<T>(S.d_value)>{}, matrix_view<const T, m, heads, 1, score_stride>{scores},
        lanes_at<T>{sums, L::size, sum_stride}, false, start_with_zero<L>{},
        [&](std::size_t, std::size_t h, const L& sum) HEADSTRONG_INLINE { return product(sum, L::broadcast(factors[h])); });
    if constexpr (hides_values<typename Run::kind, Options>) {
        if (!all_finite<L>(matrix_view<const T, S.d_value, heads, 1, sum_stride>{sums}))
            for (std::size_t h = 0; h < heads; ++h) {
                const auto& own = kinds[h];
                sum_seen_rows<L>(scores + h * score_stride, factors[h], v, {0, m}, i, treatment_of(own, h),
                                 sums + h * sum_stride);
            }
    }

    for (std::size_t h = 0; h < heads; ++h) {
        const std::size_t v_row = Run::at.v_row + h / heads_per_key * d_v;
        multiply_rows<L, d_v, S.d_value>({w.values + packed::w_v_at, v_row, S.d_value}, sums + h * sum_stride, placed,
                                         output + h * d_v);
        if constexpr (contains(S.biases, bias::v) && treatment_type::has_sink) {
            T sum = 0;
            for (std::size_t j = 0; j < m; ++j) sum = sum_of(sum, scores[h * score_stride + j]);
            const T share = fma(sum, factors[h], T{0});
            for (std::size_t r = 0; r < d_v; ++r)
                output[h * d_v + r] = fma(w.values[packed::b_v_at + v_row + r], share, output[h * d_v + r]);
        } else if constexpr (contains(S.biases, bias::v))
            for (std::size_t r = 0; r < d_v && factors[h] != 0; ++r)
                output[h * d_v + r] = sum_of(output[h * d_v + r], w.values[packed::b_v_at + v_row + r]);
    }
    return output;
}

/// All queries in turn. Y = b_o + W^O O; for a run behind the first, its share is added to y.
template <lanes L, std::size_t Heads, class Run, packed_shape S, class Kinds, class Q, class K, class V, class Y, class Options>
HEADSTRONG_KERNEL constexpr void walk_absorbed(const packed_weights<typename L::value_type, S>& w, const Kinds& kinds, Q q, K k,
                                               V v, Y y, typename L::value_type* scratch, const Options& options)
{
    using T = typename L::value_type;
    using packed = packed_weights<T, S>;
    for (std::size_t i = 0; i < Q::columns; ++i) {
        const T* const o = absorb_query<L, Heads, Run>(w, kinds, q.column(i), i, Q::columns, k, v, scratch, options);
        const rows_of<Y> column{y, 0, i};
        multiply_column<L, Run::heads * Run::d_v>(
            {w.values + packed::w_o_at + Run::at.o_column * L::size, S.o_columns * L::size, L::size}, panels_for<T>(S.d_out), o,
            [&](std::size_t p, L sum) HEADSTRONG_INLINE {
                if constexpr (Run::at.o_column > 0) sum = sum + column.template load<L>(p, 0);
                else if constexpr (contains(S.biases, bias::o)) sum = sum + L::load(w.values + packed::b_o_at + p * L::size);
                column.template store<L>(p, 0, sum);
            });
    }
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
