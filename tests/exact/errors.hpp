// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_EXACT_ERRORS_HPP
#define HEADSTRONG_TESTS_EXACT_ERRORS_HPP
/// @file
/// How far a function of one number is from the exact one, over many numbers, and whether each lane has the same bits.

#include "inputs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tests {

/// |y - exact| in ULP of float at the exact result.
[[nodiscard]] inline double error_in_ulp(float y, double exact)
{
    const double ulp = std::bit_cast<double>((bits(std::abs(exact)) & 0x7ff0000000000000) - (std::uint64_t{23} << 52));
    return std::abs(static_cast<double>(y) - exact) / ulp;
}

/// The same for double.
[[nodiscard]] inline double error_in_ulp(double y, long double exact)
{
    int exponent = 0;
    std::frexp(exact, &exponent);
    return static_cast<double>(std::abs(static_cast<long double>(y) - exact) / std::ldexp(1.0L, exponent - 53));
}

/// f, a function of lanes, of one number in whichever lane, the others at 1.
template <class Lanes, class F>
[[nodiscard]] typename Lanes::value_type in_one_lane(F f, typename Lanes::value_type x)
{
    typename Lanes::value_type numbers[Lanes::size];
    Lanes::broadcast(1).store(numbers);
    numbers[3] = x;
    f(Lanes::load(numbers)).store(numbers);
    return numbers[3];
}

/// Whether f of lanes, native and portable, gives in any lane the bits of f of one number.
template <class T, class F>
[[nodiscard]] bool same_in_lanes(F f, T x)
{
    const auto y = bits(f(x));
    return y == bits(in_one_lane<hs::native_lanes<T>>(f, x)) && y == bits(in_one_lane<hs::portable_lanes<T>>(f, x));
}

/// f(x, y) for the floats whose bit patterns are first, first + step, ... up to last, y of the native lanes' function.
template <class Function, class F>
void for_floats(float first, float last, std::uint32_t step, Function function, F f)
{
    constexpr std::size_t size = hs::native_lanes<float>::size;
    for (std::uint64_t at = bits(first); at <= bits(last); at += std::uint64_t{size} * step) {
        float x[size], y[size];
        for (std::size_t i = 0; i < size; ++i)
            x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(std::min<std::uint64_t>(at + i * step, bits(last))));
        function(hs::native_lanes<float>::load(x)).store(y);
        for (std::size_t i = 0; i < size; ++i) f(x[i], y[i]);
    }
}

/// f(x) for doubles evenly between low and high.
template <class F>
void for_samples(double low, double high, std::size_t count, F f)
{
    integers from{opaque<std::uint64_t>(7)};
    for (std::size_t i = 0; i < count; ++i) f(low + (high - low) * (number<double>(from) + 1) / 2);
}

}  // namespace tests

#endif
