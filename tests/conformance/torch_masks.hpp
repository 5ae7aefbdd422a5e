// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_CONFORMANCE_TORCH_MASKS_HPP
#define HEADSTRONG_TESTS_CONFORMANCE_TORCH_MASKS_HPP
/// @file
/// The masks of a case of PyTorch: what is added to scores, and which keys are hidden.

#include "case_file.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace conformance {

/// The sizes of the scores of a case.
struct score_sizes {
    std::size_t batch, heads, n, m;
};

class torch_masks {
public:
    /// `mask` is a tensor (n, m), (heads, n, m) or (batch heads, n, m), of float or bool; `padding` a bool tensor (m) or
    /// (batch, m). In bool, true hides. Either may be absent.
    torch_masks(const case_file& file, const std::string& mask, const std::string& padding, const score_sizes& s);

    [[nodiscard]] const score_sizes& sizes() const { return sizes_; }

    /// Added to the score of key j for query i; not by the triangle of a causal mask.
    [[nodiscard]] float bias(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const;
    [[nodiscard]] bool drops(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const;
    [[nodiscard]] bool pads(std::size_t b, std::size_t j) const;
    /// If the mask is a causal triangle: query i sees keys j <= i + offset, and nothing else of the mask is left. Otherwise
    /// hs::unbounded.
    [[nodiscard]] std::ptrdiff_t causal_offset() const { return causal_offset_; }

    [[nodiscard]] bool sees_nothing(std::size_t b, std::size_t h, std::size_t i) const;
    /// Whether every key that query i sees has a number added that is so large that float cannot hold the score beside it.
    [[nodiscard]] bool swallows_scores(std::size_t b, std::size_t h, std::size_t i) const;

private:
    void take_causal(const std::string& corner);
    [[nodiscard]] std::size_t at(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const;
    [[nodiscard]] bool hides(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const;

    score_sizes sizes_;
    std::size_t matrices_ = 0;  ///< in the mask: none, 1, heads, or batch heads
    bool boolean_ = false;
    std::vector<double> mask_;
    std::vector<double> padding_;
    std::ptrdiff_t causal_offset_;
};

}  // namespace conformance

#endif
