// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_BENCH_PEER_HEADSTRONG_HPP
#define HEADSTRONG_BENCH_PEER_HEADSTRONG_HPP
/// @file
/// This library: layers with weights packed beforehand and scratch memory of the caller's.

#include "peer.hpp"

#include <headstrong/headstrong.hpp>

#include <memory>

namespace bench {

template <std::size_t I>
struct layer_state {
    static constexpr shape s = shapes[I];
    using layer = headstrong::multi_head<float, headstrong::dims{.d_model = s.d_model, .heads = s.heads, .d_k = s.d_k}>;
    using weights = typename layer::weights_type;

    explicit layer_state(const weights& w) : attend(w) {}

    layer attend;
    typename layer::template workspace<s.n, s.m> scratch;
    headstrong::matrix<float, s.d_model, s.n> y;
};

template <std::size_t I>
std::unique_ptr<typename layer_state<I>::weights> weights_of(const problem& p)
{
    constexpr shape s = shapes[I];
    auto w = std::make_unique<typename layer_state<I>::weights>();
    for (std::size_t h = 0; h < s.heads; ++h) {
        const std::size_t row = h * s.d_k * s.d_model;
        w->w_q[h] = headstrong::from_rows<s.d_k, s.d_model>(p.w_q.data() + row);
        w->w_k[h] = headstrong::from_rows<s.d_k, s.d_model>(p.w_k.data() + row);
        w->w_v[h] = headstrong::from_rows<s.d_k, s.d_model>(p.w_v.data() + row);
        for (std::size_t r = 0; r < s.d_model; ++r)
            for (std::size_t c = 0; c < s.d_k; ++c) w->w_o[h](r, c) = p.w_o[r * s.width() + h * s.d_k + c];
    }
    return w;
}

template <std::size_t I>
void add_layer(const problem& p, peers& list)
{
    constexpr shape s = shapes[I];
    const auto own = std::make_shared<layer_state<I>>(*weights_of<I>(p));
    const auto q = headstrong::columns<s.d_model, s.n>(p.x_q.data());
    const auto k = headstrong::columns<s.d_model, s.m>(p.x_k.data()), v = headstrong::columns<s.d_model, s.m>(p.x_v.data());
    list.push_back({"headstrong", repeated([=] { own->attend(q, k, v, own->y, own->scratch); }), own->y.data(),
                    static_cast<double>(layer_state<I>::layer::template cost<s.n, s.m>().multiply_adds)});
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
        headstrong::attention(
            headstrong::columns<s.d_k, s.n>(p.q.data() + queries), headstrong::columns<s.d_k, s.m>(p.k.data() + keys),
            headstrong::columns<s.d_k, s.m>(p.v.data() + keys), headstrong::columns<s.d_k, s.n>(own.y.data() + queries), own.scratch,
            headstrong::scaled_dot{});
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
        else add_core<i>(p, list);
    });
}

}  // namespace bench

#endif
