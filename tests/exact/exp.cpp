// SPDX-License-Identifier: BSL-1.0
// exp against the C library: every float from -104 to 0, samples elsewhere, double against long double, the edges.
#include "inputs.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace hs = headstrong;
using tests::bits;
using tests::opaque;

namespace {

template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();
template <class T>
constexpr T smallest = hs::detail::exp_constants<T>::smallest;

/// exp by the native lanes, as many numbers at a time.
template <class T>
struct block {
    T x[hs::native_lanes<T>::size];
    T y[hs::native_lanes<T>::size];

    void compute() { hs::exp(hs::native_lanes<T>::load(x)).store(y); }
};

/// exp in whichever lane, the others at 0.
template <class T>
T by_lanes(T x)
{
    block<T> b{};
    b.x[3] = x;
    b.compute();
    return b.y[3];
}

double ulp_of_float_at(double exact)
{
    return std::bit_cast<double>((bits(exact) & 0x7ff0000000000000) - (std::uint64_t{23} << 52));
}

/// What a walk over many numbers found.
struct findings {
    double worst = 0;           ///< in ULP
    double deepest = 0;         ///< in ULP: how much smaller exp of the next larger number is, at worst
    std::uint64_t falls = 0;    ///< places where it is smaller
    std::uint64_t nonzero = 0;  ///< below the flush point
    std::uint64_t unequal = 0;  ///< lanes that differ from the scalar function

    void fall(double a, double b)
    {
        ++falls;
        deepest = std::max(deepest, std::abs(a - b) / ulp_of_float_at(std::min(a, b)));
    }
};

/// The floats whose bit patterns are first, first + step, ...; magnitudes grow, so with the sign set exp falls.
void walk(findings& found, std::uint32_t first, std::uint32_t last, std::uint32_t step, bool compare_scalar)
{
    constexpr std::size_t size = hs::native_lanes<float>::size;
    block<float> b;
    const bool falling = std::signbit(std::bit_cast<float>(first));
    float before = falling ? infinity<float> : 0;
    for (std::uint64_t at = first; at <= last; at += std::uint64_t{size} * step) {
        for (std::size_t i = 0; i < size; ++i)
            b.x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(std::min<std::uint64_t>(at + i * step, last)));
        b.compute();
        for (std::size_t i = 0; i < size; ++i) {
            if (falling ? b.y[i] > before : b.y[i] < before)
                found.fall(static_cast<double>(before), static_cast<double>(b.y[i]));
            before = b.y[i];
            if (b.x[i] < smallest<float>) {
                if (bits(b.y[i]) != 0) ++found.nonzero;
            } else {
                const double exact = std::exp(static_cast<double>(b.x[i]));
                found.worst = std::max(found.worst, std::abs(static_cast<double>(b.y[i]) - exact) / ulp_of_float_at(exact));
            }
            if (compare_scalar && bits(hs::exp(b.x[i])) != bits(b.y[i])) ++found.unequal;
        }
    }
}

/// A stream of doubles evenly between low and high.
template <class F>
void for_samples(double low, double high, std::size_t count, F f)
{
    tests::integers from{opaque<std::uint64_t>(7)};
    for (std::size_t i = 0; i < count; ++i) f(low + (high - low) * (tests::number<double>(from) + 1) / 2);
}

using numbers = std::tuple<float, double>;

}  // namespace

BOOST_AUTO_TEST_CASE(every_float_from_minus_104_to_0_is_within_1_ulp_or_flushed)
{
    findings found;
    walk(found, bits(-0.0f), bits(-104.0f), 1, false);
    BOOST_TEST_MESSAGE("worst error " << found.worst << " ULP, not monotone at " << found.falls << " places");
    BOOST_TEST(found.worst <= 1.0);
    BOOST_TEST(found.nonzero == 0u);
    BOOST_TEST(found.deepest <= 1.0);
}

BOOST_AUTO_TEST_CASE(each_lane_has_the_bits_of_the_scalar_function_of_float)
{
    findings found;
    walk(found, bits(-0.0f), bits(-infinity<float>), 13, true);
    walk(found, bits(0.0f), bits(88.0f), 13, true);
    BOOST_TEST(found.unequal == 0u);
}

BOOST_AUTO_TEST_CASE(positive_floats_are_within_1_ulp_up_to_overflow)
{
    findings found;
    walk(found, bits(0.0f), bits(0x1.62e42ep+6f), 29, false);
    BOOST_TEST_MESSAGE("worst error " << found.worst << " ULP, not monotone at " << found.falls << " places");
    BOOST_TEST(found.worst <= 1.0);
    BOOST_TEST(found.deepest <= 1.0);
}

