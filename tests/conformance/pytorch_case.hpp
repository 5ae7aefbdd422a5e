// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_CONFORMANCE_PYTORCH_CASE_HPP
#define HEADSTRONG_TESTS_CONFORMANCE_PYTORCH_CASE_HPP
/// @file
/// Cases of torch.nn.MultiheadAttention.

#include "comparison.hpp"
#include "stored_layer.hpp"

#include <cstddef>
#include <vector>

namespace conformance {

template <hs::dims D, std::size_t N, std::size_t M>
std::vector<check> pytorch_case(const case_file& file)
{
    const auto query = file.numbers<float>("query", N, D.d_model);
    const auto key = file.numbers<float>("key", M, D.d_key);
    const auto value = file.numbers<float>("value", M, D.d_value);
    const auto expected = file.numbers<double>("expected64_output", N, D.d_model);
    const std::size_t batch = expected.size() / (N * D.d_model);
    if (query.size() != batch * N * D.d_model || key.size() != batch * M * D.d_key || value.size() != batch * M * D.d_value)
        throw unusable("query, key, value and expected64_output have different batches");

    const stored_layer<D, N, M> layer(file);
    std::vector<float> ours(batch * N * D.d_model);
    for (std::size_t b = 0; b < batch; ++b)
        layer(&query[b * N * D.d_model], &key[b * M * D.d_key], &value[b * M * D.d_value], &ours[b * N * D.d_model]);

    const difficulty d{file.attribute("max_abs_score", 0), D.d_value + M + D.d_model};
    check c = compare("output", ours, file.numbers<float>("output", N, D.d_model), expected, d);
    if (file.has("output_fused")) c.fused = relative_error(file.numbers<float>("output_fused", N, D.d_model), expected);
    if (file.has("attn_weights")) c.note = "attn_weights not compared";
    return {c};
}

}  // namespace conformance

#endif
