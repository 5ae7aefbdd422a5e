// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_CONFORMANCE_BLOCK_CASE_HPP
#define HEADSTRONG_TESTS_CONFORMANCE_BLOCK_CASE_HPP
/// @file
/// Cases from blocks of a trained network: x + attention(norm1(x)), then x + linear2(swish(linear1(norm2(x)))).

#include "block.hpp"
#include "comparison.hpp"
#include "headstrong/attention.hpp"
#include "headstrong/score.hpp"
#include "headstrong/view.hpp"
#include "stored_layer.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace conformance {

/// Attention without projections: the heads' outputs beside each other, from queries, keys and values beside each other.
template <hs::dims D, std::size_t N>
std::vector<float> heads_of(const std::vector<float>& qkv)
{
    constexpr std::size_t e = D.d_model;
    std::vector<float> heads(N * e);
    using workspace = hs::attention_workspace<float, D.d_k, D.d_v, N, N>;
    const auto scratch = std::make_unique<workspace>();
    for (std::size_t h = 0; h < D.heads; ++h) {
        const float* first = qkv.data() + h * D.d_k;
        const auto part = [&](std::size_t at) { return hs::matrix_view<const float, D.d_k, N, 1, 3 * e>{first + at}; };
        const hs::matrix_view<float, D.d_v, N, 1, e> y{heads.data() + h * D.d_v};
        hs::attention(part(0), part(e), part(2 * e), y, *scratch, hs::scaled_dot{});
    }
    return heads;
}

template <hs::dims D, std::size_t N, std::size_t FeedForward>
std::vector<check> block_case(const case_file& file)
{
    constexpr std::size_t e = D.d_model;
    const double max_abs_score = file.attribute("max_abs_score", 0);
    const stored_layer<D, N, N> layer(file);
    const auto attend = [&](const std::vector<float>& x) {
        std::vector<float> y(N * e);
        layer(x.data(), x.data(), x.data(), y.data());
        return y;
    };
    const auto compared = [&](const char* tensor, std::size_t additions, const std::vector<float>& ours,
                              const std::vector<double>& expected) {
        return compare(tensor, ours, file.numbers<float>(tensor, N, e), expected, {max_abs_score, additions});
    };

    const auto qkv = file.numbers<float>("qkv", N, 3 * e);
    const auto x = file.numbers<float>("block_input", N, e);
    const auto attended = sum(x, attend(layer_norm(file, "norm1", e, x)));
    const auto hidden = swish(linear(file, "linear1", FeedForward, e, layer_norm(file, "norm2", e, attended)));
    const auto y = sum(attended, linear(file, "linear2", e, FeedForward, hidden));
    return {compared("heads_concat", N, heads_of<D, N>(qkv), right_heads(qkv, N, D.heads, D.d_k)),
            compared("output", e + N + e, attend(file.numbers<float>("input", N, e)),
                     file.numbers<double>("expected64_output", N, e)),
            compared("block_output", e + N + e, y, file.numbers<double>("expected64_block_output", N, e))};
}

}  // namespace conformance

#endif
