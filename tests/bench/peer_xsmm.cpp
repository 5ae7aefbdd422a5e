// SPDX-License-Identifier: BSL-1.0
/// @file
/// libxsmm 1: small products compiled at run time on weights in blocks, the softmax by hand.
#include "peer.hpp"
#include "rival.hpp"
#include "softmax_rows.hpp"

#include <libxsmm.h>

#include <algorithm>
#include <memory>
#include <string>

namespace bench {
namespace {

const float one = 1.0f, zero = 0.0f;
const int no_flags = LIBXSMM_GEMM_FLAG_NONE, no_prefetch = LIBXSMM_GEMM_PREFETCH_NONE;

/// Column-major C (rows x columns) = A B with these strides between columns; null if libxsmm has no such kernel.
libxsmm_smmfunction product(int rows, int columns, int depth, int a, int b, int c)
{
    return libxsmm_smmdispatch(rows, columns, depth, &a, &b, &c, &one, &zero, &no_flags, &no_prefetch);
}

/// The sum of such products over blocks of A and B that are so many bytes apart.
libxsmm_smmfunction_reducebatch_strd sum_of_products(int rows, int columns, int depth, int a_bytes, int b_bytes, int a, int b,
                                                     int c)
{
    return libxsmm_smmdispatch_reducebatch_strd(rows, columns, depth, a_bytes, b_bytes, &a, &b, &c, &one, &zero, &no_flags,
                                                &no_prefetch);
}

void transpose(float* to, const float* from, int rows, int columns)
{
    libxsmm_otrans(to, from, sizeof(float), rows, columns, rows, columns);
}

/// The most rows of W, numbers of the contraction and tokens that one kernel takes.
struct blocking {
    const char* name;
    int rows, depth, tokens;
};

/// Y = W X with the (out, in) array W in blocks, each column-major: X and Y are tokens one behind the other.
class projection {
public:
    projection(const floats& w, int out, int in, int tokens, float factor, const blocking& most)
        : rows_(out),
          depth_(in),
          tokens_(tokens),
          block_rows(part_of(out, most.rows)),
          block_depth(part_of(in, most.depth)),
          block_tokens(std::min(tokens, most.tokens))
    {
        if (in % block_depth != 0) block_depth = in;
        blocks = static_cast<unsigned long long>(in / block_depth);
        pack(w, factor);
        for (const bool last_rows : {false, true})
            for (const bool last_tokens : {false, true}) choose_kernel(last_rows, last_tokens);
    }

    [[nodiscard]] bool exists() const { return complete; }

    void operator()(const float* x, float* y) const
    {
        for (int j = 0; j < tokens_; j += block_tokens) {
            const bool last_tokens = tokens_ - j < block_tokens;
            const float* w = packed.data();
            for (int i = 0; i < rows_; i += block_rows) {
                const bool last_rows = rows_ - i < block_rows;
                const float* from = x + std::ptrdiff_t{j} * depth_;
                float* to = y + std::ptrdiff_t{j} * rows_ + i;
                if (blocks == 1) plain[last_rows][last_tokens](w, from, to);
                else summed[last_rows][last_tokens](w, from, to, &blocks);
                w += std::ptrdiff_t{std::min(block_rows, rows_ - i)} * depth_;
            }
        }
    }

private:
    static int part_of(int size, int most)
    {
        if (size <= most) return size;
        for (int part = most; part >= 16; part -= 16)
            if (size % part == 0) return part;
        return most;
    }

    void pack(const floats& w, float factor)
    {
        packed.reserve(w.size());
        for (int i = 0; i < rows_; i += block_rows)
            for (int first = 0; first < depth_; first += block_depth)
                for (int c = first; c < first + block_depth; ++c)
                    for (int r = i; r < std::min(i + block_rows, rows_); ++r)
                        packed.push_back(factor * w[static_cast<std::size_t>(r * depth_ + c)]);
    }

