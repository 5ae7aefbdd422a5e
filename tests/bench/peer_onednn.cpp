// SPDX-License-Identifier: BSL-1.0
/// @file
/// oneDNN 2: matmul or inner product with weights in the layout that it asks for, batched matmul for the core, its softmax.
/// Primitives and their arguments are made beforehand and executed by the C interface, which costs least.
#include "peer.hpp"
#include "rival.hpp"

#include <oneapi/dnnl/dnnl.hpp>

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

namespace bench {
namespace {

using dnnl::memory;
using extents = memory::dims;
using tag = memory::format_tag;

dnnl::engine& engine()
{
    static dnnl::engine one(dnnl::engine::kind::cpu, 0);
    return one;
}
dnnl::stream& stream()
{
    static dnnl::stream one(engine());
    return one;
}

memory::desc floats_as(const extents& sizes, tag layout) { return {sizes, memory::data_type::f32, layout}; }
memory::desc floats_at(const extents& sizes, const extents& strides) { return {sizes, memory::data_type::f32, strides}; }

/// oneDNN takes inputs by pointers to mutable memory; it does not write to them.
memory over(const memory::desc& layout, const float* numbers) { return {layout, engine(), const_cast<float*>(numbers)}; }

/// Primitives in order, with their arguments.
class program {
public:
    void add(const dnnl::primitive& what, std::initializer_list<std::pair<int, memory>> arguments)
    {
        step s{what, {}, {}};
        for (const auto& [name, where] : arguments) {
            s.arguments.push_back({name, where.get()});
            s.kept.push_back(where);
        }
        steps.push_back(std::move(s));
    }
    void run() const
    {
        for (const step& s : steps)
            dnnl_primitive_execute(s.what.get(), stream().get(), static_cast<int>(s.arguments.size()), s.arguments.data());
    }

private:
    struct step {
        dnnl::primitive what;
        std::vector<dnnl_exec_arg_t> arguments;
        std::vector<memory> kept;
    };
    std::vector<step> steps;
};

/// How a layer is put together.
enum class variant {
    matmul,         ///< projections by matmul; heads are strided views of its results
    inner_product,  ///< projections by inner product; heads as above
    head_major,     ///< projections by matmul; reorders make heads contiguous before the core, and stack them after it
};

class state : public rival_memory {
public:
    state(const problem& p, variant chosen) : rival_memory(p.shape), s(p.shape), how(chosen), heads_of(p.shape)
    {
        scores.resize(s.heads * s.n * s.m);
        if (s.kind == shape_kind::core) add_core(p.q.data(), p.k.data(), p.v.data(), y.data());
        else if (s.kind == shape_kind::decode) add_decode(p);
        else add_layer(p);
    }
    void run()
    {
        if (s.kind == shape_kind::decode) {
            before_the_append.run();
            append();
        }
        steps.run();
    }

private:
    using size = memory::dim;
    struct sizes {
        explicit sizes(const shape& s)
            : d_model(static_cast<size>(s.d_model)),
              heads(static_cast<size>(s.heads)),
              d_k(static_cast<size>(s.d_k)),
              n(static_cast<size>(s.n)),
              m(static_cast<size>(s.m)),
              width(heads * d_k)
        {
        }
        size d_model, heads, d_k, n, m, width;
    };

    void add_layer(const problem& p)
    {
        const sizes& of = heads_of;
        add_projection(p.x_q, of.n, of.d_model, of.width, p.w_q, score_scale(s), q.data());
        add_projection(p.x_k, of.m, of.d_model, of.width, p.w_k, 1.0f, k.data());
        add_projection(p.x_v, of.m, of.d_model, of.width, p.w_v, 1.0f, v.data());
        if (how == variant::head_major) {
            const bool one = of.n == 1;  // then both layouts are the same
            if (!one) add_reorder(q.data(), of.n, q_heads.data(), false);
            add_reorder(k.data(), of.m, k_heads.data(), false);
            add_reorder(v.data(), of.m, v_heads.data(), false);
            add_core(one ? q.data() : q_heads.data(), k_heads.data(), v_heads.data(), one ? o.data() : o_heads.data());
            if (!one) add_reorder(o_heads.data(), of.n, o.data(), true);
        } else {
            add_core(q.data(), k.data(), v.data(), o.data());
        }
        add_projection(o, of.n, of.width, of.d_model, p.w_o, 1.0f, y.data());
    }

    /// One product for query, key and value; the caches token by token or with the heads apart.
    void add_decode(const problem& p)
    {
        const sizes& of = heads_of;
        qkv.resize(3 * s.width());
        add_projection(p.x_q, 1, of.d_model, 3 * of.width, stacked_weights(p), 1.0f, qkv.data());
        std::swap(steps, before_the_append);
        const bool apart = how == variant::head_major;
        k = apart ? heads_apart(p.k_cache, s) : p.k_cache;
        v = apart ? heads_apart(p.v_cache, s) : p.v_cache;
        add_core(qkv.data(), k.data(), v.data(), o.data());
        add_projection(o, 1, of.width, of.d_model, p.w_o, 1.0f, y.data());
    }

    void append()
    {
        const bool apart = how == variant::head_major;
        const std::size_t pieces = apart ? s.heads : 1, piece = s.width() / pieces, step = apart ? s.m * s.d_k : 0;
        for (std::size_t h = 0; h < pieces; ++h) {
            const std::size_t last = h * step + (s.m - 1) * piece;
            std::copy_n(qkv.data() + s.width() + h * piece, piece, k.data() + last);
            std::copy_n(qkv.data() + 2 * s.width() + h * piece, piece, v.data() + last);
        }
    }

