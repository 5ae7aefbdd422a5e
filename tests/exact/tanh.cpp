// SPDX-License-Identifier: BSL-1.0
// tanh against the C library: every float, double against long double, the edges.
#include "errors.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <tuple>

namespace hs = headstrong;
using tests::bits;

namespace {

template <class T>
using limits = std::numeric_limits<T>;
using numbers = std::tuple<float, double>;

constexpr auto by_lanes = [](const auto& x) { return hs::tanh(x); };

template <class T>
T in_native_lanes(T x)
{
    return tests::in_one_lane<hs::native_lanes<T>>(by_lanes, x);
}

/// Neither the lanes, nor the portable ones, nor the mirrored number differ from the scalar function.
template <class T>
bool equal_everywhere(T x)
{
    const auto y = bits(hs::tanh(x));
    return tests::same_in_lanes(by_lanes, x) && y == bits(-hs::tanh(-x)) && y == bits(-in_native_lanes(-x));
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_float_is_within_1_ulp)
{
    double worst = 0;
    std::size_t falls = 0, changed = 0, above_1 = 0;
    float before = 0;
    tests::for_floats(0x1p-13f, 10.0f, 1, by_lanes, [&](float x, float y) {
        worst = std::max(worst, tests::error_in_ulp(y, std::tanh(static_cast<double>(x))));
        above_1 += y > 1;
        falls += y < before;
        before = y;
    });
    tests::for_floats(0.0f, 0x1p-13f, 1, by_lanes, [&](float x, float y) { changed += bits(x) != bits(y); });
    tests::for_floats(10.0f, limits<float>::infinity(), 3, by_lanes, [&](float, float y) { changed += y != 1; });
    BOOST_TEST_MESSAGE("worst error " << worst << " ULP, not monotone at " << falls << " places");
    BOOST_TEST(worst <= 1.0);
    BOOST_TEST(above_1 == 0u);
    BOOST_TEST(changed == 0u);
}

BOOST_AUTO_TEST_CASE(floats_are_equal_in_lanes_and_alone_and_mirrored)
{
    std::size_t unequal = 0;
    tests::for_floats(0.0f, limits<float>::infinity(), 1021, by_lanes,
                      [&](float x, float y) { unequal += bits(hs::tanh(x)) != bits(y) || !equal_everywhere(x); });
    BOOST_TEST(unequal == 0u);
}

BOOST_AUTO_TEST_CASE(doubles_are_within_1_ulp_and_equal_in_lanes_and_alone_and_mirrored)
{
    double worst = 0;
    std::size_t unequal = 0;
    const auto check = [&](double x) {
        worst = std::max(worst, tests::error_in_ulp(hs::tanh(x), std::tanh(static_cast<long double>(x))));
        unequal += !equal_everywhere(x) || hs::tanh(x) > 1;
    };
    tests::for_samples(0x1p-30, 0x1p-10, 100'000, check);
    tests::for_samples(0, 0.8, 1'000'000, check);
    tests::for_samples(0.8, 1.0, 1'000'000, check);
    tests::for_samples(1.0, 20.0, 1'000'000, check);
    BOOST_TEST_MESSAGE("worst error " << worst << " ULP");
    BOOST_TEST(worst <= 1.0);
    BOOST_TEST(unequal == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(tanh_at_the_edges, T, numbers)
{
    for (const T x : {T{0}, limits<T>::denorm_min(), limits<T>::min() / 2, limits<T>::min(), static_cast<T>(1e-30),
                      static_cast<T>(1e-20), limits<T>::epsilon() / 4}) {
        BOOST_TEST(bits(hs::tanh(x)) == bits(x));
        BOOST_TEST(equal_everywhere(x));
    }
    for (const T x : {T{20}, T{1000}, limits<T>::max(), limits<T>::infinity()}) {
        BOOST_TEST(hs::tanh(x) == 1);
        BOOST_TEST(equal_everywhere(x));
    }
    for (const T x : {limits<T>::quiet_NaN(), -limits<T>::quiet_NaN()}) {
        BOOST_TEST(std::isnan(hs::tanh(x)));
        BOOST_TEST(std::isnan(in_native_lanes(x)));
    }
}

// What constant evaluation computes, the machine does too.
BOOST_AUTO_TEST_CASE_TEMPLATE(constants_have_the_bits_of_run_time, T, numbers)
{
    constexpr T x[] = {T{0.125}, T{-0.5}, T{0.75}, T{-0.9375}, T{1}, T{1.5}, T{-3}, T{7}, T{12}, T{-18.75}};
    constexpr T y[] = {hs::tanh(x[0]), hs::tanh(x[1]), hs::tanh(x[2]), hs::tanh(x[3]), hs::tanh(x[4]),
                       hs::tanh(x[5]), hs::tanh(x[6]), hs::tanh(x[7]), hs::tanh(x[8]), hs::tanh(x[9])};
    for (std::size_t i = 0; i < std::size(x); ++i) {
        BOOST_TEST(bits(hs::tanh(tests::opaque(x[i]))) == bits(y[i]));
        BOOST_TEST(bits(in_native_lanes(x[i])) == bits(y[i]));
    }
}

static_assert(hs::tanh(0.0f) == 0 && hs::tanh(1.0f) == 0x1.85efacp-1f && hs::tanh(-1.0f) == -0x1.85efacp-1f);
static_assert(bits(hs::tanh(-0.0f)) == bits(-0.0f) && bits(hs::tanh(-0.0)) == bits(-0.0));
static_assert(hs::tanh(1.0) == 0x1.85efab514f394p-1 && hs::tanh(20.0) == 1 && hs::tanh(0x1p-1074) == 0x1p-1074);
static_assert(hs::tanh(limits<float>::infinity()) == 1 && hs::tanh(-limits<double>::infinity()) == -1);
