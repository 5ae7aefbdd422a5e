// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_LAYER_CACHED_HPP
#define HEADSTRONG_LAYER_CACHED_HPP
/// @file
/// Few queries against keys and values that are projected already: keys in the lanes for the scores, rows of the values for
/// their sum. The arithmetic is that of the direct plan.

#include "headstrong/kernel/attend.hpp"
#include "headstrong/kernel/pack.hpp"
#include "headstrong/kernel/project.hpp"
#include "headstrong/kernel/seen_values.hpp"
#include "headstrong/kernel/treat.hpp"
#include "headstrong/layer/run.hpp"
#include "headstrong/sizes.hpp"
#include "headstrong/weights.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// Where the parts of the scratch memory of a call with a cache lie, in numbers from its start.
struct cached_layout {
    std::size_t queries, scores, factors, output, size;
};

template <class T>
[[nodiscard]] constexpr cached_layout cached_layout_of(const run_shape& s) noexcept
{
    cached_layout at{};
    at.queries = 0;
    at.scores = at.queries + padded<T>(s.heads * s.d_k) * s.n;
    at.factors = at.scores + s.heads * padded<T>(s.m);
    at.output = at.factors + padded<T>(s.heads);
    at.size = at.output + s.heads * padded<T>(s.d_v);
    return at;
}

/// Keys of tokens, columns of k, into the lanes from token `first` on. Number c of the key of head h and token t lies at
/// keys[h * head_stride + (t / 16 * d_k + c) * 16 + t % 16].
template <lanes L, class Run, packed_shape S, class Kinds, class K>
constexpr void cache_keys(const packed_weights<typename L::value_type, S>& w, const Kinds& kinds, K k,
                          typename L::value_type* keys, std::size_t head_stride, std::size_t first)
{
    using T = typename L::value_type;
    using packed = packed_weights<T, S>;
    constexpr std::size_t d_k = Run::d_k, stride = padded<T>(Run::kv_heads * d_k);
    T projected[stride * K::columns];
    project_tokens<L, stride>(w.values + packed::w_k_at, bias_at<bias::k>(w, packed::b_k_at, 0), k, projected);
    head_group<T, S, Run, Run::kv_heads>{w, 0}.prepare_keys(kinds, projected, K::columns, first);
    for (std::size_t i = 0; i < K::columns; ++i) {
        const std::size_t panel = (first + i) / lane_count<T> * d_k * lane_count<T>, lane = (first + i) % lane_count<T>;
        for (std::size_t h = 0; h < Run::kv_heads; ++h)
            for (std::size_t c = 0; c < d_k; ++c) {
                T* const place = keys + h * head_stride + panel + c * lane_count<T>;
                if (lane == 0) L::whole::broadcast(0).store(place);  // a panel is read whole
                place[lane] = projected[i * stride + h * d_k + c];
            }
    }
}

/// Keys and values of tokens behind the first `size` of a cache.
template <lanes L, class Run, packed_shape S, class Kinds, class K, class V>
constexpr void append_to_cache(const packed_weights<typename L::value_type, S>& w, const Kinds& kinds, K k, V v,
                               typename L::value_type* keys, std::size_t head_stride, typename L::value_type* values,
                               std::size_t size)
{
    using T = typename L::value_type;
    using packed = packed_weights<T, S>;
    constexpr std::size_t v_stride = padded<T>(Run::kv_heads * Run::d_v), rest = K::columns % L::size;
    project_tokens<L, v_stride>(w.values + packed::w_v_at, bias_at<bias::v>(w, packed::b_v_at, 0), v, values + size * v_stride);
    const auto some_keys = [&]<std::size_t Count>(std::size_t i) HEADSTRONG_INLINE {
        const matrix_view<const T, K::rows, Count, K::row_stride, K::column_stride> tokens{k.data + i * K::column_stride};
        cache_keys<L, Run>(w, kinds, tokens, keys, head_stride, size + i);
    };
    for (std::size_t i = 0; i + L::size <= K::columns; i += L::size) some_keys.template operator()<L::size>(i);
    if constexpr (rest > 0) some_keys.template operator()<rest>(K::columns - rest);
}

