// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_SCORE_INNER_PRODUCT_HPP
#define HEADSTRONG_SCORE_INNER_PRODUCT_HPP
/// @file
/// Scores that are an inner product times a factor: the multiply kernel computes them.

#include "headstrong/exact/sqrt.hpp"
#include "headstrong/ratio.hpp"

#include <concepts>
#include <cstddef>

namespace headstrong {

/// f(q, k) = k . q / sqrt(d_k), the score of "Attention is all you need" (Vaswani et al., 2017), equation (1) there.
struct scaled_dot {
    /// 1 / sqrt(d_k).
    template <class T, std::size_t DK>
    [[nodiscard]] HEADSTRONG_INLINE static constexpr T scale() noexcept
    {
        return scale_of<T, DK>;
    }

private:
    template <class T, std::size_t DK>  // rounded once from double: for float the nearest number but for rare ties
    static constexpr T scale_of = static_cast<T>(1.0 / headstrong::sqrt(static_cast<double>(DK)));
};

/// f(q, k) = k . q, the inner product without a scale.
struct dot {
    /// 1.
    template <class T, std::size_t>
    [[nodiscard]] HEADSTRONG_INLINE static constexpr T scale() noexcept
    {
        return T{1};
    }
};

/// f(q, k) = factor k . q with a factor of the user's; in a layer one per head.
template <class T>
struct dot_times {
    T factor;  ///< what k . q is multiplied by

    /// The factor.
    template <class U, std::size_t>
    [[nodiscard]] HEADSTRONG_INLINE constexpr U scale() const noexcept
    {
        return static_cast<U>(factor);
    }
};
/// The type of number is that of the factor.
template <class T>
dot_times(T) -> dot_times<T>;

/// f(q, k) = Factor k . q, Factor a std::ratio.
template <class Factor>
struct dot_times_ratio {
    /// Factor, rounded once.
    template <class T, std::size_t>
    [[nodiscard]] HEADSTRONG_INLINE static constexpr T scale() noexcept
    {
        return detail::ratio_as<T, Factor>;
    }
};

/// A score that is scale() times k . q, perhaps of queries that it prepared: the multiply kernel computes it.
template <class Score>
concept inner_product_score = requires(const Score& s) {
    { s.template scale<float, 4>() } -> std::same_as<float>;
};

}  // namespace headstrong

#endif
