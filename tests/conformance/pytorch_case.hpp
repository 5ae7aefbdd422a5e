// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_CONFORMANCE_PYTORCH_CASE_HPP
#define HEADSTRONG_TESTS_CONFORMANCE_PYTORCH_CASE_HPP
/// @file
/// Cases of torch.nn.MultiheadAttention.

#include "comparison.hpp"
#include "headstrong/mask.hpp"
#include "headstrong/results.hpp"
#include "stored_layer.hpp"
#include "torch_results.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace conformance {

/// What a shape's code is made for beside its sizes.
struct pytorch_use {
    bool masked;   ///< whether there is a mask of any kind
    bool weights;  ///< whether attention weights are asked for
};

/// The weights of one call: of each head, and their mean.
template <std::size_t Heads, std::size_t N, std::size_t Keys>
struct call_weights {
    std::array<hs::matrix<float, Keys, N>, Heads> each;
    hs::matrix<float, Keys, N> mean;

    void append_to(std::vector<float>& weights, bool averaged) const
    {
        const auto append = [&](const hs::matrix<float, Keys, N>& x) {
            weights.insert(weights.end(), x.span().begin(), x.span().end());
        };
        if (averaged) append(mean);
        else std::for_each(each.begin(), each.end(), append);
    }
};

/// The case with batches of N queries and M keys; Features append keys.
template <hs::dims D, std::size_t N, std::size_t M, pytorch_use Use, class... Features>
std::vector<check> pytorch_case(const case_file& file)
{
    constexpr std::size_t keys = M + (Features::appends + ... + 0), out = N * D.d_model;
    const auto query = file.numbers<float>("query", N, D.d_model);
    const auto key = file.numbers<float>("key", M, D.d_key);
    const auto value = file.numbers<float>("value", M, D.d_value);
    const std::size_t batch = query.size() / out;
    if (key.size() != batch * M * D.d_key || value.size() != batch * M * D.d_value)
        throw unusable("query, key and value have different batches");

    const torch_masks masks(file, "attn_mask", "key_padding_mask", {batch, D.heads, N, M});
    const stored_layer<D, N, M, Features...> layer(file);
    const auto weights = std::make_unique<call_weights<D.heads, N, keys>>();
    const bool averaged = file.attribute("average_attn_weights", 1) != 0;
    torch_results ours{std::vector<float>(batch * out), {}};
    for (std::size_t b = 0; b < batch; ++b) {
        const auto call = [&](float* y, const auto&... results) {
            const float *q = &query[b * N * D.d_model], *k = &key[b * M * D.d_key], *v = &value[b * M * D.d_value];
            if constexpr (Use.masked) layer.masked(masks, b, q, k, v, y, results...);
            else layer(q, k, v, y, results...);
        };
        float* const y = &ours.output[b * out];
        call(y);
        if constexpr (Use.weights) {
            std::vector<float> again(out);
            call(again.data(), hs::weights_into(weights->each), hs::mean_weights_into(weights->mean));
            if (!same(again, {y, out})) throw unusable("the output changes if weights are asked for");
            weights->append_to(ours.weights, averaged);
        }
    }
    return torch_checks(file, masks, keys, D.d_value + M + D.d_model, ours);
}

}  // namespace conformance

#endif
