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
        constexpr loop_sizes for_output{
            .rows = s.n, .depth = s.m, .columns = s.d_k, .x_stride = s.m, .w_stride = Stride, .y_stride = Stride};
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

/// Sixteen floats that the compiler keeps in registers.
using loop_vector [[gnu::vector_size(64), gnu::may_alias]] = float;
constexpr std::size_t loop_lanes = sizeof(loop_vector) / sizeof(float);

/// The widest panel of whole vectors whose sums fit the registers.
constexpr std::size_t loop_panel(std::size_t columns)
{
    std::size_t panel = loop_lanes;
    for (std::size_t p = panel; p <= 16 * loop_lanes; p += loop_lanes)
        if (columns % p == 0) panel = p;
    return panel;
}

/// A (depth, columns) array in panels of columns: (columns / panel, depth, panel).
inline floats loop_panels(const floats& w, std::size_t depth, std::size_t columns, std::size_t panel)
{
    floats panels;
    panels.reserve(w.size());
    for (std::size_t j = 0; j < columns; j += panel)
        for (std::size_t c = 0; c < depth; ++c)
            for (std::size_t i = 0; i < panel; ++i) panels.push_back(w[c * columns + j + i]);
    return panels;
}

/// y (columns) = x (depth) w, w in panels.
template <std::size_t Depth, std::size_t Columns>
[[gnu::always_inline]] inline void loop_vector_product(const float* __restrict x, const float* __restrict w,
                                                       float* __restrict y)
{
    constexpr std::size_t panel = loop_panel(Columns), vectors = panel / loop_lanes;
    for (std::size_t j = 0; j < Columns; j += panel) {
        loop_vector sum[vectors] = {};
        for (std::size_t c = 0; c < Depth; ++c, w += panel)
            for (std::size_t i = 0; i < vectors; ++i)
                sum[i] += x[c] * *reinterpret_cast<const loop_vector*>(w + i * loop_lanes);
        for (std::size_t i = 0; i < vectors; ++i) *reinterpret_cast<loop_vector*>(y + j + i * loop_lanes) = sum[i];
    }
}

/// o (d_k) = the sum of p(j) v(j): keys in turns in as many sums as fit the registers.
template <std::size_t Keys, std::size_t Columns>
[[gnu::always_inline]] inline void loop_weighted_sum(const float* __restrict p, const float* __restrict v, float* __restrict o)
{
    constexpr std::size_t vectors = Columns / loop_lanes, turns = 16 / vectors;
    static_assert(Keys % turns == 0 && Columns % loop_lanes == 0);
    loop_vector sum[turns][vectors] = {};
    for (std::size_t j = 0; j < Keys; j += turns)
        for (std::size_t t = 0; t < turns; ++t)
            for (std::size_t i = 0; i < vectors; ++i)
                sum[t][i] += p[j + t] * *reinterpret_cast<const loop_vector*>(v + (j + t) * Columns + i * loop_lanes);
    for (std::size_t i = 0; i < vectors; ++i) {
        loop_vector all = sum[0][i];
        for (std::size_t t = 1; t < turns; ++t) all += sum[t][i];
        *reinterpret_cast<loop_vector*>(o + i * loop_lanes) = all;
    }
}

/// One step of generating: everything in panels, read in the order in which it lies.
template <std::size_t I>
struct loop_decode {
    static constexpr shape s = shapes[I];
    static constexpr std::size_t width = s.width(), key_panel = loop_panel(s.m);

    explicit loop_decode(const problem& p)
        : w_qkv(loop_panels(transposed(stacked_weights(p), 3 * width, s.d_model), s.d_model, 3 * width, loop_panel(3 * width))),
          w_o(loop_panels(transposed(p.w_o, s.d_model, width), width, s.d_model, loop_panel(s.d_model))),
          keys(in_panels(p.k_cache, s, key_panel)),
          values(heads_apart(p.v_cache, s)),
          qkv(3 * width),
          scores(s.m),
          o(width),
          y(s.d_model)
    {
    }

