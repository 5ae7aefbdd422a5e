// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_BENCH_PEER_EIGEN_HPP
#define HEADSTRONG_BENCH_PEER_EIGEN_HPP
/// @file
/// Eigen 3: fixed-size matrices for small layers, dynamic ones for all; its exp for the softmax.

#define EIGEN_DONT_PARALLELIZE
#define EIGEN_NO_DEBUG
#define EIGEN_STACK_ALLOCATION_LIMIT (4 << 20)  // buffers on the stack: nothing is allocated in a call

#include "peer.hpp"
#include "rival.hpp"

#include <Eigen/Core>

#include <memory>

namespace bench {

/// Which of Eigen's products: its blocked one, coefficient by coefficient (lazy), or the one for projections and the other
/// for the core. Lazy ones want K_h^T made first.
enum class eigen_product { blocked, lazy, lazy_core };

/// The shape with its sizes in the types of the matrices, or, but for one query, as numbers.
template <std::size_t I, bool Fixed>
struct eigen_sizes {
    static constexpr shape s = shapes[I];
    static constexpr int of(std::size_t size) { return Fixed || size == 1 ? static_cast<int>(size) : Eigen::Dynamic; }
    static constexpr int d_model = of(s.d_model), d_k = of(s.d_k), width = of(s.width()), n = of(s.n), m = of(s.m);
};

template <std::size_t I, bool Fixed, eigen_product Product>
class eigen_attention {
    using sizes = eigen_sizes<I, Fixed>;
    static constexpr shape s = shapes[I];
    static constexpr Eigen::Index d_model = s.d_model, d_k = s.d_k, width = s.width(), n = s.n, m = s.m, heads = s.heads;
    static constexpr bool lazy_projections = Product == eigen_product::lazy, lazy_core = Product != eigen_product::blocked;

    template <int Rows, int Columns>
    using matrix = Eigen::Matrix<float, Rows, Columns>;
    using from_rows = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
    template <int Rows, int Columns>
    using mapped = Eigen::Map<const matrix<Rows, Columns>>;

public:
    EIGEN_MAKE_ALIGNED_OPERATOR_NEW

    explicit eigen_attention(const problem& p) : scale(score_scale(s))
    {
        if constexpr (s.kind == shape_kind::layer) {
            w_q = scale * from_rows(p.w_q.data(), width, d_model);
            w_k = from_rows(p.w_k.data(), width, d_model);
            w_v = from_rows(p.w_v.data(), width, d_model);
            w_o = from_rows(p.w_o.data(), d_model, width);
        }
    }

    [[gnu::noinline]] void layer(const problem& p)
    {
        multiply<lazy_projections>(q, w_q, mapped<sizes::d_model, sizes::n>(p.x_q.data(), d_model, n));
        multiply<lazy_projections>(k, w_k, mapped<sizes::d_model, sizes::m>(p.x_k.data(), d_model, m));
        multiply<lazy_projections>(v, w_v, mapped<sizes::d_model, sizes::m>(p.x_v.data(), d_model, m));
        for (Eigen::Index h = 0; h < heads; ++h) head(rows_of(q, h), rows_of(k, h), rows_of(v, h), rows_of(o, h), 1.0f);
        multiply<lazy_projections>(y, w_o, o);
    }

    [[gnu::noinline]] void core(const problem& p)
    {
        for (Eigen::Index h = 0; h < heads; ++h) {
            const Eigen::Index queries = h * n * d_k, keys = h * m * d_k;
            head(mapped<sizes::d_k, sizes::n>(p.q.data() + queries, d_k, n),
                 mapped<sizes::d_k, sizes::m>(p.k.data() + keys, d_k, m),
                 mapped<sizes::d_k, sizes::m>(p.v.data() + keys, d_k, m),
                 Eigen::Map<matrix<sizes::d_k, sizes::n>>(o.data() + queries, d_k, n), scale);
        }
    }

    [[nodiscard]] const float* result() const { return s.kind == shape_kind::core ? o.data() : y.data(); }

private:
    template <bool Lazy, class C, class A, class B>
    EIGEN_STRONG_INLINE static void multiply(C&& c, const A& a, const B& b)
    {
        if constexpr (Lazy) c.noalias() = a.lazyProduct(b);
        else c.noalias() = a * b;
    }

