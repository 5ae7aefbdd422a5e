// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_CONFORMANCE_BLOCK_HPP
#define HEADSTRONG_TESTS_CONFORMANCE_BLOCK_HPP
/// @file
/// The parts of a transformer block that are not attention, and attention in double precision. Tokens lie behind each
/// other. Each part computes in double and rounds to float once, so that it adds as little error as can be.

#include "case_file.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace conformance {

/// a + b
[[nodiscard]] std::vector<float> sum(const std::vector<float>& a, const std::vector<float>& b);

/// (x - mean) / sqrt(variance + layer_norm_eps) * `name`_weight + `name`_bias of each token, `width` numbers long.
[[nodiscard]] std::vector<float> layer_norm(const case_file& file, const std::string& name, std::size_t width,
                                            const std::vector<float>& x);

/// W x + b of each token; W is the tensor `name`_weight (out, in), b is `name`_bias.
[[nodiscard]] std::vector<float> linear(const case_file& file, const std::string& name, std::size_t out, std::size_t in,
                                        const std::vector<float>& x);

/// x / (1 + exp(-x))
[[nodiscard]] std::vector<float> swish(const std::vector<float>& x);

/// The outputs of `heads` heads of `d_k` numbers beside each other, for `n` tokens (q, k, v) of which each holds the
/// heads beside each other.
[[nodiscard]] std::vector<double> right_heads(const std::vector<float>& qkv, std::size_t n, std::size_t heads, std::size_t d_k);

}  // namespace conformance

#endif