/// o_h = V_h p_h / (their sum) for Heads heads at once, whose chains of multiply-adds would wait for themselves alone: key j of
/// head h has the weight p[h * PStride + j]. `h` is the first head; outputs at o + h * o_stride.
template <lanes L, class Run, std::size_t Heads, std::size_t PStride, std::size_t VStride>
HEADSTRONG_STEP constexpr void sum_values(const typename L::value_type* values, std::size_t h, const typename L::value_type* p,
                                          const typename L::value_type* factors, std::size_t count, typename L::value_type* o,
                                          std::size_t o_stride)
{
    using T = typename L::value_type;
    constexpr std::size_t per_key = Run::heads / Run::kv_heads, panels = panels_of<L>(Run::d_v);
    using value_rows = rows_of<matrix_view<const T, Run::d_v, 1, 1, VStride>>;
    const auto with = [&]<std::size_t... S>(std::index_sequence<S...>) HEADSTRONG_STEP {
        const T* const values_of[] = {values + (h + S / panels) / per_key * Run::d_v...};
        L total[sizeof...(S)] = {};
        for (std::size_t from = 0; from < count; from += longest_chain) {
            const std::size_t to = count - from < longest_chain ? count : from + longest_chain;
            L sums[sizeof...(S)] = {};
            for (std::size_t j = from; j < to; ++j)
                ((sums[S] = fma(value_rows{{values_of[S]}, 0, 0}.template load<L>(S % panels, j),
                                L::broadcast(p[(h + S / panels) * PStride + j]), sums[S])),
                 ...);
            ((total[S] = from == 0 ? sums[S] : total[S] + sums[S]), ...);
        }
        (product(total[S], L::broadcast(factors[h + S / panels])).store(o + (h + S / panels) * o_stride + S % panels * L::size),
         ...);
    };
    with(std::make_index_sequence<Heads * panels>{});
}

/// y(:, column) = b + W_1^O o_1 + W_2^O o_2 + ..., the chains of several heads side by side, added in order.
template <lanes L, class Run, class Y>
HEADSTRONG_KERNEL constexpr void project_heads(const typename L::value_type* w, std::size_t panel_stride,
                                               const typename L::value_type* bias, const typename L::value_type* o,
                                               std::size_t o_stride, Y y, std::size_t column)
{
    using T = typename L::value_type;
    for (std::size_t panel = 0; panel < panels_of<L>(Y::rows); ++panel) {
        L total = bias != nullptr ? L::load(bias + panel * L::size) : L::broadcast(0);
        const auto add_heads = [&]<std::size_t... H>(std::size_t h, std::index_sequence<H...>) HEADSTRONG_STEP {
            L sums[] = {(h + H == 0 ? total : L::broadcast(0))...};
            const packed_lanes<T> columns{w + h * Run::d_v * lane_count<T>, panel_stride};
            for (std::size_t c = 0; c < Run::d_v; ++c)
                ((sums[H] =
                      fma(columns.template load<L>(panel, H * Run::d_v + c), L::broadcast(o[(h + H) * o_stride + c]), sums[H])),
                 ...);
            ((total = h + H == 0 ? sums[H] : total + sums[H]), ...);
        };
        constexpr std::size_t together = L::most_tile_panels, rest = Run::heads % together;
        for (std::size_t h = 0; h + together <= Run::heads; h += together) add_heads(h, std::make_index_sequence<together>{});
        if constexpr (rest > 0) add_heads(Run::heads - rest, std::make_index_sequence<rest>{});
        rows_of<Y>{y, 0, column}.store(panel, 0, total);
    }
}

