// SPDX-License-Identifier: BSL-1.0
/// @file
/// OpenBLAS: sgemm and sgemv on one thread, the softmax by hand. Weights are column-major beforehand.
#include "peer.hpp"
#include "rival.hpp"
#include "softmax_rows.hpp"

#include <cblas.h>

#include <algorithm>
#include <memory>
#include <string>

namespace bench {
namespace {

struct matrix_at {
    const float* data;
    int stride;
};

/// C (rows x columns) = factor A B; columns stand one behind the other in all three. A is (rows x depth).
void multiply(int rows, int columns, int depth, matrix_at a, matrix_at b, float* c, int c_stride)
{
    if (columns == 1) cblas_sgemv(CblasColMajor, CblasNoTrans, rows, depth, 1.0f, a.data, a.stride, b.data, 1, 0.0f, c, 1);
    else
        cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rows, columns, depth, 1.0f, a.data, a.stride, b.data, b.stride,
                    0.0f, c, c_stride);
}

/// C (rows x columns) = factor A^T B. A is (depth x rows).
void multiply_transposed(int rows, int columns, int depth, float factor, matrix_at a, matrix_at b, float* c)
{
    if (columns == 1) cblas_sgemv(CblasColMajor, CblasTrans, depth, rows, factor, a.data, a.stride, b.data, 1, 0.0f, c, 1);
    else
        cblas_sgemm(CblasColMajor, CblasTrans, CblasNoTrans, rows, columns, depth, factor, a.data, a.stride, b.data, b.stride,
                    0.0f, c, rows);
}

struct state : rival_memory, int_sizes {
    explicit state(const problem& p) : rival_memory(p.shape), int_sizes(p.shape), scale(score_scale(p.shape))
    {
        if (p.shape.kind == shape_kind::core) return;
        const std::size_t d = p.shape.d_model, w = p.shape.width();
        w_q = transposed(p.w_q, w, d, scale);
        w_k = transposed(p.w_k, w, d);
        w_v = transposed(p.w_v, w, d);
        w_o = transposed(p.w_o, d, w);
    }

    /// o_h = V_h Softmax(factor K_h^T q_h)
    void head(const float* q_h, const float* k_h, const float* v_h, float* o_h, int stride, float factor)
    {
        multiply_transposed(m, n, d_k, factor, {k_h, stride}, {q_h, stride}, scores.data());
        softmax_rows(scores.data(), static_cast<std::size_t>(n), static_cast<std::size_t>(m));
        multiply(d_k, n, m, {v_h, stride}, {scores.data(), m}, o_h, stride);
    }

    void core(const problem& p)
    {
        for (int h = 0; h < heads; ++h) {
            const int queries = h * n * d_k, keys = h * m * d_k;
            head(p.q.data() + queries, p.k.data() + keys, p.v.data() + keys, y.data() + queries, d_k, scale);
        }
    }

    void layer(const problem& p)
    {
        multiply(width, n, d_model, {w_q.data(), width}, {p.x_q.data(), d_model}, q.data(), width);
        multiply(width, m, d_model, {w_k.data(), width}, {p.x_k.data(), d_model}, k.data(), width);
        multiply(width, m, d_model, {w_v.data(), width}, {p.x_v.data(), d_model}, v.data(), width);
        for (int h = 0; h < heads; ++h)
            head(q.data() + h * d_k, k.data() + h * d_k, v.data() + h * d_k, o.data() + h * d_k, width, 1.0f);
        multiply(d_model, n, width, {w_o.data(), d_model}, {o.data(), width}, y.data(), d_model);
    }

    float scale;
    floats w_q, w_k, w_v, w_o;
};

/// One query: the projections of keys and values moved to the query's side, (W_h^K)^T (W_h^Q q) against the raw keys and
/// W_h^V (V p). No library does this by itself, but a user can.
struct absorbed : state {
    explicit absorbed(const problem& p)
        : state(p),
          u(p.shape.d_model * p.shape.heads),
          all_scores(p.shape.m * p.shape.heads),
          c(p.shape.d_model * p.shape.heads)
    {
        const std::size_t rows = p.shape.d_k, d = p.shape.d_model;  // W_h^V, d_k x d_model, column-major and contiguous
        for (std::size_t h = 0; h < p.shape.heads; ++h) {
            const auto first = p.w_v.begin() + static_cast<std::ptrdiff_t>(h * rows * d);
            const floats head = transposed(floats(first, first + static_cast<std::ptrdiff_t>(rows * d)), rows, d);
            w_v_of_heads.insert(w_v_of_heads.end(), head.begin(), head.end());
        }
    }

