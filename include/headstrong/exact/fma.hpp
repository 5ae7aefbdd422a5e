// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXACT_FMA_HPP
#define HEADSTRONG_EXACT_FMA_HPP
/// @file
/// The fused multiply-add: hardware where there is one, exact software in a constant expression and elsewhere.

#include "headstrong/config.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

// At run time no function of the standard library is called: those have no instruction set in their names.

inline constexpr double largest_finite = std::numeric_limits<double>::max();

/// Neither infinite nor NaN; by comparison, since GCC refuses infinity - infinity in a constant expression.
[[nodiscard]] HEADSTRONG_INLINE constexpr bool is_finite(double x) noexcept
{
    return x <= largest_finite && x >= -largest_finite;
}

/// A sum in double, of which rounding lost `rest`, rounded to odd instead: of its two neighbours the one whose last bit
/// is 1.
[[nodiscard]] HEADSTRONG_INLINE constexpr double rounded_to_odd(double sum, double rest) noexcept
{
    const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, sum);
    const std::uint64_t odd = (rest > 0) == (sum > 0) ? bits + 1 : bits - 1;
    return (bits & 1) == 0 ? __builtin_bit_cast(double, odd) : sum;
}

/// round(a b + c) for float. The product is exact in double, and so is `rest`, what its sum with c lost; rounded to odd,
/// the sum can be rounded again without harm (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
/// Few statements, because Clang's limit of constant evaluation counts them.
[[nodiscard]] HEADSTRONG_INLINE constexpr float software_fma(float a, float b, float c) noexcept
{
    const double product = static_cast<double>(a) * static_cast<double>(b);
    const double sum = product + static_cast<double>(c);
    const double rest = is_finite(sum) ? (product - (sum - (sum - product))) + (static_cast<double>(c) - (sum - product)) : 0;
    return static_cast<float>(rest == 0 ? sum : rounded_to_odd(sum, rest));
}

/// An unsigned number of 128 bits, as far as the fused multiply-add of double needs it: 32-bit targets have none.
struct wide {
    std::uint64_t high, low;

    [[nodiscard]] static constexpr wide product(std::uint64_t a, std::uint64_t b) noexcept
    {
        const std::uint64_t a1 = a >> 32, a0 = a & 0xffffffff, b1 = b >> 32, b0 = b & 0xffffffff;
        const std::uint64_t low = a0 * b0, m1 = a1 * b0 + (low >> 32), m2 = a0 * b1 + (m1 & 0xffffffff);
        return {a1 * b1 + (m1 >> 32) + (m2 >> 32), (m2 << 32) | (low & 0xffffffff)};
    }
    [[nodiscard]] constexpr wide shifted_left(int s) const noexcept
    {
        if (s == 0) return *this;
        if (s >= 64) return {low << (s - 64), 0};
        return {(high << s) | (low >> (64 - s)), low << s};
    }
    /// Shifted right; a bit that falls out is kept as the lowest bit, so that rounding still sees it.
    [[nodiscard]] constexpr wide jammed_right(int s) const noexcept
    {
        if (s == 0) return *this;
        if (s >= 128) return {0, (high | low) != 0};
        if (s >= 64) {
            const std::uint64_t lost = s == 64 ? low : low | (high << (128 - s));
            return {0, (high >> (s - 64)) | (lost != 0)};
        }
        return {high >> s, (high << (64 - s)) | (low >> s) | ((low << (64 - s)) != 0)};
    }
    [[nodiscard]] constexpr wide plus(wide o) const noexcept { return {high + o.high + (low + o.low < low), low + o.low}; }
    [[nodiscard]] constexpr wide minus(wide o) const noexcept { return {high - o.high - (low < o.low), low - o.low}; }
    [[nodiscard]] constexpr bool below(wide o) const noexcept { return high != o.high ? high < o.high : low < o.low; }
    /// Of a number that is not zero.
    [[nodiscard]] constexpr int leading_zeros() const noexcept
    {
        return high != 0 ? __builtin_clzll(high) : 64 + __builtin_clzll(low);
    }
};

/// A finite number that is not zero, as mantissa 2^exponent with the mantissa's highest bit at place 52.
struct parts {
    std::uint64_t mantissa;
    int exponent;
    bool negative;

    [[nodiscard]] static constexpr parts of(double x) noexcept
    {
        const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, x);
        const std::uint64_t fraction = bits & 0xfffffffffffff;
        const int biased = static_cast<int>((bits >> 52) & 0x7ff);
        const bool negative = (bits >> 63) != 0;
        if (biased != 0) return {fraction | (std::uint64_t{1} << 52), biased - 1075, negative};
        const int shift = __builtin_clzll(fraction) - 11;  // denormal
        return {fraction << shift, -1074 - shift, negative};
    }
};