    void choose_kernel(bool last_rows, bool last_tokens)
    {
        const int rows = last_rows ? rows_ % block_rows : block_rows;
        const int tokens = last_tokens ? tokens_ % block_tokens : block_tokens;
        if (rows == 0 || tokens == 0) return;
        const int float_bytes = sizeof(float);
        auto& p = plain[last_rows][last_tokens];
        auto& s = summed[last_rows][last_tokens];
        if (blocks == 1) p = product(rows, tokens, depth_, rows, depth_, rows_);
        else
            s = sum_of_products(rows, tokens, block_depth, float_bytes * rows * block_depth, float_bytes * block_depth, rows,
                                depth_, rows_);
        if (p == nullptr && s == nullptr) complete = false;
    }

    int rows_, depth_, tokens_, block_rows, block_depth, block_tokens;
    unsigned long long blocks = 1;
    bool complete = true;
    floats packed;
    libxsmm_smmfunction plain[2][2] = {};
    libxsmm_smmfunction_reducebatch_strd summed[2][2] = {};
};

/// Scores and weighted sums of one head after the other, in blocks of queries so that a block of scores stays near.
class core_of_heads {
public:
    core_of_heads(const int_sizes& s, int token_stride)
        : of(s),
          stride(token_stride),
          block_queries(s.n * s.m > 16384 ? 32 : s.n),
          block_keys(s.m > 128 ? 64 : s.m),
          scores_of(product(block_keys, block_queries, s.d_k, s.m, stride, s.m)),
          output_of(product(s.d_k, block_queries, s.m, stride, s.m, stride))
    {
    }

    [[nodiscard]] bool exists() const
    {
        return scores_of != nullptr && output_of != nullptr && of.n % block_queries == 0 && of.m % block_keys == 0;
    }

    /// Steps from a head to the next.
    struct steps {
        std::ptrdiff_t queries, keys, values;
    };

    /// Keys come transposed: m neighbours are one number of all keys.
    void operator()(const float* q, const float* keys, const float* v, float* o, float* scores, const steps& step) const
    {
        for (std::ptrdiff_t h = 0; h < of.heads; ++h)
            for (std::ptrdiff_t j = 0; j < of.n; j += block_queries) {
                for (std::ptrdiff_t i = 0; i < of.m; i += block_keys)
                    scores_of(keys + h * step.keys + i, q + h * step.queries + j * stride, scores + i);
                softmax_rows(scores, static_cast<std::size_t>(block_queries), static_cast<std::size_t>(of.m));
                output_of(v + h * step.values, scores, o + h * step.queries + j * stride);
            }
    }

private:
    int_sizes of;
    int stride, block_queries, block_keys;
    libxsmm_smmfunction scores_of, output_of;
};

struct core_state : rival_memory {
    explicit core_state(const shape& s) : rival_memory(s), of(s), attend(of, of.d_k), scale(score_scale(s)) {}

    void run(const problem& p)
    {
        for (std::size_t i = 0; i < q.size(); ++i) q[i] = scale * p.q[i];
        const std::ptrdiff_t keys = std::ptrdiff_t{of.m} * of.d_k;
        for (std::ptrdiff_t h = 0; h < of.heads; ++h) transpose(k.data() + h * keys, p.k.data() + h * keys, of.d_k, of.m);
        attend(q.data(), k.data(), p.v.data(), y.data(), scores.data(), {std::ptrdiff_t{of.n} * of.d_k, keys, keys});
    }

    int_sizes of;
    core_of_heads attend;
    float scale;
};

struct layer_state : rival_memory {
    layer_state(const problem& p, const blocking& most)
        : rival_memory(p.shape),
          of(p.shape),
          attend(of, of.width),
          project_q(p.w_q, of.width, of.d_model, of.n, score_scale(p.shape), most),
          project_k(p.w_k, of.width, of.d_model, of.m, 1.0f, most),
          project_v(p.w_v, of.width, of.d_model, of.m, 1.0f, most),
          project_o(p.w_o, of.d_model, of.width, of.n, 1.0f, most),
          keys(k.size())
    {
    }
    [[nodiscard]] bool exists() const
    {
        return attend.exists() && project_q.exists() && project_k.exists() && project_v.exists() && project_o.exists();
    }

    void run(const problem& p)
    {
        project_q(p.x_q.data(), q.data());
        project_k(p.x_k.data(), k.data());
        project_v(p.x_v.data(), v.data());
        transpose(keys.data(), k.data(), of.width, of.m);
        attend(q.data(), keys.data(), v.data(), o.data(), scores.data(), {of.d_k, std::ptrdiff_t{of.d_k} * of.m, of.d_k});
        project_o(o.data(), y.data());
    }

