// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_CONFORMANCE_TORCH_RESULTS_HPP
#define HEADSTRONG_TESTS_CONFORMANCE_TORCH_RESULTS_HPP
/// @file
/// Results of torch.nn.MultiheadAttention, and where they are not what to compare with.

#include "comparison.hpp"
#include "torch_masks.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace conformance {

/// The same numbers; NaN is the same as NaN.
[[nodiscard]] bool same(std::span<const float> a, std::span<const float> b);

/// Of all batches behind each other; weights as the case has them, or none.
struct torch_results {
    std::vector<float> output;
    std::vector<float> weights;
};

/// Our results compared with those of the case. `keys` counts appended keys too; `additions` is that of `difficulty`.
[[nodiscard]] std::vector<check> torch_checks(const case_file& file, const torch_masks& masks, std::size_t keys,
                                              std::size_t additions, const torch_results& ours);

}  // namespace conformance

#endif
