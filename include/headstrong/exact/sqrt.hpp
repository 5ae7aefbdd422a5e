// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXACT_SQRT_HPP
#define HEADSTRONG_EXACT_SQRT_HPP
/// @file
/// The square root and rounding to an integer, in a constant expression too.

#include "headstrong/exact/fma.hpp"

#include <cstdint>
#include <limits>

namespace headstrong::inline HEADSTRONG_TARGET {

/// The square root, rounded to nearest.
/// @par Numerics
///   exact: the double nearest to the root (at most half a ULP), whatever the target
/// @par Edge cases
///   sqrt(-0) is -0; NaN for NaN and for numbers below 0; infinity for infinity
/// @par Cost
///   some 60 operations: meant for scales and other constants, not for the inside of a loop
[[nodiscard]] constexpr double sqrt(double x) noexcept
{
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    if (!(x > 0)) return x == 0 ? x : nan;
    if (x > detail::largest_finite) return x;
    if (x < 0x1p-900) return sqrt(x * 0x1p200) * 0x1p-100;  // so that the remainder below is no denormal

    double root = __builtin_bit_cast(double, (__builtin_bit_cast(std::uint64_t, x) >> 1) + (std::uint64_t{1023} << 51));
    for (int step = 0; step < 6; ++step) root = (root + x / root) / 2;  // Newton: 4, 8, 16, ... right digits

    // x lies above the middle between root and the next double where x - root^2 > root ulp + ulp^2 / 4, and below the
    // middle towards the one before where x - root^2 < -root ulp + ulp^2 / 4; the remainder is exact enough to tell.
    const auto neighbour = [](double r, int way) {
        return __builtin_bit_cast(double, __builtin_bit_cast(std::uint64_t, r) + static_cast<std::uint64_t>(way));
    };
    while (fma(-root, root, x) > root * (neighbour(root, 1) - root)) root = neighbour(root, 1);
    while (fma(-root, root, x) <= -root * (root - neighbour(root, -1))) root = neighbour(root, -1);
    return root;
}

/// As above, for float. The root in double, rounded to float, is the float nearest to the root.
[[nodiscard]] constexpr float sqrt(float x) noexcept { return static_cast<float>(headstrong::sqrt(static_cast<double>(x))); }

/// The integer nearest to x, ties to even; x itself where it has no fraction, infinities and NaN included. Exact.
template <class T>
[[nodiscard]] constexpr T nearest_integer(T x) noexcept
{
    constexpr T shift{sizeof(T) == 4 ? 0x1p23 : 0x1p52};  // from here on a number has no fraction
    if (!(x > -shift && x < shift) || x == 0) return x;
    return x > 0 ? (x + shift) - shift : (x - shift) + shift;
}

}  // namespace headstrong::inline HEADSTRONG_TARGET

#endif