    int_sizes of;
    core_of_heads attend;
    projection project_q, project_k, project_v, project_o;
    floats keys;
};

/// One query: the projections of keys and values moved to the query's side, as in the rows of OpenBLAS.
class absorbed : public rival_memory {
public:
    explicit absorbed(const problem& p)
        : rival_memory(p.shape),
          of(p.shape),
          project_q(p.w_q, of.width, of.d_model, 1, score_scale(p.shape), {"", 64, 1 << 20, 1}),
          project_o(p.w_o, of.d_model, of.width, 1, 1.0f, {"", 64, 1 << 20, 1}),
          keys_of(product(of.d_model, 1, of.d_k, of.d_model, of.d_k, of.d_model)),
          scores_of(product(of.heads, block, of.d_model, of.heads, of.d_model, of.heads)),
          sums_of(product(block, of.heads, of.m, of.d_model, of.m, of.d_model)),
          values_of(product(of.d_k, 1, of.d_model, of.d_k, of.d_model, of.d_k)),
          u(p.shape.d_model * p.shape.heads),
          u_transposed(u.size()),
          c(u.size()),
          scores_transposed(p.shape.m * p.shape.heads),
          all_scores(p.shape.m * p.shape.heads)
    {
        const std::size_t rows = p.shape.d_k, d = p.shape.d_model;  // W_h^V, d_k x d_model, column-major and contiguous
        for (std::size_t h = 0; h < p.shape.heads; ++h) {
            const auto first = p.w_v.begin() + static_cast<std::ptrdiff_t>(h * rows * d);
            const floats head = transposed(floats(first, first + static_cast<std::ptrdiff_t>(rows * d)), rows, d);
            w_v.insert(w_v.end(), head.begin(), head.end());
        }
    }
    [[nodiscard]] bool exists() const
    {
        return project_q.exists() && project_o.exists() && keys_of != nullptr && scores_of != nullptr && sums_of != nullptr
               && values_of != nullptr && of.m % block == 0 && of.d_model % block == 0;
    }

    void run(const problem& p)
    {
        const std::ptrdiff_t head_weights = std::ptrdiff_t{of.d_k} * of.d_model, d = of.d_model;
        project_q(p.x_q.data(), q.data());
        for (std::ptrdiff_t h = 0; h < of.heads; ++h)
            keys_of(p.w_k.data() + h * head_weights, q.data() + h * of.d_k, u.data() + h * d);
        transpose(u_transposed.data(), u.data(), of.d_model, of.heads);
        for (std::ptrdiff_t j = 0; j < of.m; j += block)
            scores_of(u_transposed.data(), p.x_k.data() + j * d, scores_transposed.data() + j * of.heads);
        transpose(all_scores.data(), scores_transposed.data(), of.heads, of.m);
        softmax_rows(all_scores.data(), p.shape.heads, p.shape.m);
        for (std::ptrdiff_t i = 0; i < d; i += block) sums_of(p.x_v.data() + i, all_scores.data(), c.data() + i);
        for (std::ptrdiff_t h = 0; h < of.heads; ++h)
            values_of(w_v.data() + h * head_weights, c.data() + h * d, o.data() + h * of.d_k);
        project_o(o.data(), y.data());
    }

private:
    static constexpr int block = 64;
    int_sizes of;
    projection project_q, project_o;
    libxsmm_smmfunction keys_of, scores_of, sums_of, values_of;
    floats u, u_transposed, c, scores_transposed, all_scores, w_v;
};

/// One step: one product for query, key and value, keys in panels so that a product reads them as they lie.
class decode_state {
public:
    decode_state(const problem& p, const blocking& most, int most_keys)
        : of(p.shape),
          block_keys(std::min(of.m, most_keys)),
          project_qkv(stacked_weights(p), 3 * of.width, of.d_model, 1, 1.0f, most),
          project_o(p.w_o, of.d_model, of.width, 1, 1.0f, most),
          scores_of(product(block_keys, 1, of.d_k, block_keys, of.d_k, block_keys)),
          output_of(product(of.d_k, 1, of.m, of.d_k, of.m, of.d_k)),
          keys(in_panels(p.k_cache, p.shape, static_cast<std::size_t>(block_keys))),
          values(heads_apart(p.v_cache, p.shape)),
          qkv(3 * p.shape.width()),
          scores(p.shape.m),
          o(p.shape.width()),
          y(p.shape.d_model)
    {
    }
    [[nodiscard]] bool exists() const
    {
        return project_qkv.exists() && project_o.exists() && scores_of != nullptr && output_of != nullptr
               && of.m % block_keys == 0;
    }
    [[nodiscard]] const float* result() const { return y.data(); }