    /// The rows of one head.
    template <class Matrix>
    EIGEN_STRONG_INLINE static auto rows_of(Matrix& x, Eigen::Index h)
    {
        if constexpr (Fixed) return x.template middleRows<sizes::d_k>(h * d_k);
        else return x.middleRows(h * d_k, d_k);
    }

    template <class Q, class K, class V, class O>
    EIGEN_STRONG_INLINE void head(const Q& q_h, const K& k_h, const V& v_h, O&& o_h, float factor)
    {
        if constexpr (lazy_core) {
            k_transposed = k_h.transpose();
            multiply<lazy_core>(scores, k_transposed, q_h);
        } else {
            multiply<lazy_core>(scores, k_h.transpose(), q_h);
        }
        for (Eigen::Index i = 0; i < n; ++i) {
            auto column = scores.col(i);
            const float most = column.maxCoeff();
            column = ((column.array() - most) * factor).exp().matrix();
            column *= 1.0f / column.sum();
        }
        multiply<lazy_core>(o_h, v_h, scores);
    }

    float scale;
    matrix<sizes::width, sizes::d_model> w_q{width, d_model}, w_k{width, d_model}, w_v{width, d_model};
    matrix<sizes::d_model, sizes::width> w_o{d_model, width};
    matrix<sizes::width, sizes::n> q{width, n}, o{width, n};
    matrix<sizes::width, sizes::m> k{width, m}, v{width, m};
    matrix<sizes::m, sizes::n> scores{m, n};
    matrix<sizes::m, sizes::d_k> k_transposed{m, d_k};
    matrix<sizes::d_model, sizes::n> y{d_model, n};
};

template <std::size_t I, bool Fixed, eigen_product Product>
void add_eigen(const char* name, const problem& p, peers& list)
{
    const auto own = std::make_shared<eigen_attention<I, Fixed, Product>>(p);
    if constexpr (shapes[I].kind == shape_kind::core)
        list.push_back({name, repeated([own, &p] { own->core(p); }), own->result()});
    else list.push_back({name, repeated([own, &p] { own->layer(p); }), own->result()});
}

/// How a step's caches lie: token by token, the heads apart, or these with keys transposed.
enum class eigen_cache { tokens, heads, transposed_keys };

/// One step of generating: products of matrices with vectors.
template <std::size_t I, bool Fixed, eigen_cache Layout>
class eigen_decode {
    static constexpr shape s = shapes[I];
    static constexpr bool apart = Layout != eigen_cache::tokens, transposed_keys = Layout == eigen_cache::transposed_keys;
    static constexpr int of(std::size_t size) { return Fixed ? static_cast<int>(size) : Eigen::Dynamic; }
    static constexpr Eigen::Index d_model = s.d_model, d_k = s.d_k, width = s.width(), m = s.m, heads = s.heads,
                                  stride = apart ? d_k : width;

    template <std::size_t Rows, std::size_t Columns>
    using matrix = Eigen::Matrix<float, of(Rows), of(Columns)>;
    template <std::size_t Size>
    using vector = Eigen::Matrix<float, of(Size), 1>;
    using from_rows = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
    using tokens_of_head = Eigen::Map<matrix<s.d_k, s.m>, 0, Eigen::OuterStride<stride>>;

public:
    EIGEN_MAKE_ALIGNED_OPERATOR_NEW

    explicit eigen_decode(const problem& p)
        : keys(transposed_keys ? in_panels(p.k_cache, s, s.m)
               : apart         ? heads_apart(p.k_cache, s)
                               : p.k_cache),
          values(apart ? heads_apart(p.v_cache, s) : p.v_cache)
    {
        w_qkv = from_rows(stacked_weights(p).data(), 3 * width, d_model);
        w_o = from_rows(p.w_o.data(), d_model, width);
    }

