// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_BENCH_LAYER_STATE_HPP
#define HEADSTRONG_BENCH_LAYER_STATE_HPP
/// @file
/// A layer of this library with the weights of a problem, and what a call of it needs. Everything may be large: keep it on
/// the heap.

#include "data.hpp"

#include <headstrong/headstrong.hpp>

#include <cstddef>
#include <memory>

namespace bench {

[[nodiscard]] constexpr headstrong::dims dims_of(const shape& s)
{
    return {.d_model = s.d_model, .heads = s.heads, .d_k = s.d_k};
}

template <headstrong::dims D>
using layer_of = headstrong::multi_head<float, D>;

template <headstrong::dims D>
[[nodiscard]] std::unique_ptr<typename layer_of<D>::weights_type> weights_of(const problem& p)
{
    constexpr std::size_t d_model = D.d_model, d_k = D.d_k, width = D.heads * D.d_k;
    auto w = std::make_unique<typename layer_of<D>::weights_type>();
    for (std::size_t h = 0; h < D.heads; ++h) {
        const std::size_t row = h * d_k * d_model;
        w->w_q[h] = headstrong::from_rows<d_k, d_model>(p.w_q.data() + row);
        w->w_k[h] = headstrong::from_rows<d_k, d_model>(p.w_k.data() + row);
        w->w_v[h] = headstrong::from_rows<d_k, d_model>(p.w_v.data() + row);
        for (std::size_t r = 0; r < d_model; ++r)
            for (std::size_t c = 0; c < d_k; ++c) w->w_o[h](r, c) = p.w_o[r * width + h * d_k + c];
    }
    return w;
}

template <headstrong::dims D, std::size_t N, std::size_t M>
struct layer_state {
    explicit layer_state(const problem& p) : attend(*weights_of<D>(p)) {}

    /// Q, K and V: N, M and M tokens, one behind the other.
    void call(const float* q, const float* k, const float* v)
    {
        attend(headstrong::columns<D.d_model, N>(q), headstrong::columns<D.d_model, M>(k), headstrong::columns<D.d_model, M>(v),
               y, scratch);
    }

    static constexpr headstrong::costs cost = layer_of<D>::template cost<N, M>();

    layer_of<D> attend;
    typename layer_of<D>::template workspace<N, M> scratch;
    headstrong::matrix<float, D.d_model, N> y;
};

}  // namespace bench

#endif