    void layer(const problem& p)
    {
        multiply(width, 1, d_model, {w_q.data(), width}, {p.x_q.data(), d_model}, q.data(), width);
        for (int h = 0; h < heads; ++h)  // rows of W_h^K are columns of its transpose
            multiply(d_model, 1, d_k, {p.w_k.data() + h * d_k * d_model, d_model}, {q.data() + h * d_k, d_k},
                     u.data() + h * d_model, d_model);
        multiply_transposed(m, heads, d_model, 1.0f, {p.x_k.data(), d_model}, {u.data(), d_model}, all_scores.data());
        softmax_rows(all_scores.data(), static_cast<std::size_t>(heads), static_cast<std::size_t>(m));
        multiply(d_model, heads, m, {p.x_v.data(), d_model}, {all_scores.data(), m}, c.data(), d_model);
        for (int h = 0; h < heads; ++h)
            multiply(d_k, 1, d_model, {w_v_of_heads.data() + h * d_k * d_model, d_k}, {c.data() + h * d_model, d_model},
                     o.data() + h * d_k, d_k);
        multiply(d_model, 1, width, {w_o.data(), d_model}, {o.data(), width}, y.data(), d_model);
    }

    floats u, all_scores, c, w_v_of_heads;
};

/// How a step's caches lie: token by token, the heads apart, or these with keys transposed, (heads, d_k, m).
enum class cache_layout { tokens, heads, transposed_keys };

template <cache_layout Layout>
struct decode : int_sizes {
    static constexpr bool apart = Layout != cache_layout::tokens, transposed_keys = Layout == cache_layout::transposed_keys;

    explicit decode(const problem& p)
        : int_sizes(p.shape),
          w_qkv(transposed(stacked_weights(p), 3 * p.shape.width(), p.shape.d_model)),
          w_o(transposed(p.w_o, p.shape.d_model, p.shape.width())),
          keys(transposed_keys ? in_panels(p.k_cache, p.shape, p.shape.m)
               : apart         ? heads_apart(p.k_cache, p.shape)
                               : p.k_cache),
          values(apart ? heads_apart(p.v_cache, p.shape) : p.v_cache),
          qkv(3 * p.shape.width()),
          scores(p.shape.m),
          o(p.shape.width()),
          y(p.shape.d_model)
    {
    }

    void append()
    {
        const float *k = qkv.data() + width, *v = k + width;
        if (!apart) {
            std::copy_n(k, width, keys.data() + (m - 1) * width);
            std::copy_n(v, width, values.data() + (m - 1) * width);
            return;
        }
        for (int h = 0; h < heads; ++h) {
            const int last = (h * m + m - 1) * d_k;
            if (transposed_keys) cblas_scopy(d_k, k + h * d_k, 1, keys.data() + h * m * d_k + m - 1, m);
            else std::copy_n(k + h * d_k, d_k, keys.data() + last);
            std::copy_n(v + h * d_k, d_k, values.data() + last);
        }
    }

    void layer(const problem& p)
    {
        multiply(3 * width, 1, d_model, {w_qkv.data(), 3 * width}, {p.x_q.data(), d_model}, qkv.data(), 3 * width);
        append();
        const int step = apart ? m * d_k : d_k, stride = apart ? d_k : width;
        for (int h = 0; h < heads; ++h) {
            const float *q_h = qkv.data() + h * d_k, *k_h = keys.data() + h * step;
            if (transposed_keys) multiply(m, 1, d_k, {k_h, m}, {q_h, d_k}, scores.data(), m);
            else multiply_transposed(m, 1, d_k, 1.0f, {k_h, stride}, {q_h, d_k}, scores.data());
            softmax_rows(scores.data(), 1, static_cast<std::size_t>(m));
            multiply(d_k, 1, m, {values.data() + h * step, stride}, {scores.data(), m}, o.data() + h * d_k, d_k);
        }
        multiply(d_model, 1, width, {w_o.data(), d_model}, {o.data(), width}, y.data(), d_model);
    }

    floats w_qkv, w_o, keys, values, qkv, scores, o, y;
};

template <class State>
void add(const char* name, const problem& p, peers& list)
{
    const auto own = std::make_shared<State>(p);
    list.push_back({name, repeated([own, &p] { own->layer(p); }), own->y.data()});
}

void add_core(const problem& p, peers& list)
{
    const auto own = std::make_shared<state>(p);
    list.push_back({"openblas", repeated([own, &p] { own->core(p); }), own->y.data()});
}

}  // namespace
}  // namespace bench

void bench_add_peers(const bench::problem& p, bench::peers& list)
{
    openblas_set_num_threads(1);
    using bench::cache_layout, bench::decode, bench::shape_kind;
    if (p.shape.kind == shape_kind::core) return bench::add_core(p, list);
    if (p.shape.kind == shape_kind::decode) {
        bench::add<decode<cache_layout::tokens>>("openblas", p, list);
        bench::add<decode<cache_layout::heads>>("openblas_heads", p, list);
        bench::add<decode<cache_layout::transposed_keys>>("openblas_transposed", p, list);
        return;
    }
    bench::add<bench::state>("openblas", p, list);
    if (p.shape.n == 1) bench::add<bench::absorbed>("openblas_absorb", p, list);
}

const char* bench_library()
{
    static const std::string text = std::string("OpenBLAS ") + BENCH_OPENBLAS_VERSION + " (" + openblas_get_corename() + ")";
    return text.c_str();
}
