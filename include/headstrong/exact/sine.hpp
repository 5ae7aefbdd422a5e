// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXACT_SINE_HPP
#define HEADSTRONG_EXACT_SINE_HPP
/// @file
/// Sine and cosine, of the library's own, because those of the C libraries differ in their bits.

#include "headstrong/exact/exp.hpp"
#include "headstrong/lanes/portable.hpp"

#include <cstdint>
#include <limits>

namespace headstrong {

/// Sine and cosine of one angle.
template <class T>
struct sine_cosine {
    T sine;    ///< between -1 and 1
    T cosine;  ///< between -1 and 1
};

}  // namespace headstrong

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// sin(r) = r + r^3 (sine[0] + sine[1] r^2 + ...), cos(r) = 1 - r^2 / 2 + r^4 (cosine[0] + cosine[1] r^2 + ...), minimax
/// polynomials of errors 3.6e-18 and 4.9e-20 on |r| <= pi / 4. pi / 2 in three parts (Cody and Waite, 1980), which together
/// have 161 digits.
struct sine_constants {
    static constexpr double magic = 6755399441055744.0, two_over_pi = 0x1.45f306dc9c883p-1;
    static constexpr double half_pi[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};
    static constexpr double largest = 0x1p30;
    static constexpr double sine[] = {-0x1.5555555555549p-3, 0x1.111111110f896p-7,   -0x1.a01a019c12c6ep-13,
                                      0x1.71de35775f08fp-19, -0x1.ae5e652a88a07p-26, 0x1.5d9283ad2099ap-33};
    static constexpr double cosine[] = {0x1.555555555554cp-5,   -0x1.6c16c16c1522p-10, 0x1.a01a019cbf80ep-16,
                                        -0x1.27e4f812c9c26p-22, 0x1.1ee9f15bb92a2p-29, -0x1.8fb1330946916p-37};
};

/// An angle as quarter pi / 2 + high + low, |high| <= pi / 4 and a little.
struct reduced_angle {
    double high, low;
    unsigned quarter;
};

[[nodiscard]] HEADSTRONG_INLINE constexpr reduced_angle reduced(double x) noexcept
{
    using c = sine_constants;
    const double shifted = fma(x, c::two_over_pi, c::magic), k = difference_of(shifted, c::magic);
    const double first = fma(-k, c::half_pi[0], x);  // exact, since both are multiples of 2^-52 or of x's last place
    const double second = fma(k, c::half_pi[1], 0.0), lost = fma(k, c::half_pi[1], -second);
    const double high = difference_of(first, second), back = difference_of(first, high);
    const double rest = sum_of(difference_of(back, second), difference_of(first, sum_of(high, back)));  // Knuth's TwoSum
    return {high, fma(-k, c::half_pi[2], difference_of(rest, lost)),
            static_cast<unsigned>(__builtin_bit_cast(std::uint64_t, shifted) & 3)};
}

/// Of high + low alone.
[[nodiscard]] HEADSTRONG_INLINE constexpr sine_cosine<double> of_first_quarter(double high, double low) noexcept
{
    using one_lane = portable_lanes<double, 1>;
    const double square = fma(high, high, 0.0), lost = fma(high, high, -square), half = fma(square, 0.5, 0.0);
    const double s = polynomial(one_lane{{square}}, sine_constants::sine).lane[0];
    const double c = polynomial(one_lane{{square}}, sine_constants::cosine).lane[0];
    const double leading = difference_of(1.0, half), rest = fma(-0.5, lost, difference_of(difference_of(1.0, leading), half));
    return {sum_of(fma(fma(high, square, 0.0), s, fma(low, leading, 0.0)), high),
            sum_of(fma(fma(square, square, 0.0), c, fma(-high, low, rest)), leading)};
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

namespace headstrong::inline HEADSTRONG_TARGET {

/// The sine and the cosine of x radians.
/// @par Numerics
///   at most 1 ULP each (measured: see tests/exact); the sine is odd, the cosine even; the same bits everywhere
/// @par Edge cases
///   |x| from 2^30 on, infinities and NaN: both NaN. The sine of -0 is -0
/// @par Cost
///   some 45 operations
[[nodiscard]] constexpr sine_cosine<double> sin_cos(double x) noexcept
{
    using c = detail::sine_constants;
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    if (!(x < c::largest && x > -c::largest)) return {nan, nan};
    if (x == 0) return {x, 1};
    const detail::reduced_angle angle = detail::reduced(x);
    const sine_cosine<double> of_rest = detail::of_first_quarter(angle.high, angle.low);
    switch (angle.quarter) {
        case 0:
            return of_rest;
        case 1:
            return {of_rest.cosine, -of_rest.sine};
        case 2:
            return {-of_rest.sine, -of_rest.cosine};
        default:
            return {-of_rest.cosine, of_rest.sine};
    }
}

}  // namespace headstrong::inline HEADSTRONG_TARGET

#endif
