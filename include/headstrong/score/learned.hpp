// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_SCORE_LEARNED_HPP
#define HEADSTRONG_SCORE_LEARNED_HPP
/// @file
/// Scores with parameters of their own. In a layer each head has its own, members of its weights: weights.kinds[h].

#include "headstrong/checks.hpp"
#include "headstrong/exact/tanh.hpp"
#include "headstrong/lanes.hpp"
#include "headstrong/matrix.hpp"

#include <cstddef>

namespace headstrong {

/// f(q, k) = q^T W k (Luong, Pham and Manning, "Effective approaches to attention-based neural machine translation", 2015). In
/// a layer W may as well be folded into the projection of the keys: fold(W, W_h^K).
/// @par Cost
///   d_k^2 multiply-adds a query beside the inner products
template <class T, std::size_t DK>
struct bilinear {
    matrix<T, DK, DK> w;  ///< W

    /// Whether it has the d_k of a head; a rule says so if not.
    template <std::size_t HeadDK, std::size_t HeadDV>
    static constexpr bool fits = rule::holds<rule::feature_has_the_sizes_of_its_head<DK, HeadDV, HeadDK, HeadDV>>;

    /// 1: W holds any scale.
    template <class U, std::size_t>
    [[nodiscard]] HEADSTRONG_INLINE static constexpr U scale() noexcept
    {
        return U{1};
    }
    /// Queries in the lanes become W^T q.
    template <lanes L>
    HEADSTRONG_INLINE constexpr void prepare(typename L::value_type* queries) const noexcept
    {
        L q[DK] = {};
        for (std::size_t r = 0; r < DK; ++r) q[r] = L::load(queries + r * L::size);
        for (std::size_t c = 0; c < DK; ++c) {
            L sum = L::broadcast(0);
            for (std::size_t r = 0; r < DK; ++r) sum = fma(q[r], L::broadcast(w(r, c)), sum);
            sum.store(queries + c * L::size);
        }
    }
};

/// f(q, k) = w^T tanh(W_q q + W_k k), with Hidden rows (Bahdanau, Cho and Bengio, "Neural machine translation by jointly
/// learning to align and translate", 2015).
/// @par Cost
///   Hidden (2 d_k multiply-adds and one tanh) a score
template <class T, std::size_t Hidden, std::size_t DK>
struct additive {
    static constexpr bool works_in_lanes = true;  ///< its operands are lanes
    matrix<T, Hidden, DK> w_q;                    ///< W_q
    matrix<T, Hidden, DK> w_k;                    ///< W_k
    matrix<T, Hidden, 1> w;                       ///< the weight of each hidden number

    /// Whether it has the d_k of a head; a rule says so if not.
    template <std::size_t HeadDK, std::size_t HeadDV>
    static constexpr bool fits = rule::holds<rule::feature_has_the_sizes_of_its_head<DK, HeadDV, HeadDK, HeadDV>>;

    /// The scores of queries in lanes and a key.
    template <class Q, class K>
    [[nodiscard]] HEADSTRONG_INLINE constexpr auto operator()(const Q& q, const K& k) const noexcept
    {
        using L = decltype(q[0]);
        L score = L::broadcast(0);
        for (std::size_t a = 0; a < Hidden; ++a) {
            L sum = L::broadcast(0);
            for (std::size_t r = 0; r < DK; ++r) sum = fma(q[r], L::broadcast(w_q(a, r)), sum);
            for (std::size_t r = 0; r < DK; ++r) sum = fma(k[r], L::broadcast(w_k(a, r)), sum);
            score = fma(tanh(sum), L::broadcast(w(a, 0)), score);
        }
        return score;
    }
};

}  // namespace headstrong

#endif