BOOST_AUTO_TEST_CASE(doubles_are_within_1_ulp_and_equal_in_lanes_and_alone)
{
    long double worst = 0;
    std::size_t unequal = 0;
    const auto check = [&](double x) {
        const double y = by_lanes(x);
        const long double exact = std::exp(static_cast<long double>(x));
        int exponent = 0;
        std::frexp(exact, &exponent);
        worst = std::max(worst, std::abs(static_cast<long double>(y) - exact) / std::ldexp(1.0L, exponent - 53));
        unequal += bits(hs::exp(x)) != bits(y);
    };
    for_samples(smallest<double>, 709.78, 1'000'000, check);
    for_samples(-1, 1, 1'000'000, check);
    BOOST_TEST_MESSAGE("worst error " << worst << " ULP");
    BOOST_TEST(worst <= 1.0L);
    BOOST_TEST(unequal == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_flush_point_is_where_results_stop_being_normal, T, numbers)
{
    const T below = std::nextafter(smallest<T>, -infinity<T>);
    BOOST_TEST(std::exp(static_cast<long double>(smallest<T>)) >= static_cast<long double>(std::numeric_limits<T>::min()));
    BOOST_TEST(std::exp(static_cast<long double>(below)) < static_cast<long double>(std::numeric_limits<T>::min()));
    BOOST_TEST(by_lanes(smallest<T>) >= std::numeric_limits<T>::min());
    BOOST_TEST(bits(by_lanes(below)) == 0u);
    for (const T x : {below, T{-104}, T{-1000}, static_cast<T>(-1e30), std::numeric_limits<T>::lowest(), -infinity<T>}) {
        if (x > below) continue;
        BOOST_TEST(bits(by_lanes(x)) == 0u);
        BOOST_TEST(bits(hs::exp(x)) == 0u);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(overflow_begins_behind_the_logarithm_of_the_largest_number, T, numbers)
{
    const long double limit = std::log(static_cast<long double>(std::numeric_limits<T>::max()));
    T last = static_cast<T>(limit);
    if (static_cast<long double>(last) > limit) last = std::nextafter(last, T{0});
    BOOST_TEST(by_lanes(last) <= std::numeric_limits<T>::max());
    BOOST_TEST(by_lanes(last) > std::numeric_limits<T>::max() * static_cast<T>(0.99));
    for (const T x : {std::nextafter(last, infinity<T>), T{89}, T{90}, T{128}, T{710}, T{1000}, static_cast<T>(1e30),
                      std::numeric_limits<T>::max(), infinity<T>}) {
        if (x <= last) continue;
        BOOST_TEST(by_lanes(x) == infinity<T>);
        BOOST_TEST(hs::exp(x) == infinity<T>);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(exp_of_zero_is_1_and_of_nan_is_nan, T, numbers)
{
    for (const T x : {T{0}, -T{0}, std::numeric_limits<T>::denorm_min(), -std::numeric_limits<T>::denorm_min(),
                      std::numeric_limits<T>::min(), -std::numeric_limits<T>::min()}) {
        BOOST_TEST(by_lanes(x) == 1);
        BOOST_TEST(hs::exp(x) == 1);
    }
    BOOST_TEST(std::isnan(by_lanes(not_a_number<T>)));
    BOOST_TEST(std::isnan(by_lanes(-not_a_number<T>)));
    BOOST_TEST(std::isnan(hs::exp(not_a_number<T>)));
}

// Weights below 2^-64 (2^-512 for double) are dropped, so that no product with an ordinary value is denormal.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_form_of_a_softmax_has_the_bits_of_exp_or_is_0_where_that_is_negligible, T, numbers)
{
    using lanes = hs::native_lanes<T>;
    using single_numbers = hs::portable_lanes<T, 4>;  // which multiply by the power of two at another place
    const T negligible = static_cast<T>(std::is_same_v<T, float> ? 0x1p-64 : 0x1p-512);
    std::size_t unequal = 0;
    for_samples(-static_cast<double>(std::is_same_v<T, float> ? 110 : 800), 0, 1'000'000, [&](double sample) {
        const T x = static_cast<T>(sample);
        T y[lanes::size];
        hs::detail::softmax_weight(lanes::broadcast(x)).store(y);
        const T e = by_lanes(x), expected = e < negligible ? T{0} : e;
        for (const T one : y) unequal += bits(one) != bits(expected);
        for (const T one : hs::detail::softmax_weight(single_numbers::broadcast(x)).lane)
            unequal += bits(one) != bits(expected);
    });
    BOOST_TEST(unequal == 0u);
}

// The same in constant expressions; but for infinity, since GCC takes no overflow in one.
static_assert(hs::exp(0.0f) == 1 && hs::exp(0.0) == 1);
static_assert(hs::exp(smallest<float>) >= 0x1p-126f && hs::exp(-88.0f) == 0 && hs::exp(-104.0f) == 0);
static_assert(hs::exp(smallest<double>) >= 0x1p-1022 && hs::exp(-709.0) == 0 && hs::exp(-1000.0) == 0);
static_assert(hs::exp(1.0f) == 0x1.5bf0a8p+1f && hs::exp(1.0) == 0x1.5bf0a8b145769p+1);
