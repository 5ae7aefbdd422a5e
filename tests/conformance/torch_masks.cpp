// SPDX-License-Identifier: BSL-1.0
#include "torch_masks.hpp"

#include "headstrong/mask/bands.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace conformance {

torch_masks::torch_masks(const case_file& file, const std::string& mask, const std::string& padding, const score_sizes& s)
    : sizes_(s), causal_offset_(headstrong::unbounded)
{
    if (file.has(mask)) {
        mask_ = file.all(mask);
        boolean_ = file.is_boolean(mask);
        matrices_ = mask_.size() / (s.n * s.m);
        if (mask_.size() != matrices_ * s.n * s.m || (matrices_ != 1 && matrices_ != s.heads && matrices_ != s.batch * s.heads))
            throw unusable(mask + " is neither (n, m) nor one such matrix for each head");
        take_causal(file.text("causal"));
    }
    if (file.has(padding)) {
        padding_ = file.all(padding);
        if (padding_.size() != s.m && padding_.size() != s.batch * s.m)
            throw unusable(padding + " is neither (m) nor (batch, m)");
    }
}

/// Leaves the mask to the causal offset, if it is the triangle that the case promises.
void torch_masks::take_causal(const std::string& corner)
{
    if (corner.empty() || corner == "none") return;
    if (corner != "top_left" && corner != "bottom_right") throw unusable("causal = " + corner);
    const auto n = static_cast<std::ptrdiff_t>(sizes_.n), m = static_cast<std::ptrdiff_t>(sizes_.m);
    const std::ptrdiff_t offset = corner == "top_left" ? 0 : m - n;
    for (std::size_t b = 0; b < sizes_.batch; ++b)
        for (std::size_t h = 0; h < sizes_.heads; ++h)
            for (std::ptrdiff_t i = 0; i < n; ++i)
                for (std::ptrdiff_t j = 0; j < m; ++j) {
                    const double number = mask_[at(b, h, static_cast<std::size_t>(i), static_cast<std::size_t>(j))];
                    const bool hidden = boolean_ ? number != 0 : number == -std::numeric_limits<double>::infinity();
                    if (hidden != (j > i + offset) || (!boolean_ && !hidden && number != 0))
                        throw unusable("the mask is not the triangle that causal = " + corner + " promises");
                }
    causal_offset_ = offset;
    matrices_ = 0;
}

std::size_t torch_masks::at(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const
{
    const std::size_t matrix = matrices_ == 1 ? 0 : matrices_ == sizes_.heads ? h : b * sizes_.heads + h;
    return (matrix * sizes_.n + i) * sizes_.m + j;
}

float torch_masks::bias(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const
{
    return matrices_ == 0 || boolean_ ? 0 : static_cast<float>(mask_[at(b, h, i, j)]);
}

bool torch_masks::drops(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const
{
    return matrices_ != 0 && boolean_ && mask_[at(b, h, i, j)] != 0;
}

bool torch_masks::pads(std::size_t b, std::size_t j) const
{
    return !padding_.empty() && padding_[padding_.size() == sizes_.m ? j : b * sizes_.m + j] != 0;
}

bool torch_masks::hides(std::size_t b, std::size_t h, std::size_t i, std::size_t j) const
{
    const bool later = causal_offset_ != headstrong::unbounded
                       && static_cast<std::ptrdiff_t>(j) > static_cast<std::ptrdiff_t>(i) + causal_offset_;
    return later || drops(b, h, i, j) || pads(b, j) || bias(b, h, i, j) == -std::numeric_limits<float>::infinity();
}

bool torch_masks::sees_nothing(std::size_t b, std::size_t h, std::size_t i) const
{
    for (std::size_t j = 0; j < sizes_.m; ++j)
        if (!hides(b, h, i, j)) return false;
    return true;
}

bool torch_masks::swallows_scores(std::size_t b, std::size_t h, std::size_t i) const
{
    constexpr float too_large = 0x1p17f;  // float has steps of 1/64 there
    bool swallows = false;
    for (std::size_t j = 0; j < sizes_.m; ++j) {
        if (hides(b, h, i, j)) continue;
        swallows = std::abs(bias(b, h, i, j)) >= too_large;
        if (!swallows) return false;
    }
    return swallows;
}

}  // namespace conformance
