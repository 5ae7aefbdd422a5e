// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_SCORE_SOFT_CAPPED_HPP
#define HEADSTRONG_SCORE_SOFT_CAPPED_HPP
/// @file
/// Scores that are kept between -cap and cap.

#include "headstrong/checks.hpp"
#include "headstrong/ratio.hpp"
#include "headstrong/score/inner_product.hpp"

#include <cstdint>

namespace headstrong {
namespace rule {

template <std::intmax_t Numerator, std::intmax_t Denominator>
struct cap_is_positive : condition<(Numerator > 0 && Denominator > 0)> {
    static_assert(cap_is_positive::holds, "a soft cap is a std::ratio above 0; leave soft_capped out for no cap");
};

}  // namespace rule

/// cap tanh(f(q, k) / cap), after the scale and before masks (Gemma Team, "Gemma 2", 2024). Cap is a std::ratio.
template <class Cap, class Score = scaled_dot>
struct soft_capped : Score {
    static_assert(rule::checked<(rule::holds<rule::cap_is_positive<Cap::num, Cap::den>>)>);

    /// The cap, rounded once.
    template <class T>
    [[nodiscard]] HEADSTRONG_INLINE static constexpr T cap() noexcept
    {
        return detail::ratio_as<T, Cap>;
    }
};

/// A score with a soft cap.
template <class Score>
concept capped_score = requires { Score::template cap<float>(); };

}  // namespace headstrong

#endif
