// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_CONFORMANCE_ONNX_TENSORS_HPP
#define HEADSTRONG_TESTS_CONFORMANCE_ONNX_TENSORS_HPP
/// @file
/// The tensors of a case of the ONNX operator Attention, in one layout.

#include "case_file.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace conformance {

struct onnx_sizes {
    std::size_t batch, q_heads, kv_heads, n, new_keys, past, m, d_k, d_v;

    explicit onnx_sizes(const case_file& file);
};

/// The numbers of a tensor as (batch, heads, tokens, width); in the 3d layout the file has (batch, tokens, heads width).
[[nodiscard]] std::vector<double> by_head(const case_file& file, const std::string& tensor, std::size_t batch,
                                          std::size_t heads, std::size_t tokens, std::size_t width);

/// Past keys or values, then the new ones, (batch, kv_heads, m, width).
[[nodiscard]] std::vector<double> with_past(const case_file& file, const std::string& past, const std::string& tensor,
                                            const onnx_sizes& s, std::size_t width);

/// A mask of rank up to 4, whose axes are those of (batch, heads, n, m) from the right. An axis of one number repeats it, but
/// for the last: keys behind its end are masked.
class broadcast_mask {
public:
    broadcast_mask(const case_file& file, const onnx_sizes& s);

    [[nodiscard]] bool has(std::size_t j) const { return j < extents_[3]; }
    /// The number at (batch, head, i, j).
    [[nodiscard]] double operator()(const std::array<std::size_t, 4>& at) const;

private:
    std::vector<double> numbers_;
    std::array<std::size_t, 4> extents_{1, 1, 1, 1};
};

}  // namespace conformance

#endif
