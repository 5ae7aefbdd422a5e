// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXACT_SQRT_HPP
#define HEADSTRONG_EXACT_SQRT_HPP
/// @file
/// The square root and rounding to an integer, in a constant expression too.

#include "headstrong/exact/fma.hpp"

#include <cstdint>
#include <limits>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace headstrong::detail::inline HEADSTRONG_TARGET {

// The root by one instruction, where there is one. Not by the builtin: for numbers below 0, and without optimisation for
// all, that calls the function of the C library, which sets errno.
#if defined(__SSE2__)
HEADSTRONG_INLINE inline float machine_sqrt(float x) noexcept { return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x))); }
HEADSTRONG_INLINE inline double machine_sqrt(double x) noexcept
{
    return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(x)));
}
#elif defined(__aarch64__)
HEADSTRONG_INLINE inline float machine_sqrt(float x) noexcept { return vget_lane_f32(vsqrt_f32(vdup_n_f32(x)), 0); }
HEADSTRONG_INLINE inline double machine_sqrt(double x) noexcept { return vget_lane_f64(vsqrt_f64(vdup_n_f64(x)), 0); }
#elif HEADSTRONG_SQRT_FLOAT
HEADSTRONG_INLINE inline float machine_sqrt(float x) noexcept
{
    asm("vsqrt.f32 %0, %0" : "+t"(x));
    return x;
}
#if HEADSTRONG_SQRT_DOUBLE
HEADSTRONG_INLINE inline double machine_sqrt(double x) noexcept
{
    asm("vsqrt.f64 %P0, %P0" : "+w"(x));
    return x;
}
#endif
#endif

/// The root in integers and multiply-adds: in constant expressions, and where no instruction computes it.
[[nodiscard]] constexpr double software_sqrt(double x) noexcept
{
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    if (!(x > 0)) return x == 0 ? x : nan;
    if (x > largest_finite) return x;
    if (x < 0x1p-900) return software_sqrt(x * 0x1p200) * 0x1p-100;  // so that the remainder below is no denormal

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

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

namespace headstrong::inline HEADSTRONG_TARGET {

/// The square root, rounded to nearest.
/// @par Numerics
///   exact: the double nearest to the root (at most half a ULP), whatever the target
/// @par Edge cases
///   sqrt(-0) is -0; NaN for NaN and for numbers below 0; infinity for infinity
/// @par Cost
///   one instruction on x86, AArch64 and, of float, Cortex-M with a unit for it; else, and in a constant expression, some 60
[[nodiscard]] HEADSTRONG_INLINE constexpr double sqrt(double x) noexcept
{
#if HEADSTRONG_SQRT_DOUBLE
    if (!__builtin_is_constant_evaluated()) return detail::machine_sqrt(x);
#endif
    return detail::software_sqrt(x);
}

/// As above, for float. The root in double, rounded to float, is the float nearest to the root.
[[nodiscard]] HEADSTRONG_INLINE constexpr float sqrt(float x) noexcept
{
#if HEADSTRONG_SQRT_FLOAT
    if (!__builtin_is_constant_evaluated()) return detail::machine_sqrt(x);
#endif
    return static_cast<float>(detail::software_sqrt(static_cast<double>(x)));
}

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