    void run(const problem& p)
    {
        project_qkv(p.x_q.data(), qkv.data());
        const std::ptrdiff_t head = std::ptrdiff_t{of.m} * of.d_k, panel = std::ptrdiff_t{block_keys} * of.d_k;
        for (std::ptrdiff_t h = 0; h < of.heads; ++h) {
            const float *q_h = qkv.data() + h * of.d_k, *k_h = q_h + of.width, *v_h = k_h + of.width;
            float *last_key = keys.data() + (h + 1) * head - panel + block_keys - 1,
                  *last_value = values.data() + (h + 1) * head - of.d_k;
            for (std::ptrdiff_t c = 0; c < of.d_k; ++c) last_key[c * block_keys] = k_h[c], last_value[c] = v_h[c];
            for (std::ptrdiff_t j = 0; j < of.m / block_keys; ++j)
                scores_of(keys.data() + h * head + j * panel, q_h, scores.data() + j * block_keys);
            softmax_rows(scores.data(), 1, p.shape.m);
            output_of(values.data() + h * head, scores.data(), o.data() + h * of.d_k);
        }
        project_o(o.data(), y.data());
    }

private:
    int_sizes of;
    int block_keys;
    projection project_qkv, project_o;
    libxsmm_smmfunction scores_of, output_of;
    floats keys, values, qkv, scores, o, y;
};

void add_decode(const problem& p, peers& list)
{
    struct choice {
        blocking most;
        int keys;
    };
    for (const choice& c : {choice{{"libxsmm_64", 64, 64, 1}, 64},
                            {{"libxsmm_64x256", 64, 256, 1}, 64},
                            {{"libxsmm_64x1024", 64, 1024, 1}, 128},
                            {{"libxsmm_128x1024", 128, 1024, 1}, 128}}) {
        const auto own = std::make_shared<decode_state>(p, c.most, c.keys);
        if (own->exists()) list.push_back({c.most.name, repeated([own, &p] { own->run(p); }), own->result()});
    }
}

void add_core(const problem& p, peers& list)
{
    const auto own = std::make_shared<core_state>(p.shape);
    if (own->attend.exists()) list.push_back({"libxsmm", repeated([own, &p] { own->run(p); }), own->y.data()});
}

void add_layers(const problem& p, peers& list)
{
    for (const blocking& most :
         {blocking{"libxsmm_64", 64, 64, 64}, {"libxsmm_64x256", 64, 256, 64}, {"libxsmm_48x24", 48, 768, 24}}) {
        const auto own = std::make_shared<layer_state>(p, most);
        if (own->exists()) list.push_back({most.name, repeated([own, &p] { own->run(p); }), own->y.data()});
    }
    if (p.shape.n != 1) return;
    const auto own = std::make_shared<absorbed>(p);
    if (own->exists()) list.push_back({"libxsmm_absorb", repeated([own, &p] { own->run(p); }), own->y.data()});
}

}  // namespace
}  // namespace bench

void bench_add_peers(const bench::problem& p, bench::peers& list)
{
    libxsmm_init();
    if (p.shape.kind == bench::shape_kind::core) bench::add_core(p, list);
    else if (p.shape.kind == bench::shape_kind::decode) bench::add_decode(p, list);
    else bench::add_layers(p, list);
}

const char* bench_library()
{
    static const std::string text = std::string("libxsmm " LIBXSMM_CONFIG_VERSION " (") + libxsmm_get_target_arch() + ")";
    return text.c_str();
}
