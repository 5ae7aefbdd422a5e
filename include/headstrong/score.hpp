// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_SCORE_HPP
#define HEADSTRONG_SCORE_HPP
/// @file
/// Score functions f: how well a key fits a query.

#include "headstrong/exact/sqrt.hpp"
#include "headstrong/view.hpp"

#include <concepts>
#include <cstddef>

namespace headstrong {

/// f(q, k) = k . q / sqrt(d_k), the score of "Attention is all you need" (Vaswani et al., 2017), equation (1) there.
struct scaled_dot {
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
    template <class T, std::size_t>
    [[nodiscard]] HEADSTRONG_INLINE static constexpr T scale() noexcept
    {
        return T{1};
    }
};

/// f(q, k) = factor k . q with a factor of the user's.
template <class T>
struct dot_times {
    T factor;

    template <class U, std::size_t>
    [[nodiscard]] HEADSTRONG_INLINE constexpr U scale() const noexcept
    {
        return static_cast<U>(factor);
    }
};
template <class T>
dot_times(T) -> dot_times<T>;

/// The numbers of one query or key, as a score function of the user's sees them: d_k of them, read by [].
template <class T, std::size_t Size, std::size_t Stride>
struct column_view {
    const T* data;

    [[nodiscard]] HEADSTRONG_INLINE static constexpr std::size_t size() noexcept { return Size; }
    [[nodiscard]] HEADSTRONG_INLINE constexpr T operator[](std::size_t r) const noexcept { return data[r * Stride]; }
};

/// Scores that are an inner product times a factor: computed by the multiply kernel.
template <class Score>
concept inner_product_score = requires(const Score& s) {
    { s.template scale<float, 4>() } -> std::same_as<float>;
};

/// Scores that are any function of two columns: score(q_i, k_j) with something that has size() and [].
/// Its arithmetic is the user's: the same bits everywhere only if it uses headstrong::fma and headstrong::exp where it
/// adds products or needs an exponential.
template <class Score, class T>
concept column_score = requires(const Score& s, column_view<T, 4, 1> q, column_view<T, 4, 2> k) {
    { s(q, k) } -> std::convertible_to<T>;
};

namespace rule {

template <class Score, class T>
struct score_is_product_or_callable : condition<inner_product_score<Score> || column_score<Score, T>> {
    static_assert(score_is_product_or_callable::holds,
                  "a score is an inner product (scaled_dot, dot, dot_times) or a callable of two columns: "
                  "score(q_i, k_j) -> number, where q_i and k_j have size() and []");
};

}  // namespace rule
}  // namespace headstrong

#endif