    [[gnu::noinline]] void step(const problem& p)
    {
        qkv.noalias() = w_qkv * Eigen::Map<const vector<s.d_model>>(p.x_q.data(), d_model);
        for (Eigen::Index h = 0; h < heads; ++h) {
            const Eigen::Index first = h * (apart ? m * d_k : d_k);
            tokens_of_head v_h(values.data() + first, d_k, m);
            v_h.col(m - 1) = part(qkv, 2 * width + h * d_k);
            if constexpr (transposed_keys) {
                Eigen::Map<matrix<s.m, s.d_k>> k_h(keys.data() + first, m, d_k);
                k_h.row(m - 1) = part(qkv, width + h * d_k).transpose();
                scores.noalias() = k_h * part(qkv, h * d_k);
            } else {
                tokens_of_head k_h(keys.data() + first, d_k, m);
                k_h.col(m - 1) = part(qkv, width + h * d_k);
                scores.noalias() = k_h.transpose() * part(qkv, h * d_k);
            }
            const float most = scores.maxCoeff();
            scores = (scores.array() - most).exp().matrix();
            scores *= 1.0f / scores.sum();
            part(o, h * d_k).noalias() = v_h * scores;
        }
        y.noalias() = w_o * o;
    }

    [[nodiscard]] const float* result() const { return y.data(); }

private:
    /// d_k numbers of a vector.
    template <class Vector>
    EIGEN_STRONG_INLINE static auto part(Vector& x, Eigen::Index first)
    {
        if constexpr (Fixed) return x.template segment<static_cast<int>(d_k)>(first);
        else return x.segment(first, d_k);
    }

    floats keys, values;
    matrix<3 * s.width(), s.d_model> w_qkv{3 * width, d_model};
    matrix<s.d_model, s.width()> w_o{d_model, width};
    vector<3 * s.width()> qkv{3 * width};
    vector<s.m> scores{m};
    vector<s.width()> o{width};
    vector<s.d_model> y{d_model};
};

template <std::size_t I, bool Fixed, eigen_cache Layout>
void add_eigen_step(const char* name, const problem& p, peers& list)
{
    const auto own = std::make_shared<eigen_decode<I, Fixed, Layout>>(p);
    list.push_back({name, repeated([own, &p] { own->step(p); }), own->result()});
}

template <std::size_t I>
void add_eigen_steps(const problem& p, peers& list)
{
    if constexpr (shapes[I].d_model <= 256) {
        add_eigen_step<I, true, eigen_cache::tokens>("eigen_fixed", p, list);
        add_eigen_step<I, true, eigen_cache::heads>("eigen_fixed_heads", p, list);
        add_eigen_step<I, true, eigen_cache::transposed_keys>("eigen_fixed_transposed", p, list);
    }
    add_eigen_step<I, false, eigen_cache::tokens>("eigen_dynamic", p, list);
    add_eigen_step<I, false, eigen_cache::heads>("eigen_dynamic_heads", p, list);
    add_eigen_step<I, false, eigen_cache::transposed_keys>("eigen_dynamic_transposed", p, list);
}

/// Fixed sizes, and lazy products, as far as they were ever ahead of the other ways: they take the compiler long.
template <std::size_t I>
void add_eigen_layers(const problem& p, peers& list)
{
    if constexpr (shapes[I].d_model <= 128) add_eigen<I, true, eigen_product::blocked>("eigen_fixed", p, list);
    if constexpr (shapes[I].n > 1 && shapes[I].n * shapes[I].m <= 256) {
        add_eigen<I, true, eigen_product::lazy>("eigen_fixed_lazy", p, list);
        add_eigen<I, true, eigen_product::lazy_core>("eigen_fixed_lazy_core", p, list);
    }
    add_eigen<I, false, eigen_product::blocked>("eigen_dynamic", p, list);
}

template <shape_group Group>
void add_peers(const problem& p, peers& list)
{
    for_each_index<Group>([&](auto index) {
        constexpr std::size_t i = index();
        if (shapes[i].name != p.shape.name) return;
        if constexpr (shapes[i].kind == shape_kind::decode) return add_eigen_steps<i>(p, list);
        else add_eigen_layers<i>(p, list);
    });
}

}  // namespace bench

#endif