/// The double nearest to (-1)^negative m 2^exponent, ties to even, where m has its highest bit at place 126.
[[nodiscard]] constexpr double rounded(wide m, int exponent, bool negative) noexcept
{
    const std::uint64_t sign = static_cast<std::uint64_t>(negative) << 63;
    const int biased = exponent + 126 + 1023;
    if (biased >= 0x7ff) return __builtin_bit_cast(double, sign | 0x7ff0000000000000);
    const int drop = biased >= 1 ? 10 : 11 - biased;  // bits of m.high below the last place of the result
    const wide kept = m.jammed_right(drop > 100 ? 100 : drop);
    std::uint64_t fraction = kept.high;
    if (kept.low > (std::uint64_t{1} << 63) || (kept.low == (std::uint64_t{1} << 63) && (fraction & 1) != 0)) ++fraction;
    const std::uint64_t head = biased >= 1 ? static_cast<std::uint64_t>(biased - 1) << 52 : 0;
    return __builtin_bit_cast(double, sign | (head + fraction));  // a carry moves on to the next binade, or to infinity
}

/// round(a b + c) for double, in integers: right for every input, denormal results and overflow included.
[[nodiscard, gnu::noinline]] constexpr double software_fma(double a, double b, double c) noexcept
{
    if (a == 0 || b == 0 || !is_finite(a) || !is_finite(b)) return a * b + c;  // the product is exact: 0, infinite or NaN
    if (!is_finite(c)) return c;                                               // even if a b alone overflows
    if (c == 0) return a * b;
    const parts x = parts::of(a), y = parts::of(b), z = parts::of(c);
    const wide raw = wide::product(x.mantissa, y.mantissa);  // highest bit at place 104 or 105
    const int lift = raw.leading_zeros() - 2;                // to place 125
    wide product = raw.shifted_left(lift), addend = wide{z.mantissa, 0}.shifted_left(9);
    const int product_exponent = x.exponent + y.exponent - lift, addend_exponent = z.exponent - 73;
    const bool product_negative = x.negative != y.negative;

    const bool product_larger = product_exponent >= addend_exponent;
    const int exponent = product_larger ? product_exponent : addend_exponent;
    if (product_larger) addend = addend.jammed_right(exponent - addend_exponent);
    else product = product.jammed_right(exponent - product_exponent);

    wide sum{0, 0};
    bool negative = product_negative;
    if (product_negative == z.negative) sum = product.plus(addend);
    else if (addend.below(product)) sum = product.minus(addend);
    else sum = addend.minus(product), negative = z.negative;
    if ((sum.high | sum.low) == 0) return 0;
    const int up = sum.leading_zeros() - 1;
    return rounded(sum.shifted_left(up), exponent - up, negative);
}

/// A fused multiply-add in a constant expression: GCC evaluates its builtin, but not where the result is no normal number.
template <class T>
[[nodiscard]] HEADSTRONG_INLINE constexpr T constant_fma(T a, T b, T c) noexcept
{
#ifndef __clang__
    if constexpr (sizeof(T) == sizeof(float)) {
        if (__builtin_constant_p(__builtin_fmaf(a, b, c))) return __builtin_fmaf(a, b, c);
    } else {
        if (__builtin_constant_p(__builtin_fma(a, b, c))) return __builtin_fma(a, b, c);
    }
#endif
    return software_fma(a, b, c);
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

namespace headstrong::inline HEADSTRONG_TARGET {

/// The fused multiply-add.
/// @par Equation
///   one rounding, to nearest, ties to even (IEEE 754-2019, 5.4.1):
///   @f[ fma(a, b, c) = round(a b + c) @f]
/// @par Numerics
///   exact on every target and in constant expressions; NaN where a b + c is one, its payload not promised
/// @par Cost
///   one instruction where HEADSTRONG_FMA_FLOAT or HEADSTRONG_FMA_DOUBLE is 1; else some 15 (float) or 60 (double)
[[nodiscard]] HEADSTRONG_INLINE constexpr float fma(float a, float b, float c) noexcept
{
#if HEADSTRONG_FMA_FLOAT
    return __builtin_is_constant_evaluated() ? detail::constant_fma(a, b, c) : __builtin_fmaf(a, b, c);
#else
    return __builtin_is_constant_evaluated() ? detail::constant_fma(a, b, c) : detail::software_fma(a, b, c);
#endif
}

/// As above, for double.
[[nodiscard]] HEADSTRONG_INLINE constexpr double fma(double a, double b, double c) noexcept
{
#if HEADSTRONG_FMA_DOUBLE
    return __builtin_is_constant_evaluated() ? detail::constant_fma(a, b, c) : __builtin_fma(a, b, c);
#else
    return __builtin_is_constant_evaluated() ? detail::constant_fma(a, b, c) : detail::software_fma(a, b, c);
#endif
}

}  // namespace headstrong::inline HEADSTRONG_TARGET

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// a + b, rounded as IEEE says on every target.
template <class T>
[[nodiscard]] HEADSTRONG_INLINE constexpr T sum_of(T a, T b) noexcept
{
    if constexpr (HEADSTRONG_EXACT_DOUBLE_SUM || sizeof(T) == sizeof(float)) return a + b;
    else return headstrong::fma(a, T{1}, b);
}

/// a - b likewise.
template <class T>
[[nodiscard]] HEADSTRONG_INLINE constexpr T difference_of(T a, T b) noexcept
{
    return sum_of(a, -b);
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
