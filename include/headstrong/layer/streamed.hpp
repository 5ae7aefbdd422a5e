// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_LAYER_STREAMED_HPP
#define HEADSTRONG_LAYER_STREAMED_HPP
/// @file
/// The streamed plan: keys come 128 at a time, and the softmax is carried on from block to block (Milakov and Gimelshein,
/// "Online normalizer calculation for softmax", 2018), in memory that does not grow with m.

#include "headstrong/kernel/attend.hpp"
#include "headstrong/kernel/pack.hpp"
#include "headstrong/kernel/softmax.hpp"
#include "headstrong/layer/run.hpp"
#include "headstrong/plan.hpp"
#include "headstrong/weights.hpp"

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// The largest score and the sum that a softmax begins with.
template <class T>
struct softmax_start {
    T maximum, sum;
};
template <class T>
[[nodiscard]] HEADSTRONG_INLINE constexpr softmax_start<T> start_of_sink(no_sink) noexcept
{
    return {minus_infinity<T>, 0};
}
template <class T, class Logit>
[[nodiscard]] HEADSTRONG_INLINE constexpr softmax_start<T> start_of_sink(sink<Logit> s) noexcept
{
    const T logit = static_cast<T>(s.logit);
    return {logit, logit > minus_infinity<T> ? T{1} : T{0}};
}

/// The softmax of one panel of queries so far: largest scores, sums of exponentials and unscaled outputs, d_v rows.
template <class T>
struct streamed_state {
    T *maximum, *sum, *output;
};

/// Goes on with the next keys, for one panel of queries from `first` on: all is scaled from the largest score so far to the new
/// one. `keys` are those of the block that the queries need, counted from its first key.
template <lanes L, class V, class Treatment>
HEADSTRONG_KERNEL constexpr void attend_to_next(typename L::value_type* scores, V v, key_range keys, std::size_t first_key,
                                                std::size_t first, const Treatment& t, bool finite,
                                                const streamed_state<typename L::value_type>& so_far)
{
    using T = typename L::value_type;
    T* const used = scores + keys.begin * L::size;
    const std::size_t count = keys.end - keys.begin;
    const L before = L::load(so_far.maximum), maximum = larger(largest_score<L>(used, count), before);
    const L subtracted = subtrahend(maximum), scale = softmax_weight(before - subtracted);
    const L sum = exponentials<L>(used, count, subtracted);
    fma(L::load(so_far.sum), scale, sum).store(so_far.sum);
    maximum.store(so_far.maximum);
    const auto added = [&](std::size_t c, const L& of_block)
                           HEADSTRONG_INLINE { return fma(L::load(so_far.output + c * L::size), scale, of_block); };
    if (finite) {
        const auto finish = [&](std::size_t, std::size_t c, const L& of_block) HEADSTRONG_INLINE { return added(c, of_block); };
        const lanes_at<const T> weights{scores, 0, L::size};
        const lanes_at<T> output{so_far.output, 0, L::size};
        if constexpr (Treatment::plain)
            multiply_panels<L>(weights, known<1>{}, v.transposed(), output, false, start_with_zero<L>{}, finish);
        else
            multiply_panels<L>(weights, known<1>{}, v.transposed(), output, false, start_with_zero<L>{}, finish,
                               part_of<1>{keys.begin, 0, {keys.end}, {V::rows}});
    } else {
        for (std::size_t c = 0; c < V::rows; ++c) {
            const L of_block = sum_of_seen<L>(
                keys, [&](std::size_t j) { return L::load(scores + j * L::size); },
                [&](std::size_t j) { return L::broadcast(v(c, j)); },
                [&](std::size_t j) { return t.template sees<L, false>(first, first_key + j); });
            added(c, of_block).store(so_far.output + c * L::size);
        }
    }
}

/// One run of equal heads by the streamed plan; outputs go to sink as in walk_directly.
template <lanes L, std::size_t Heads, class Run, packed_shape S, class Kinds, class Q, class K, class V, class Options,
          class Sink>
