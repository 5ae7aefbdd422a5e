// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_BENCH_PEER_HEADSTRONG_HPP
#define HEADSTRONG_BENCH_PEER_HEADSTRONG_HPP
/// @file
/// This library: layers with weights packed beforehand and scratch memory of the caller's.

#include "layer_state.hpp"
#include "peer.hpp"

#include <headstrong/headstrong.hpp>
#include <memory>

namespace bench {

template <std::size_t I>
void add_layer(const problem& p, peers& list)
{
    constexpr shape s = shapes[I];
    using state = layer_state<dims_of(s), s.n, s.m>;
    const auto own = std::make_shared<state>(p);
    const float *q = p.x_q.data(), *k = p.x_k.data(), *v = p.x_v.data();
    list.push_back(
        {"headstrong", repeated([=] { own->call(q, k, v); }), own->y.data(), static_cast<double>(state::cost.multiply_adds)});
}

template <std::size_t I>
struct decode_state {
    static constexpr shape s = shapes[I];
    using layer = layer_of<dims_of(s)>;

    explicit decode_state(const problem& p) : attend(*weights_of<dims_of(s)>(p))
    {
        for (std::size_t j = 0; j < s.m; ++j) append(p.x_k.data() + j * s.d_model);
    }
    void append(const float* x)
    {
        const auto token = headstrong::columns<s.d_model, 1>(x);
        static_cast<void>(attend.append(cache, token, token));  // there is room
    }
    [[gnu::noinline]] void step(const float* x)
    {
        cache.truncate(s.m - 1);
        append(x);
        attend(headstrong::columns<s.d_model, 1>(x), cache, y, scratch);
    }

    layer attend;
    headstrong::kv_cache<float, dims_of(s), s.m> cache;
    typename layer::template cache_workspace<1, s.m> scratch;
    headstrong::matrix<float, s.d_model, 1> y;
};

template <std::size_t I>
void add_decode(const problem& p, peers& list)
{
    const auto own = std::make_shared<decode_state<I>>(p);
    list.push_back(
        {"headstrong", repeated([own, x = p.x_q.data()] { own->step(x); }), own->y.data(), shapes[I].multiply_adds()});
}

template <std::size_t I>
struct core_state {
    static constexpr shape s = shapes[I];
    headstrong::attention_workspace<float, s.d_k, s.d_k, s.n, s.m> scratch;
    headstrong::matrix<float, s.d_k, s.heads * s.n> y;
};

template <std::size_t I>
void attend_heads(const problem& p, core_state<I>& own)
{
    constexpr shape s = shapes[I];
    for (std::size_t h = 0; h < s.heads; ++h) {
        const std::size_t queries = h * s.n * s.d_k, keys = h * s.m * s.d_k;
        headstrong::attention(headstrong::columns<s.d_k, s.n>(p.q.data() + queries),
                              headstrong::columns<s.d_k, s.m>(p.k.data() + keys),
                              headstrong::columns<s.d_k, s.m>(p.v.data() + keys),
                              headstrong::columns<s.d_k, s.n>(own.y.data() + queries), own.scratch, headstrong::scaled_dot{});
    }
}

template <std::size_t I>
void add_core(const problem& p, peers& list)
{
    const auto own = std::make_shared<core_state<I>>();
    list.push_back({"headstrong", repeated([own, &p] { attend_heads<I>(p, *own); }), own->y.data(), shapes[I].multiply_adds()});
}

template <shape_group Group>
void add_peers(const problem& p, peers& list)
{
    for_each_index<Group>([&](auto index) {
        constexpr std::size_t i = index();
        if (shapes[i].name != p.shape.name) return;
        if constexpr (shapes[i].kind == shape_kind::layer) add_layer<i>(p, list);
        else if constexpr (shapes[i].kind == shape_kind::decode) add_decode<i>(p, list);
        else add_core<i>(p, list);
    });
}

}  // namespace bench

#endif
