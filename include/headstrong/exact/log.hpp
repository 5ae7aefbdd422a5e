// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXACT_LOG_HPP
#define HEADSTRONG_EXACT_LOG_HPP
/// @file
/// The natural logarithm and powers, of the library's own, because those of the C and vector libraries differ in their bits.

#include "headstrong/exact/exp.hpp"
#include "headstrong/lanes.hpp"

#include <limits>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// log(x) = k ln 2 + log(1 + f), x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2). With s = f / (2 + f),
/// log(1 + f) = 2 atanh(s) = f - f^2 / 2 + s (f^2 / 2 + s^2 (c[0] + c[1] s^2 + ...)), the minimax polynomial of relative
/// error 8.3e-10 (float) or 1.3e-18 (double): the method of fdlibm's e_log.c (Sun Microsystems, 1993). k ln2_high is exact.
template <class T>
struct log_constants;

template <>
struct log_constants<float> {
    static constexpr float ln2_high = 0x1.62e4p-1f, ln2_low = 0x1.7f7d1cp-20f;
    static constexpr float twice_sqrt2 = 0x1.6a09e6p+1f;
    static constexpr float upscale = 0x1p24f, upscale_exponent = 24;
    static constexpr float c[] = {0x1.55557ap-1f, 0x1.995ec4p-2f, 0x1.31e374p-2f};
};

template <>
struct log_constants<double> {
    static constexpr double ln2_high = 0x1.62e42fefa4p-1, ln2_low = -0x1.8432a1b0e2634p-43;
    static constexpr double twice_sqrt2 = 0x1.6a09e667f3bcdp+1;
    static constexpr double upscale = 0x1p53, upscale_exponent = 53;
    static constexpr double c[] = {0x1.555555555558fp-1, 0x1.9999999980ad9p-2, 0x1.249249415e28ep-2, 0x1.c71c526b75c9ap-3,
                                   0x1.74662e02d76ddp-3, 0x1.39a32d8e79f84p-3, 0x1.2ef8e23447242p-3};
};

/// high + low: twice the digits of one number, but for the last few. |low| may be larger than an ULP of high.
template <lanes L>
struct sum_of_two {
    L high, low;
};

/// log(x) for normal x > 0 (or NaN) plus `more` ln 2.
template <lanes L>
[[nodiscard]] HEADSTRONG_INLINE constexpr sum_of_two<L> log_in_two_parts(const L& x, const L& more) noexcept
{
    using T = typename L::value_type;
    using c = log_constants<T>;
    const L one = L::broadcast(1), half = L::broadcast(T{0.5});
    const L e = exponent_of(x), above = L::broadcast(c::twice_sqrt2);
    const L m = x * shifted_into_exponent(L::broadcast(exp_constants<T>::magic + 1) - e);  // 2 to 4, exact as is all with it
    const L f = if_less(m, above, m * half, m * L::broadcast(T{0.25})) - one;
    const L k = if_less(m, above, e, e + one) + more;

    const L s = f / (f + L::broadcast(2)), square = product(s, s), half_f = product(f, half);
    const L inner = fma(half_f, f, product(square, polynomial(square, c::c)));
    const L rest = fma(f, L::broadcast(0) - half_f, fma(s, inner, product(k, L::broadcast(c::ln2_low))));
    const L whole = product(k, L::broadcast(c::ln2_high)), high = whole + f;  // |whole| > |f| or 0: the sum's loss is exact
    return {high, (f - (high - whole)) + rest};
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

namespace headstrong::inline HEADSTRONG_TARGET {

/// log(x), the natural logarithm, in each lane.
/// @par Numerics
///   at most 1 ULP (measured over every positive float: see tests/exact); log(1) is 0; the same bits everywhere
/// @par Edge cases
///   -infinity for 0 and -0, NaN for numbers below 0 and for NaN, infinity for infinity; right for denormals too, if the
///   processor does not flush them to 0
/// @par Cost
///   one division and some 35 (float) or 40 (double) operations
template <lanes L>
[[nodiscard]] HEADSTRONG_INLINE constexpr L log(const L& x) noexcept
{
    using T = typename L::value_type;
    using c = detail::log_constants<T>;
    constexpr T min = std::numeric_limits<T>::min(), max = std::numeric_limits<T>::max();
    constexpr T infinite = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
    const L zero = L::broadcast(0), one = L::broadcast(1), smallest = L::broadcast(min), largest = L::broadcast(max);
    const L scaled = x * if_less(x, smallest, L::broadcast(c::upscale), one);
    const L more = if_less(x, smallest, L::broadcast(-c::upscale_exponent), zero);
    const L bounded = if_less(scaled, smallest, one, if_less(largest, scaled, one, scaled));  // NaN stays
    const auto sum = detail::log_in_two_parts(bounded, more);
    const L above_zero = if_less(largest, x, x, sum.high + sum.low);
    const L not_below_zero = if_less(scaled, smallest, L::broadcast(-infinite), above_zero);
    return if_less(x, zero, L::broadcast(nan), not_below_zero);
}

/// log(x) of one number: the same bits as in any lane.
[[nodiscard]] constexpr float log(float x) noexcept { return log(portable_lanes<float, 1>{{x}}).lane[0]; }
/// As above, for double.
[[nodiscard]] constexpr double log(double x) noexcept { return log(portable_lanes<double, 1>{{x}}).lane[0]; }

/// A power of a positive number: frequencies of a rotary position embedding, 10000^(-2c/d).
/// @par Equation
///   @f[ power(b, e) = \exp(e \log b) @f]
///   the logarithm and its product with e in twice the digits of double
/// @par Numerics
///   at most 1.5 + |e| / 8 ULP (measured: see tests/exact); the same bits everywhere
/// @par Edge cases
///   b must be a positive normal number and e finite: else NaN. Exactly 0 where the result would be denormal, infinity where
///   it would overflow
[[nodiscard]] constexpr double power(double base, double exponent) noexcept
{
    constexpr double smallest = std::numeric_limits<double>::min(), nan = std::numeric_limits<double>::quiet_NaN();
    if (!(base >= smallest && base <= detail::largest_finite && detail::is_finite(exponent))) return nan;
    using one_lane = portable_lanes<double, 1>;
    const auto log_of_base = detail::log_in_two_parts(one_lane{{base}}, one_lane{{0}});
    const double high = detail::sum_of(log_of_base.high.lane[0], log_of_base.low.lane[0]);
    const double low = detail::sum_of(detail::difference_of(log_of_base.high.lane[0], high), log_of_base.low.lane[0]);
    const double y = fma(exponent, high, 0.0), result = exp(y);
    if (!(result > 0 && result <= detail::largest_finite)) return result;
    return fma(result, fma(exponent, low, fma(exponent, high, -y)), result);
}

}  // namespace headstrong::inline HEADSTRONG_TARGET

#endif
