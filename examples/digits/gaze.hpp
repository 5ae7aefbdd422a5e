// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXAMPLES_GAZE_HPP
#define HEADSTRONG_EXAMPLES_GAZE_HPP
/// @file
/// Where the network looks: the attention weights of its last block, by the equations alone.

#include "digit_reader.hpp"

#include <array>
#include <cstddef>

namespace digits {

/// The share of each patch in what a head tells a query; the sum is 1.
using gaze = hs::matrix<float, 16, 1>;
using pool_weights = digit_reader::block::weights_type;
using query = hs::matrix_view<const float, 32, 1>;

/// For each head Softmax((W_h^K X)^T (W_h^Q q) / sqrt(d_k)).
[[nodiscard]] constexpr std::array<gaze, 4> gaze_of(const pool_weights& w, query q, const tokens& x) noexcept
{
    std::array<gaze, 4> heads;
    for (std::size_t h = 0; h < 4; ++h) {
        auto asks = hs::multiply(w.w_q[h], q);
        for (float& number : asks.span()) number *= hs::scaled_dot::scale<float, 8>();
        heads[h] = hs::softmax(hs::multiply(hs::transposed(hs::multiply(w.w_k[h], x)), asks));
    }
    return heads;
}

/// The logit that these gazes lead to, read . sum_h W_h^O (W_h^V X) gaze_h: the network's own, up to rounding.
[[nodiscard]] constexpr float logit_of(const std::array<gaze, 4>& heads, const pool_weights& w,
                                       const hs::matrix<float, 32, 1>& read, const tokens& x) noexcept
{
    float logit = 0;
    for (std::size_t h = 0; h < 4; ++h) {
        const auto seen = hs::multiply(hs::multiply(w.w_v[h], x), heads[h]);
        logit += hs::multiply(hs::transposed(read), hs::multiply(w.w_o[h], seen))(0, 0);
    }
    return logit;
}

}  // namespace digits

#endif
