// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_BENCH_PEER_LOOPS_HPP
#define HEADSTRONG_BENCH_PEER_LOOPS_HPP
/// @file
/// No library: loops with compile-time sizes in blocks whose sums fit the registers, vectorised by the compiler, which may
/// reorder sums (-ffast-math). Weights are (in, out) arrays beforehand.

#include "peer.hpp"
#include "rival.hpp"
#include "softmax_rows.hpp"

#include <memory>
#include <type_traits>

namespace bench {

/// What the compiler shall know of a product: sizes, and the strides between rows.
struct loop_sizes {
    std::size_t rows, depth, columns, x_stride = depth, w_stride = columns, y_stride = columns;
};

template <loop_sizes S, std::size_t Rows, std::size_t Columns>
[[gnu::always_inline]] inline void loop_block(const float* __restrict x, const float* __restrict w, float* __restrict y)
{
    float sum[Rows][Columns] = {};
    for (std::size_t c = 0; c < S.depth; ++c)
        for (std::size_t i = 0; i < Rows; ++i)
            for (std::size_t j = 0; j < Columns; ++j) sum[i][j] += x[i * S.x_stride + c] * w[c * S.w_stride + j];
    for (std::size_t i = 0; i < Rows; ++i)
        for (std::size_t j = 0; j < Columns; ++j) y[i * S.y_stride + j] = sum[i][j];
}

template <loop_sizes S, std::size_t Columns>
[[gnu::always_inline]] inline void loop_columns(const float* __restrict x, const float* __restrict w, float* __restrict y)
{
    constexpr std::size_t block = S.rows < 8 ? S.rows : 8, rest = S.rows % block;
    std::size_t i = 0;
    for (; i + block <= S.rows; i += block) loop_block<S, block, Columns>(x + i * S.x_stride, w, y + i * S.y_stride);
    if constexpr (rest > 0) loop_block<S, rest, Columns>(x + i * S.x_stride, w, y + i * S.y_stride);
}

/// y (rows x columns) = x (rows x depth) w (depth x columns), all row-major.
template <loop_sizes S>
[[gnu::always_inline]] inline void loop_product(const float* __restrict x, const float* __restrict w, float* __restrict y)
{
    constexpr std::size_t block = S.columns < 32 ? S.columns : 32, rest = S.columns % block;
    std::size_t j = 0;
    for (; j + block <= S.columns; j += block) loop_columns<S, block>(x, w + j, y + j);
    if constexpr (rest > 0) loop_columns<S, rest>(x, w + j, y + j);
}

template <std::size_t I>
struct loop_state : rival_memory {
    static constexpr shape s = shapes[I];

    explicit loop_state(const problem& p) : rival_memory(s), k_transposed(s.m * s.d_k), scale(score_scale(s))
    {
        if (s.kind == shape_kind::core) return;
        w_q = transposed(p.w_q, s.width(), s.d_model, scale);
        w_k = transposed(p.w_k, s.width(), s.d_model);
        w_v = transposed(p.w_v, s.width(), s.d_model);
        w_o = transposed(p.w_o, s.d_model, s.width());
    }

    /// Stride is that between tokens.
    template <std::size_t Stride>
    [[gnu::always_inline]] void head(const float* q_h, const float* k_h, const float* v_h, float* o_h)
    {
        constexpr loop_sizes for_scores{.rows = s.n, .depth = s.d_k, .columns = s.m, .x_stride = Stride};
        constexpr loop_sizes for_output{.rows = s.n, .depth = s.m, .columns = s.d_k, .x_stride = s.m, .w_stride = Stride,
                                        .y_stride = Stride};
        for (std::size_t c = 0; c < s.d_k; ++c)
            for (std::size_t j = 0; j < s.m; ++j) k_transposed[c * s.m + j] = k_h[j * Stride + c];
        loop_product<for_scores>(q_h, k_transposed.data(), scores.data());
        if (s.kind == shape_kind::core)
            for (float& e : scores) e *= scale;
        softmax_rows(scores.data(), s.n, s.m);
        loop_product<for_output>(scores.data(), v_h, o_h);
    }

    [[gnu::noinline]] void run(const problem& p)
    {
        if constexpr (s.kind == shape_kind::core) {
            for (std::size_t h = 0; h < s.heads; ++h) {
                const std::size_t queries = h * s.n * s.d_k, keys = h * s.m * s.d_k;
                head<s.d_k>(p.q.data() + queries, p.k.data() + keys, p.v.data() + keys, y.data() + queries);
            }
        } else {
            constexpr loop_sizes queries{.rows = s.n, .depth = s.d_model, .columns = s.width()};
            constexpr loop_sizes keys{.rows = s.m, .depth = s.d_model, .columns = s.width()};
            constexpr loop_sizes output{.rows = s.n, .depth = s.width(), .columns = s.d_model};
            loop_product<queries>(p.x_q.data(), w_q.data(), q.data());
            loop_product<keys>(p.x_k.data(), w_k.data(), k.data());
            loop_product<keys>(p.x_v.data(), w_v.data(), v.data());
            for (std::size_t h = 0; h < s.heads; ++h)
                head<s.width()>(q.data() + h * s.d_k, k.data() + h * s.d_k, v.data() + h * s.d_k, o.data() + h * s.d_k);
            loop_product<output>(o.data(), w_o.data(), y.data());
        }
    }

    floats k_transposed, w_q, w_k, w_v, w_o;
    float scale;
};

template <shape_group Group>
void add_peers(const problem& p, peers& list)
{
    for_each_index<Group>([&](auto index) {
        constexpr std::size_t i = index();
        if (shapes[i].name != p.shape.name) return;
        const auto own = std::make_shared<loop_state<i>>(p);
        list.push_back({"loops", repeated([own, &p] { own->run(p); }), own->y.data()});
    });
}

}  // namespace bench

#endif