    void add_projection(const floats& x, size tokens, size in, size out, const floats& w, float factor, float* result)
    {
        const memory::desc source = floats_as({tokens, in}, tag::ab), destination = floats_as({tokens, out}, tag::ab);
        floats scaled(w);
        for (float& e : scaled) e *= factor;
        if (how == variant::inner_product) {
            const dnnl::inner_product_forward::primitive_desc made(
                {dnnl::prop_kind::forward_inference, source, floats_as({out, in}, tag::any), destination}, engine());
            const memory packed = reordered(over(floats_as({out, in}, tag::ab), scaled.data()), made.weights_desc());
            steps.add(dnnl::inner_product_forward(made), {{DNNL_ARG_SRC, over(source, x.data())},
                                                          {DNNL_ARG_WEIGHTS, packed},
                                                          {DNNL_ARG_DST, over(destination, result)}});
        } else {
            const dnnl::matmul::primitive_desc made({source, floats_as({in, out}, tag::any), destination}, engine());
            const memory packed = reordered(over(floats_as({in, out}, tag::ba), scaled.data()), made.weights_desc());
            steps.add(dnnl::matmul(made), {{DNNL_ARG_SRC, over(source, x.data())},
                                           {DNNL_ARG_WEIGHTS, packed},
                                           {DNNL_ARG_DST, over(destination, result)}});
        }
    }

    static memory reordered(memory from, const memory::desc& layout)
    {
        memory to(layout, engine());
        dnnl::reorder(from, to).execute(stream(), from, to);
        stream().wait();
        return to;
    }

    /// (1, heads, tokens, d_k) as a projection leaves it: a token's heads beside each other.
    memory::desc stacked(size tokens) const
    {
        const sizes& of = heads_of;
        return floats_at({1, of.heads, tokens, of.d_k}, {tokens * of.width, of.d_k, of.width, 1});
    }

    void add_reorder(float* from, size tokens, float* to, bool stacks)
    {
        const memory::desc apart = floats_as({1, heads_of.heads, tokens, heads_of.d_k}, tag::abcd);
        const memory source = over(stacks ? apart : stacked(tokens), from), target = over(stacks ? stacked(tokens) : apart, to);
        steps.add(dnnl::reorder(source, target), {{DNNL_ARG_FROM, source}, {DNNL_ARG_TO, target}});
    }

    void add_core(const float* queries, const float* keys, const float* values, float* output)
    {
        const sizes& of = heads_of;
        const bool apart = s.kind == shape_kind::core || how == variant::head_major;
        const auto head_rows = [&](size tokens) {
            return apart ? floats_as({1, of.heads, tokens, of.d_k}, tag::abcd) : stacked(tokens);
        };
        const memory::desc keys_transposed =
            apart ? floats_as({1, of.heads, of.d_k, of.m}, tag::abdc)
                  : floats_at({1, of.heads, of.d_k, of.m}, {of.m * of.width, of.d_k, 1, of.width});
        const memory::desc all_scores = floats_as({1, of.heads, of.n, of.m}, tag::abcd);
        const memory::desc score_rows = floats_as({of.heads * of.n, of.m}, tag::ab);

        dnnl::primitive_attr scaled;
        if (s.kind == shape_kind::core) scaled.set_output_scales(0, {score_scale(s)});
        const dnnl::matmul::primitive_desc first({head_rows(of.n), keys_transposed, all_scores}, scaled, engine());
        steps.add(dnnl::matmul(first), {{DNNL_ARG_SRC, over(head_rows(of.n), queries)},
                                        {DNNL_ARG_WEIGHTS, over(keys_transposed, keys)},
                                        {DNNL_ARG_DST, over(all_scores, scores.data())}});
        const dnnl::softmax_forward::primitive_desc middle({dnnl::prop_kind::forward_inference, score_rows, 1}, engine());
        steps.add(dnnl::softmax_forward(middle),
                  {{DNNL_ARG_SRC, over(score_rows, scores.data())}, {DNNL_ARG_DST, over(score_rows, scores.data())}});
        const dnnl::matmul::primitive_desc last({all_scores, head_rows(of.m), head_rows(of.n)}, engine());
        steps.add(dnnl::matmul(last), {{DNNL_ARG_SRC, over(all_scores, scores.data())},
                                       {DNNL_ARG_WEIGHTS, over(head_rows(of.m), values)},
                                       {DNNL_ARG_DST, over(head_rows(of.n), output)}});
    }

    shape s;
    variant how;
    sizes heads_of;
    floats q_heads = floats(q.size()), k_heads = floats(k.size()), v_heads = floats(v.size()), o_heads = floats(o.size());
    floats qkv;
    program before_the_append, steps;
};

void add(const char* name, const problem& p, variant how, peers& list)
{
    try {
        const auto own = std::make_shared<state>(p, how);
        list.push_back({name, repeated([own] { own->run(); }), own->y.data()});
    } catch (const dnnl::error& e) {
        std::fprintf(stderr, "%s leaves out %.*s: %s\n", name, static_cast<int>(p.shape.name.size()), p.shape.name.data(),
                     e.what());
    }
}

}  // namespace
}  // namespace bench

void bench_add_peers(const bench::problem& p, bench::peers& list)
{
    using bench::variant;
    bench::add("onednn_matmul", p, variant::matmul, list);
    if (p.shape.kind == bench::shape_kind::core) return;  // nothing else to choose
    bench::add("onednn_ip", p, variant::inner_product, list);
    bench::add("onednn_heads", p, variant::head_major, list);
}

const char* bench_library()
{
    static const std::string text = [] {
        const dnnl_version_t* v = dnnl_version();
        return "oneDNN " + std::to_string(v->major) + "." + std::to_string(v->minor) + "." + std::to_string(v->patch);
    }();
    return text.c_str();
}
