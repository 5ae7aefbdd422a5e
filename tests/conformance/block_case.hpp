// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_CONFORMANCE_BLOCK_CASE_HPP
#define HEADSTRONG_TESTS_CONFORMANCE_BLOCK_CASE_HPP
/// @file
/// Cases from blocks of a trained network, with the steps in between, and encoder layers of PyTorch.

#include "block.hpp"
#include "comparison.hpp"
#include "headstrong/attention.hpp"
#include "headstrong/results.hpp"
#include "headstrong/score.hpp"
#include "headstrong/view.hpp"
#include "stored_layer.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace conformance {

/// Attention without projections, from queries, keys and values beside each other.
template <hs::dims D, std::size_t N>
struct heads_of {
    std::vector<float> outputs = std::vector<float>(N * D.d_model);    ///< N tokens, the heads beside each other
    std::vector<float> weights = std::vector<float>(D.heads * N * N);  ///< (heads, N, N)

    explicit heads_of(const std::vector<float>& qkv)
    {
        constexpr std::size_t e = D.d_model;
        using workspace = hs::attention_workspace<float, D.d_k, D.d_v, N, N>;
        const auto scratch = std::make_unique<workspace>();
        for (std::size_t h = 0; h < D.heads; ++h) {
            const float* first = qkv.data() + h * D.d_k;
            const auto part = [&](std::size_t at) { return hs::matrix_view<const float, D.d_k, N, 1, 3 * e>{first + at}; };
            const hs::matrix_view<float, D.d_v, N, 1, e> y{outputs.data() + h * D.d_v};
            auto into = hs::rows<N, N>(weights.data() + h * N * N);
            hs::attention(part(0), part(e), part(2 * e), y, *scratch, hs::scaled_dot{}, hs::weights_into(into));
        }
    }
};

/// A block of a trained network; the attention alone, and its heads alone.
template <hs::dims D, std::size_t N, std::size_t FeedForward>
std::vector<check> block_case(const case_file& file)
{
    constexpr std::size_t e = D.d_model;
    const difficulty heads{file.attribute("max_abs_score", 0), N}, layers{heads.max_abs_score, e + N + e};
    const stored_layer<D, N, N> layer(file);
    const auto attend = [&](const std::vector<float>& x) {
        std::vector<float> y(N * e);
        layer(x.data(), x.data(), x.data(), y.data());
        return y;
    };
    const auto compared = [&](const char* tensor, const difficulty& d, const std::vector<float>& ours,
                              const std::vector<double>& expected) {
        return compare(tensor, std::vector<double>(ours.begin(), ours.end()), file.all(tensor, expected.size()), expected, d);
    };

    const auto qkv = file.numbers<float>("qkv", N, 3 * e);
    const heads_of<D, N> ours(qkv);
    const right_heads right(qkv, N, D.heads, D.d_k);
    const auto y = block(file, {e, FeedForward}, file.numbers<float>("block_input", N, e), attend);
    return {
        compared("attn_weights", heads, ours.weights, right.weights),
        compared("heads_concat", heads, ours.outputs, right.outputs),
        compared("output", layers, attend(file.numbers<float>("input", N, e)), file.numbers<double>("expected64_output", N, e)),
        compared("block_output", layers, y, file.numbers<double>("expected64_block_output", N, e))};
}

/// torch.nn.TransformerEncoderLayer; Masked: whether there is a mask of any kind.
template <hs::dims D, std::size_t N, std::size_t FeedForward, bool Masked>
std::vector<check> encoder_layer_case(const case_file& file)
{
    constexpr std::size_t e = D.d_model;
    const auto src = file.numbers<float>("src", N, e);
    const std::size_t batch = src.size() / (N * e);
    const torch_masks masks(file, "src_mask", "src_key_padding_mask", {batch, D.heads, N, N});
    const stored_layer<D, N, N> layer(file);
    const auto y = block(file, {e, FeedForward}, src, [&](const std::vector<float>& x) {
        std::vector<float> attended(x.size());
        for (std::size_t b = 0; b < batch; ++b) {
            const float* tokens = &x[b * N * e];
            if constexpr (Masked) layer.masked(masks, b, tokens, tokens, tokens, &attended[b * N * e]);
            else layer(tokens, tokens, tokens, &attended[b * N * e]);
        }
        return attended;
    });
    const auto expected = file.numbers<double>("expected64_output", N, e);
    check c =
        compare("output", y, file.numbers<float>("output", N, e), expected, {file.attribute("max_abs_score", 0), e + N + e});
    if (file.has("output_fused")) c.fused = relative_error(file.numbers<float>("output_fused", N, e), expected);
    return {c};
}

}  // namespace conformance

#endif
