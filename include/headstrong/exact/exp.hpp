// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXACT_EXP_HPP
#define HEADSTRONG_EXACT_EXP_HPP
/// @file
/// The exponential function, of the library's own, because those of the C and vector libraries differ in their bits.

#include "headstrong/lanes.hpp"

#include <cstddef>
#include <utility>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// c[0] + c[1] x + c[2] x^2 + ... by Horner's rule.
template <lanes L, std::size_t Count>
[[nodiscard]] HEADSTRONG_INLINE constexpr L polynomial(const L& x, const typename L::value_type (&c)[Count]) noexcept
{
    L p = L::broadcast(c[Count - 1]);
    [&]<std::size_t... I>(std::index_sequence<I...>)
        HEADSTRONG_INLINE { ((p = fma(p, x, L::broadcast(c[Count - 2 - I]))), ...); }(std::make_index_sequence<Count - 1>{});
    return p;
}

/// exp(x) = 2^k exp(r), k = round(x / ln 2), r = x - k ln 2 in two steps (Cody and Waite, 1980); exp(r) is
/// 1 + r + r^2 (c[0] + c[1] r + ...), the minimax polynomial of relative error 3.1e-9 (float) or 3.6e-18 (double) on
/// |r| <= ln(2) / 2. `magic` has units of 1 in its last place: adding it rounds to an integer, which then stands in
/// the lowest bits, together with the bias of the exponent.
template <class T>
struct exp_constants;

template <>
struct exp_constants<float> {
    static constexpr float magic = 12582912.0f + 127.0f;
    static constexpr float log2_e = 0x1.715476p+0f, ln2_high = 0x1.62e43p-1f, ln2_low = -0x1.05c61p-29f;
    static constexpr float smallest = -0x1.5d589ep+6f;    // the last x whose exp is not below 2^-126
    static constexpr float negligible = -0x1.62e42ep+5f;  // the same for 2^-64
    static constexpr float nothing = -127 * ln2_high;     // in place of what is negligible: the power of two is then 0
    static constexpr float largest = 0x1.64p+6f;          // 89: exp overflows from 88.72284 on
    static constexpr float c[] = {0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558f2p-5f, 0x1.1239d4p-7f, 0x1.6a244cp-10f};
};

template <>
struct exp_constants<double> {
    static constexpr double magic = 6755399441055744.0 + 1023.0;
    static constexpr double log2_e = 0x1.71547652b82fep+0, ln2_high = 0x1.62e42fefa39efp-1, ln2_low = 0x1.abc9e3b39803fp-56;
    static constexpr double smallest = -0x1.6232bdd7abcd2p+9;
    static constexpr double negligible = -0x1.62e42fefa39efp+8;  // 2^-512
    static constexpr double nothing = -1023 * ln2_high;
    static constexpr double largest = 0x1.63p+9;  // 710: exp overflows from 709.7827 on
    static constexpr double c[] = {0x1.000000000000ap-1,  0x1.55555555554fap-3,  0x1.555555555088cp-5,  0x1.1111111127b9cp-7,
                                   0x1.6c16c18426742p-10, 0x1.a01a012a69a31p-13, 0x1.a0199a16ccef8p-16, 0x1.71df253a4315cp-19,
                                   0x1.28ad68b76411ap-22, 0x1.ad7f7af334b32p-26};
};

/// (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2.
template <lanes L>
[[nodiscard]] HEADSTRONG_INLINE constexpr L exp_polynomial(const L& r) noexcept
{
    using c = exp_constants<typename L::value_type>;
    return polynomial(r, c::c);
}

/// exp(r) for |r| <= ln(2) / 2.
template <lanes L>
[[nodiscard]] HEADSTRONG_INLINE constexpr L exp_reduced(const L& r) noexcept
{
    return fma(fma(exp_polynomial(r), r, L::broadcast(1)), r, L::broadcast(1));
}

/// exp(x) for x <= 0, the case of a softmax, and exactly 0 below 2^-64 (2^-512 for double), NaN for NaN. Beside the largest
/// weight, 1, such a weight is nothing; and its products with values from 2^-62 on would come close to the denormals, which
/// some processors multiply ten times slower than other numbers. `smallest` is exp_constants::negligible in all lanes.
template <lanes L>
[[nodiscard]] HEADSTRONG_INLINE constexpr L softmax_weight(
    const L& x, const L& smallest = L::broadcast(exp_constants<typename L::value_type>::negligible)) noexcept
{
    using c = exp_constants<typename L::value_type>;
    // -infinity would meet +infinity below: harmless where 0 is selected, but no constant expression for GCC. Single numbers
    // are selected before, or compilers would branch.
    constexpr bool before = of_single_numbers<L>;
    const L bounded = before || __builtin_is_constant_evaluated() ? if_less(x, smallest, L::broadcast(c::nothing), x) : x;
    const L shifted = fma(bounded, L::broadcast(c::log2_e), L::broadcast(c::magic));
    const L k = shifted - L::broadcast(c::magic);
    const L r = fma(k, L::broadcast(-c::ln2_low), fma(k, L::broadcast(-c::ln2_high), bounded));
    const L power = shifted_into_exponent(shifted);
    // Exact, a power of two, so contraction cannot change it. A multiply-add of single registers replaces its addend: to begin
    // with the power saves the copy of a 1, and products with the power are as exact.
    if constexpr (before) return fma(fma(exp_polynomial(r), r, L::broadcast(1)), r * power, power);
    else return if_less(x, smallest, L::broadcast(0), exp_reduced(r) * power);
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

namespace headstrong::inline HEADSTRONG_TARGET {

/// exp(x) in each lane.
/// @par Numerics
///   at most 1 ULP (measured over every float in [-104, 0]: see tests/exact); the same bits everywhere
/// @par Edge cases
///   exactly 0 where the result would be denormal, infinity where it would overflow, NaN for NaN
template <lanes L>
[[nodiscard]] HEADSTRONG_INLINE constexpr L exp(const L& x) noexcept
{
    using c = detail::exp_constants<typename L::value_type>;
    const L one = L::broadcast(1), zero = L::broadcast(0);
    const L smallest = L::broadcast(c::smallest), largest = L::broadcast(c::largest);
    const L bounded = if_less(largest, x, largest, if_less(x, smallest, smallest, x));
    const L half = if_less(zero, x, one, zero);  // above 0 the factor is 2^(k-1), which always exists, then 2
    const L shifted = fma(bounded, L::broadcast(c::log2_e), L::broadcast(c::magic));
    const L k = shifted - L::broadcast(c::magic);
    const L r = fma(k, L::broadcast(-c::ln2_low), fma(k, L::broadcast(-c::ln2_high), bounded));
    const L e = detail::exp_reduced(r) * shifted_into_exponent(shifted - half);
    return if_less(x, smallest, zero, e * (one + half));
}

/// exp(x) of one number: the same bits as in any lane.
[[nodiscard]] constexpr float exp(float x) noexcept { return exp(portable_lanes<float, 1>{{x}}).lane[0]; }
/// As above, for double.
[[nodiscard]] constexpr double exp(double x) noexcept { return exp(portable_lanes<double, 1>{{x}}).lane[0]; }

}  // namespace headstrong::inline HEADSTRONG_TARGET

#endif
