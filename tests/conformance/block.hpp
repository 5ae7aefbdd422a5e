// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_CONFORMANCE_BLOCK_HPP
#define HEADSTRONG_TESTS_CONFORMANCE_BLOCK_HPP
/// @file
/// The parts of a transformer block that are not attention, and attention in double precision. Tokens lie behind each
/// other. Each part computes in double and rounds to float once, so that it adds as little error as can be.

#include "case_file.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace conformance {

/// a + b
[[nodiscard]] std::vector<float> sum(const std::vector<float>& a, const std::vector<float>& b);

/// (x - mean) / sqrt(variance + layer_norm_eps) * `name`_weight + `name`_bias of each token, `width` numbers long; a bias
/// that is absent is 0.
[[nodiscard]] std::vector<float> layer_norm(const case_file& file, const std::string& name, std::size_t width,
                                            const std::vector<float>& x);

/// W x + b of each token; W is the tensor `name`_weight (out, in), b is `name`_bias or, if there is none, 0.
[[nodiscard]] std::vector<float> linear(const case_file& file, const std::string& name, std::size_t out, std::size_t in,
                                        const std::vector<float>& x);

/// The case's `activation` of each number: relu, gelu = 0.5 x (1 + erf(x / sqrt 2)), or swish = x / (1 + exp(-x)).
[[nodiscard]] std::vector<float> activated(const case_file& file, const std::vector<float>& x);

struct block_sizes {
    std::size_t width;  ///< of a token
    std::size_t feed_forward;
};

using token_function = std::function<std::vector<float>(const std::vector<float>&)>;

/// A block of any number of tokens x, in the order that the case's `norm_first` says:
/// x = norm1(x + attention(x)), then norm2(x + ff(x)); or x + attention(norm1(x)), then x + ff(norm2(x)).
[[nodiscard]] std::vector<float> block(const case_file& file, const block_sizes& s, const std::vector<float>& x,
                                       const token_function& attention);

/// Attention of heads of `d_k` numbers, from n tokens (q, k, v) of which each holds the heads beside each other.
struct right_heads {
    std::vector<double> outputs;  ///< n tokens, the heads beside each other
    std::vector<double> weights;  ///< (heads, n, n)

    right_heads(const std::vector<float>& qkv, std::size_t n, std::size_t heads, std::size_t d_k);
};

}  // namespace conformance

#endif