constexpr void walk_streamed(const packed_weights<typename L::value_type, S>& w, const Kinds& kinds, Q q, K k, V v,
                             typename L::value_type* scratch, const Options& options, const Sink& sink)
{
    using T = typename L::value_type;
    using kind = typename Run::kind;
    constexpr std::size_t n = Q::columns, m = K::columns, d_k = Run::d_k, d_v = Run::d_v;
    constexpr streamed_layout at = streamed_layout_of<T>(shape_of_run<S, Run, n, m>);
    constexpr std::size_t lanes_of_queries = padded<T>(n);
    // Not at.kv_heads: GCC 12 loses the constant in the generic lambda below.
    using group = head_group<T, S, Run, streamed_layout_of<T>(shape_of_run<S, Run, Q::columns, K::columns>).kv_heads>;
    T *const keys = scratch + at.keys, *const values = scratch + at.values, *const queries = scratch + at.queries;
    T *const query_lanes = scratch + at.query_lanes, *const scores = scratch + at.scores;
    T *const maxima = scratch + at.maxima, *const sums = scratch + at.sums, *const output = scratch + at.output;

    for (std::size_t index = 0; index < group::count; ++index) {
        const group heads{w, index};
        const auto treatment_of = [&](const kind& own, std::size_t h) HEADSTRONG_INLINE {
            return treated_kind<Heads>(own, static_cast<const typename kind::score&>(own),
                                       Run::at.head + heads.first_head() + h, n, m, options);
        };
        heads.template project_queries<L>(q, queries);
        heads.prepare_queries(kinds, queries, n, 0);
        for (std::size_t h = 0; h < group::heads; ++h) {
            const auto start = start_of_sink<T>(treatment_of(kinds[heads.first_head() + h], h).sink);
            for (std::size_t i = h * lanes_of_queries; i < (h + 1) * lanes_of_queries; i += L::size) {
                L::broadcast(start.maximum).store(maxima + i);
                L::broadcast(start.sum).store(sums + i);
                for (std::size_t c = 0; c < d_v; ++c) L::broadcast(0).store(output + i * d_v + c * L::size);
            }
        }

        // f(treatment, its head, first query, keys of the block, values, whether they are finite) for each block of keys and
        // panel of queries, with their scores up to masks and biases.
        const auto for_each_block = [&](auto results, auto f) HEADSTRONG_INLINE {
            const auto with_keys = [&]<std::size_t Count>(std::size_t first_key) HEADSTRONG_INLINE {
                const matrix_view<const T, K::rows, Count, K::row_stride, K::column_stride> k_block{
                    k.data + first_key * K::column_stride};
                const matrix_view<const T, V::rows, Count, V::row_stride, V::column_stride> v_block{
                    v.data + first_key * V::column_stride};
                heads.template project_keys<L>(k_block, keys);
                heads.template project_values<L>(v_block, values);
                heads.prepare_keys(kinds, keys, Count, first_key);
                const matrix_view<const T, group::v_stride, Count> all_values{values};
                const bool finite = !hides_values<kind, Options> || all_finite<L>(all_values);
                for (std::size_t h = 0; h < group::heads; ++h) {
                    const matrix_view<const T, d_k, n, 1, group::q_stride> q_h{queries + h * d_k};
                    const matrix_view<const T, d_k, Count, 1, group::k_stride> k_h{keys + h / group::queries_per_key * d_k};
                    const matrix_view<const T, d_v, Count, 1, group::v_stride> v_h{values + h / group::queries_per_key * d_v};
                    const auto& own = kinds[heads.first_head() + h];
                    const auto t = treatment_of(own, h);
                    for (std::size_t first = 0; first < n; first += L::size) {
                        const std::size_t count = n - first < L::size ? n - first : L::size;
                        const key_range part = t.template keys_of_block<T>(first, count, first_key, Count);
                        if (part.begin == part.end) continue;
                        queries_to_lanes<L>(q_h, first, t.score, query_lanes);
                        if constexpr (decltype(t)::plain)
                            score_panels<L>({query_lanes, 0, L::size}, known<1>{}, first, count, k_h, scores, t.score,
                                            all_of<decltype(k_h)>{});
                        else
                            score_panels<L>({query_lanes, 0, L::size}, known<1>{}, first, count, k_h, scores, t.score,
                                            part_of<1>{0, part.begin, {d_k}, {part.end}});
                        change_scores<L>(scores, first, part, first_key, t, results);
                        f(t, h, first, first_key, part, v_h, finite);
                    }
                }
            };
            for (std::size_t first = 0; first + streamed_keys <= m; first += streamed_keys)
                with_keys.template operator()<streamed_keys>(first);
            if constexpr (m % streamed_keys != 0)
                with_keys.template operator()<m % streamed_keys>(m / streamed_keys * streamed_keys);
        };

        for_each_block(options.results, [&](const auto& t, std::size_t h, std::size_t first, std::size_t first_key,
                                            key_range part, auto v_h, bool finite) HEADSTRONG_INLINE {
            const std::size_t lane = h * lanes_of_queries + first;
            attend_to_next<L>(scores, v_h, part, first_key, first, t, finite,
                              streamed_state<T>{maxima + lane, sums + lane, output + lane * d_v});
        });

        // Weights need the last maximum and sum: if they are asked for, the scores are computed once more.
        if constexpr (decltype(options.results)::template wants<score_stage::weights>)
            for_each_block(no_results{}, [&](const auto& t, std::size_t h, std::size_t first, std::size_t first_key,
                                             key_range part, auto, bool) HEADSTRONG_INLINE {
                const std::size_t lane = h * lanes_of_queries + first;
                const L subtracted = subtrahend(L::load(maxima + lane)), factor = reciprocal_of_sum(L::load(sums + lane));
                for (std::size_t j = part.begin; j < part.end; ++j)
                    softmax_weight(L::load(scores + j * L::size) - subtracted).store(scores + j * L::size);
                t.template show<score_stage::weights, L, false>(scores, first, part, factor, first_key);
            });

        for (std::size_t h = 0; h < group::heads; ++h) {
            T* const output_of_head = output + h * lanes_of_queries * d_v;
            for (std::size_t first = 0; first < n; first += L::size) {
                const L sum = L::load(sums + h * lanes_of_queries + first), factor = reciprocal_of_sum(sum);
                for (std::size_t c = 0; c < d_v; ++c) {
                    T* const row = output_of_head + first * d_v + c * L::size;
                    product(L::load(row), factor).store(row);
                }
                show_log_sum_exp<L>(subtrahend(L::load(maxima + h * lanes_of_queries + first)), sum, first,
                                    treatment_of(kinds[heads.first_head() + h], h));
            }
            give_outputs<L, d_v>(output_of_head, heads.o_column(h), q, sink);
        }
    }
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
