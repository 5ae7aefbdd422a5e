// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_LAYER_CACHED_HPP
#define HEADSTRONG_LAYER_CACHED_HPP
/// @file
/// Few queries against keys and values that are projected already: keys in the lanes for the scores, rows of the values for
/// their sum. The arithmetic is that of the direct plan.

#include "headstrong/kernel/attend.hpp"
#include "headstrong/kernel/pack.hpp"
#include "headstrong/kernel/project.hpp"
#include "headstrong/kernel/softmax.hpp"
#include "headstrong/layer/run.hpp"
#include "headstrong/weights.hpp"

#include <algorithm>
#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// Where the parts of the scratch memory of a call with a cache lie, in numbers from its start.
struct cached_layout {
    std::size_t queries, scores, output, size;
};

template <class T>
[[nodiscard]] constexpr cached_layout cached_layout_of(const run_shape& s) noexcept
{
    cached_layout at{};
    at.queries = 0;
    at.scores = at.queries + padded<T>(s.heads * s.d_k) * s.n;
    at.output = at.scores + padded<T>(s.m) * s.n;
    at.size = at.output + padded<T>(s.d_v) * s.n;
    return at;
}

/// Keys of tokens, columns of k, into the lanes from token `first` on. Number c of the key of head h and token t lies at
/// keys[h * head_stride + (t / 16 * d_k + c) * 16 + t % 16].
template <lanes L, class Run, packed_shape S, class K>
constexpr void cache_keys(const packed_weights<typename L::value_type, S>& w, K k, typename L::value_type* keys,
                          std::size_t head_stride, std::size_t first)
{
    using T = typename L::value_type;
    using packed = packed_weights<T, S>;
    constexpr std::size_t d_k = Run::d_k, stride = padded<T>(Run::kv_heads * d_k);
    T projected[stride * K::columns];
    project_tokens<L>(w.values + packed::w_k_at, stride / L::size, bias_at<bias::k>(w, packed::b_k_at, 0), k, projected, stride);
    for (std::size_t i = 0; i < K::columns; ++i) {
        const std::size_t panel = (first + i) / L::size * d_k * L::size, lane = (first + i) % L::size;
        for (std::size_t h = 0; h < Run::kv_heads; ++h)
            for (std::size_t c = 0; c < d_k; ++c) {
                T* const place = keys + h * head_stride + panel + c * L::size;
                if (lane == 0) L::broadcast(0).store(place);  // a panel is read whole
                place[lane] = projected[i * stride + h * d_k + c];
            }
    }
}

/// Keys and values of tokens behind the first `size` of a cache.
template <lanes L, class Run, packed_shape S, class K, class V>
constexpr void append_to_cache(const packed_weights<typename L::value_type, S>& w, K k, V v, typename L::value_type* keys,
                               std::size_t head_stride, typename L::value_type* values, std::size_t size)
{
    using T = typename L::value_type;
    using packed = packed_weights<T, S>;
    constexpr std::size_t v_stride = padded<T>(Run::kv_heads * Run::d_v), rest = K::columns % L::size;
    project_tokens<L>(w.values + packed::w_v_at, v_stride / L::size, bias_at<bias::v>(w, packed::b_v_at, 0), v,
                      values + size * v_stride, v_stride);
    const auto some_keys = [&]<std::size_t Count>(std::size_t i) HEADSTRONG_INLINE {
        const matrix_view<const T, K::rows, Count, K::row_stride, K::column_stride> tokens{k.data + i * K::column_stride};
        cache_keys<L, Run>(w, tokens, keys, head_stride, size + i);
    };
    for (std::size_t i = 0; i + L::size <= K::columns; i += L::size) some_keys.template operator()<L::size>(i);
    if constexpr (rest > 0) some_keys.template operator()<rest>(K::columns - rest);
}

/// Y = b_o + sum_h W_h^O head_h for queries that attend to `count` tokens, of which a cache holds at most Capacity.
template <lanes L, class Run, std::size_t Capacity, packed_shape S, class Q, class Y>
constexpr void attend_to_cache(const packed_weights<typename L::value_type, S>& w, Q q, const typename L::value_type* keys,
                               std::size_t head_stride, const typename L::value_type* values, std::size_t count, Y y,
                               typename L::value_type* scratch)
{
    using T = typename L::value_type;
    using packed = packed_weights<T, S>;
    constexpr std::size_t n = Q::columns, d_k = Run::d_k, d_v = Run::d_v, heads = Run::heads, per_key = heads / Run::kv_heads;
    constexpr cached_layout at = cached_layout_of<T>(shape_of_run<S, Run, n, Capacity>);
    constexpr std::size_t q_stride = padded<T>(heads * d_k), s_stride = padded<T>(Capacity), o_stride = padded<T>(d_v);
    constexpr std::size_t v_stride = padded<T>(Run::kv_heads * d_v);
    T *const queries = scratch + at.queries, *const scores = scratch + at.scores, *const output = scratch + at.output;

    project_tokens<L>(w.values + packed::w_q_at, q_stride / L::size, bias_at<bias::q>(w, packed::b_q_at, 0), q, queries, q_stride);
    const L scale = L::broadcast(query_scale<T, d_k>(typename Run::score{}));
    for (std::size_t r = 0; r < n * q_stride; r += L::size) (L::load(queries + r) * scale).store(queries + r);
    if (count == 0) std::fill(output, output + n * o_stride, T{0});

    for (std::size_t h = 0; h < heads; ++h) {
        if (count > 0) {
            multiply_panels<L>(lanes_at<const T>{keys + h / per_key * head_stride, d_k * L::size, L::size}, panels_for<T>(count),
                               matrix_view<const T, d_k, n, 1, q_stride>{queries + h * d_k}, lanes_at<T>{scores, L::size, s_stride},
                               false, start_with_zero<L>{}, finish_as_it_is{});
            T factors[n];
            for (std::size_t i = 0; i < n; ++i) factors[i] = softmax_numerators_of_row<L>(scores + i * s_stride, count);
            const matrix_view<const T, d_v, Capacity, 1, v_stride> v{values + h / per_key * d_v};
            multiply_panels<L>(
                rows_of<matrix_view<const T, d_v, Capacity, 1, v_stride>>{v, 0, 0}, panels_for<T>(d_v),
                columns_of_depth<const T, n, s_stride>{scores, count}, lanes_at<T>{output, L::size, o_stride}, false,
                start_with_zero<L>{},
                [&](std::size_t, std::size_t i, const L& sum) HEADSTRONG_INLINE { return product(sum, L::broadcast(factors[i])); });
        }
        project_output<L>(w.values + packed::w_o_at + h * d_v * L::size, S.o_columns * L::size,
                          bias_at<bias::o>(w, packed::b_o_at, 0), matrix_view<const T, d_v, n, 1, o_stride>{output}, y, 0, h == 0);
    }
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