/// Y = b_o + sum_h W_h^O head_h for queries that attend to `count` tokens, of which a cache holds at most Capacity.
template <lanes L, class Run, std::size_t Capacity, packed_shape S, class Kinds, class Q, class Y, class Options>
HEADSTRONG_KERNEL constexpr void attend_to_cache(const packed_weights<typename L::value_type, S>& w, const Kinds& kinds, Q q,
                                                 const typename L::value_type* keys, std::size_t head_stride,
                                                 const typename L::value_type* values, std::size_t count, Y y,
                                                 typename L::value_type* scratch, const Options& options)
{
    using T = typename L::value_type;
    using packed = packed_weights<T, S>;
    constexpr std::size_t n = Q::columns, d_k = Run::d_k, d_v = Run::d_v, heads = Run::heads, per_key = heads / Run::kv_heads;
    constexpr cached_layout at = cached_layout_of<T>(shape_of_run<S, Run, n, Capacity>);
    constexpr std::size_t q_stride = padded<T>(heads * d_k), p_stride = padded<T>(Capacity), o_stride = padded<T>(d_v);
    constexpr std::size_t v_stride = padded<T>(Run::kv_heads * d_v);
    constexpr std::size_t together = smaller_of(heads, larger_of(1, L::most_sums / panels_of<L>(d_v))), rest = heads % together;
    T *const queries = scratch + at.queries, *const scores = scratch + at.scores, *const factors = scratch + at.factors;
    T* const output = scratch + at.output;

    project_tokens<L, q_stride>(w.values + packed::w_q_at, bias_at<bias::q>(w, packed::b_q_at, 0), q, queries);
    head_group<T, S, Run, Run::kv_heads>{w, 0}.prepare_queries(kinds, queries, n, count > n ? count - n : 0);
    const auto scale_of = [&](std::size_t h) HEADSTRONG_INLINE {
        return query_scale<T, d_k>(static_cast<const typename Run::score&>(kinds[h]));
    };
    if constexpr (std::is_empty_v<typename Run::kind>) {
        const L scale = L::broadcast(scale_of(0));
        for (std::size_t r = 0; r < n * q_stride; r += L::size) (L::load(queries + r) * scale).store(queries + r);
    } else {
        for (std::size_t h = 0; h < heads; ++h)
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t r = 0; r < d_k; ++r)
                    queries[i * q_stride + h * d_k + r] = queries[i * q_stride + h * d_k + r] * scale_of(h);
    }

    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t h = 0; h < heads; ++h)
            multiply_panels<L>(packed_lanes<T>{keys + h / per_key * head_stride, d_k * lane_count<T>}, panels_of<L>(count),
                               matrix_view<const T, d_k, 1>{queries + i * q_stride + h * d_k},
                               lanes_at<T>{scores + h * p_stride, L::size, 0}, false, start_with_zero<L>{}, finish_as_it_is{});
        const auto treatment_of = [&](const auto& kind, std::size_t h) HEADSTRONG_INLINE {
            return treated_kind<heads>(kind, static_cast<const typename Run::score&>(kind), h, n, count, options);
        };
        for (std::size_t h = 0; h < heads; ++h) {
            const auto& own = kinds[h];
            factors[h] = treat_row<L>(scores + h * p_stride, i, count, treatment_of(own, h));
        }
#if HEADSTRONG_CORTEX_M
        if constexpr (are_of_cortex_m<L> && d_v % 8 == 0) {
            sum_values_of_heads({values, v_stride, count, heads, per_key, d_v, scores, p_stride, factors, output, o_stride});
        } else
#endif
        {
            for (std::size_t h = 0; h + together <= heads; h += together)
                sum_values<L, Run, together, p_stride, v_stride>(values, h, scores, factors, count, output, o_stride);
            if constexpr (rest > 0)
                sum_values<L, Run, rest, p_stride, v_stride>(values, heads - rest, scores, factors, count, output, o_stride);
        }
        if constexpr (hides_values<typename Run::kind, Options>) {
            if (!all_finite<L>(matrix_view<const T, d_v, heads, 1, o_stride>{output}))
                for (std::size_t h = 0; h < heads; ++h) {
                    const auto& own = kinds[h];
                    const matrix_view<const T, d_v, Capacity, 1, v_stride> v_h{values + h / per_key * d_v};
                    sum_seen_rows<L>(scores + h * p_stride, factors[h], v_h, {0, count}, i, treatment_of(own, h),
                                     output + h * o_stride);
                }
        }
        if constexpr (d_v <= longest_chain && !are_of_cortex_m<L>)
            project_heads<L, Run>(w.values + packed::w_o_at, S.o_columns * lane_count<T>,
                                  bias_at<bias::o>(w, packed::b_o_at, 0), output, o_stride, y, i);
        else
            for (std::size_t h = 0; h < heads; ++h)
                project_output<L>(w.values + packed::w_o_at + h * d_v * lane_count<T>, S.o_columns * lane_count<T>,
                                  bias_at<bias::o>(w, packed::b_o_at, 0), matrix_view<const T, d_v, 1>{output + h * o_stride},
                                  y, i, h == 0);
    }
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