    [[gnu::noinline]] void run(const problem& p)
    {
        loop_vector_product<s.d_model, 3 * width>(p.x_q.data(), w_qkv.data(), qkv.data());
        for (std::size_t h = 0; h < s.heads; ++h) {
            float *const k_h = keys.data() + h * s.m * s.d_k, *const v_h = values.data() + h * s.m * s.d_k;
            for (std::size_t c = 0; c < s.d_k; ++c) {
                k_h[(s.m - key_panel) * s.d_k + c * key_panel + key_panel - 1] = qkv[width + h * s.d_k + c];
                v_h[(s.m - 1) * s.d_k + c] = qkv[2 * width + h * s.d_k + c];
            }
            loop_vector_product<s.d_k, s.m>(qkv.data() + h * s.d_k, k_h, scores.data());
            softmax_rows(scores.data(), 1, s.m);
            loop_weighted_sum<s.m, s.d_k>(scores.data(), v_h, o.data() + h * s.d_k);
        }
        loop_vector_product<width, s.d_model>(o.data(), w_o.data(), y.data());
    }

    floats w_qkv, w_o, keys, values, qkv, scores, o, y;
};

/// One query: the projections of keys and values moved to the query's side, as in the rows of OpenBLAS.
template <std::size_t I>
struct loop_absorbed {
    static constexpr shape s = shapes[I];
    static constexpr std::size_t width = s.width(), d = s.d_model;

    explicit loop_absorbed(const problem& p)
        : w_q(loop_panels(transposed(p.w_q, width, d, score_scale(s)), d, width, loop_panel(width))),
          w_o(loop_panels(transposed(p.w_o, d, width), width, d, loop_panel(d))),
          q(width),
          u(s.heads * d),
          u_transposed(u.size()),
          scores_transposed(s.m * s.heads),
          scores(s.m * s.heads),
          c(s.heads * d),
          o(width),
          y(d)
    {
        for (std::size_t h = 0; h < s.heads; ++h) {
            const auto head = [h](const floats& w) {
                const auto first = w.begin() + static_cast<std::ptrdiff_t>(h * s.d_k * d);
                return floats(first, first + static_cast<std::ptrdiff_t>(s.d_k * d));
            };
            const floats keys = loop_panels(head(p.w_k), s.d_k, d, loop_panel(d));
            const floats values = loop_panels(transposed(head(p.w_v), s.d_k, d), d, s.d_k, loop_panel(s.d_k));
            w_k.insert(w_k.end(), keys.begin(), keys.end());
            w_v.insert(w_v.end(), values.begin(), values.end());
        }
    }

    [[gnu::noinline]] void run(const problem& p)
    {
        constexpr loop_sizes for_scores{.rows = s.m, .depth = d, .columns = s.heads};
        constexpr loop_sizes for_sums{.rows = s.heads, .depth = s.m, .columns = d};
        loop_vector_product<d, width>(p.x_q.data(), w_q.data(), q.data());
        for (std::size_t h = 0; h < s.heads; ++h)
            loop_vector_product<s.d_k, d>(q.data() + h * s.d_k, w_k.data() + h * s.d_k * d, u.data() + h * d);
        for (std::size_t i = 0; i < d; ++i)
            for (std::size_t h = 0; h < s.heads; ++h) u_transposed[i * s.heads + h] = u[h * d + i];
        loop_product<for_scores>(p.x_k.data(), u_transposed.data(), scores_transposed.data());
        for (std::size_t h = 0; h < s.heads; ++h)
            for (std::size_t j = 0; j < s.m; ++j) scores[h * s.m + j] = scores_transposed[j * s.heads + h];
        softmax_rows(scores.data(), s.heads, s.m);
        loop_product<for_sums>(scores.data(), p.x_v.data(), c.data());
        for (std::size_t h = 0; h < s.heads; ++h)
            loop_vector_product<d, s.d_k>(c.data() + h * d, w_v.data() + h * s.d_k * d, o.data() + h * s.d_k);
        loop_vector_product<width, d>(o.data(), w_o.data(), y.data());
    }

    floats w_q, w_k, w_v, w_o, q, u, u_transposed, scores_transposed, scores, c, o, y;
};

template <class State>
void add_loops(const char* name, const problem& p, peers& list)
{
    const auto own = std::make_shared<State>(p);
    list.push_back({name, repeated([own, &p] { own->run(p); }), own->y.data()});
}

template <shape_group Group>
void add_peers(const problem& p, peers& list)
{
    for_each_index<Group>([&](auto index) {
        constexpr std::size_t i = index();
        if (shapes[i].name != p.shape.name) return;
        if constexpr (shapes[i].kind == shape_kind::decode) return add_loops<loop_decode<i>>("loops", p, list);
        else add_loops<loop_state<i>>("loops", p, list);
        if constexpr (Group == shape_group::query) add_loops<loop_absorbed<i>>("loops_absorb", p, list);
    });
}

}  // namespace bench

#endif
