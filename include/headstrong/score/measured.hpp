// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_SCORE_MEASURED_HPP
#define HEADSTRONG_SCORE_MEASURED_HPP
/// @file
/// Scores that measure an angle or a distance.

#include "headstrong/lanes.hpp"
#include "headstrong/ratio.hpp"

#include <cstddef>
#include <ratio>

namespace headstrong {

/// f(q, k) = k . q / (|k| |q|), between -1 and 1; 0 where one of them is zero. Commonly sharpened: cosine<std::ratio<20>> is 20
/// times it.
/// @par Numerics
///   three chains of d_k fused multiply-adds, a product, a square root and a division; |q|^2 |k|^2 must not overflow
template <class Factor = std::ratio<1>>
struct cosine {
    static constexpr bool works_in_lanes = true;  ///< its operands are lanes

    /// The scores of queries in lanes and a key.
    template <class Q, class K>
    [[nodiscard]] HEADSTRONG_INLINE constexpr auto operator()(const Q& q, const K& k) const noexcept
    {
        using L = decltype(q[0]);
        using T = typename L::value_type;
        const L zero = L::broadcast(0);
        L dot = zero, q_length = zero, k_length = zero;
        for (std::size_t r = 0; r < Q::size(); ++r) {
            dot = fma(q[r], k[r], dot);
            q_length = fma(q[r], q[r], q_length);
            k_length = fma(k[r], k[r], k_length);
        }
        const L length = sqrt(product(q_length, k_length));
        return if_less(zero, length,
                       product(dot, L::broadcast(detail::ratio_as<T, Factor>)) / if_less(zero, length, length, L::broadcast(1)),
                       length);
    }
};

/// f(q, k) = -Factor |q - k|^2: the softmax is then a Gaussian kernel of width sqrt(1 / (2 Factor)).
template <class Factor = std::ratio<1>>
struct negative_squared_distance {
    static constexpr bool works_in_lanes = true;  ///< its operands are lanes

    /// The scores of queries in lanes and a key.
    template <class Q, class K>
    [[nodiscard]] HEADSTRONG_INLINE constexpr auto operator()(const Q& q, const K& k) const noexcept
    {
        using L = decltype(q[0]);
        using T = typename L::value_type;
        L sum = L::broadcast(0);
        for (std::size_t r = 0; r < Q::size(); ++r) {
            const L difference = q[r] - k[r];
            sum = fma(difference, difference, sum);
        }
        return product(sum, L::broadcast(-detail::ratio_as<T, Factor>));
    }
};

}  // namespace headstrong

#endif
