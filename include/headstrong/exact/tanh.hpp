// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXACT_TANH_HPP
#define HEADSTRONG_EXACT_TANH_HPP
/// @file
/// The hyperbolic tangent, of the library's own, because those of the C and vector libraries differ in their bits.

#include "headstrong/exact/exp.hpp"
#include "headstrong/lanes.hpp"

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// Up to `middle`, tanh(x) = x + x^3 (c[0] + c[1] x^2 + ...), the minimax polynomial, whose relative error is 1.5e-9
/// (float) or 4.1e-18 (double). From `largest` on tanh rounds to 1; up to `smallest` x^3 / 3 is nothing beside x.
template <class T>
struct tanh_constants;

template <>
struct tanh_constants<float> {
    static constexpr float smallest = 0x1p-32f, middle = 0.92f, largest = 10.0f;
    static constexpr float c[] = {-0x1.55554cp-2f, 0x1.110eccp-3f, -0x1.b9bb84p-5f, 0x1.627c5cp-6f,
                                  -0x1.0d051ep-7f, 0x1.4b8c4p-9f,  -0x1.c88ddep-12f};
};

template <>
struct tanh_constants<double> {
    static constexpr double smallest = 0x1p-64, middle = 0.92, largest = 20.0;
    static constexpr double c[] = {-0x1.555555555554ep-2, 0x1.11111111109a2p-3,  -0x1.ba1ba1b9c8f04p-5,  0x1.664f48744cc12p-6,
                                   -0x1.226e33de3bfd3p-7, 0x1.d6d39ce94fc01p-9,  -0x1.7da0f7e6d6c5dp-10, 0x1.354373854ad35p-11,
                                   -0x1.f47ad02a5f79p-13, 0x1.91cdebb7526cdp-14, -0x1.393b56663af01p-15, 0x1.c1c5e2c026676p-17,
                                   -0x1.0d8363ceb2c3p-18, 0x1.ca385b2d6e173p-21, -0x1.8db375adecf5ep-24};
};

/// tanh(x) for x from 0 to `middle`, where `size` is x or, so that its square is no denormal, `smallest`.
template <lanes L>
[[nodiscard]] HEADSTRONG_INLINE constexpr L tanh_near_zero(const L& x, const L& size) noexcept
{
    const L square = product(size, size);
    return fma(x, product(square, polynomial(square, tanh_constants<typename L::value_type>::c)), x);
}

/// tanh(x) = 1 - 2 / (exp(2x) + 1) for x from `middle` to `largest`. The sum in the denominator, 2^k exp(r) + 1, is
/// rounded once: 2^k (exp(r) - 1) + (2^k + 1).
template <lanes L>
[[nodiscard]] HEADSTRONG_INLINE constexpr L tanh_far_from_zero(const L& x) noexcept
{
    using c = exp_constants<typename L::value_type>;
    const L one = L::broadcast(1), two = L::broadcast(2), twice = x + x;
    const L shifted = fma(twice, L::broadcast(c::log2_e), L::broadcast(c::magic));
    const L k = shifted - L::broadcast(c::magic);
    const L r = fma(k, L::broadcast(-c::ln2_low), fma(k, L::broadcast(-c::ln2_high), twice));
    const L power = shifted_into_exponent(shifted);
    const L denominator = fma(fma(product(r, r), exp_polynomial(r), r), power, power + one);
    return one - two / denominator;
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

namespace headstrong::inline HEADSTRONG_TARGET {

/// tanh(x), the hyperbolic tangent, in each lane.
/// @par Numerics
///   at most 1 ULP (measured over every float: see tests/exact); tanh(-x) is -tanh(x) and |tanh(x)| <= 1; the same bits
///   everywhere
/// @par Edge cases
///   x itself where |x| is small, -0 and denormals included; 1 and -1 for the infinities; NaN for NaN
/// @par Cost
///   one division and some 30 (float) or 40 (double) operations
template <lanes L>
[[nodiscard]] HEADSTRONG_INLINE constexpr L tanh(const L& x) noexcept
{
    using c = detail::tanh_constants<typename L::value_type>;
    const L zero = L::broadcast(0), middle = L::broadcast(c::middle), largest = L::broadcast(c::largest);
    const L magnitude = if_less(x, zero, zero - x, x);
    const L bounded = if_less(largest, magnitude, largest, magnitude);
    const L size = larger(L::broadcast(c::smallest), if_less(middle, bounded, middle, bounded));
    const L near = detail::tanh_near_zero(bounded, size), far = detail::tanh_far_from_zero(larger(middle, bounded));
    const L y = if_less(middle, bounded, far, near);
    return if_less(zero, x, y, if_less(x, zero, zero - y, x));  // x itself: -0 and NaN
}

/// tanh(x) of one number: the same bits as in any lane.
[[nodiscard]] constexpr float tanh(float x) noexcept { return tanh(portable_lanes<float, 1>{{x}}).lane[0]; }
/// As above, for double.
[[nodiscard]] constexpr double tanh(double x) noexcept { return tanh(portable_lanes<double, 1>{{x}}).lane[0]; }

}  // namespace headstrong::inline HEADSTRONG_TARGET

#endif
