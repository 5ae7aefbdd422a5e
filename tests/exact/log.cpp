// SPDX-License-Identifier: BSL-1.0
// log and power against the C library: every positive float, double against long double, the edges.
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

constexpr auto by_lanes = [](const auto& x) { return hs::log(x); };

template <class T>
T in_native_lanes(T x)
{
    return tests::in_one_lane<hs::native_lanes<T>>(by_lanes, x);
}

/// Neither the lanes nor the portable ones differ from the scalar function.
template <class T>
bool equal_everywhere(T x)
{
    return tests::same_in_lanes(by_lanes, x);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_positive_float_is_within_1_ulp)
{
    double worst = 0;
    std::size_t falls = 0;
    float before = -limits<float>::infinity();
    tests::for_floats(limits<float>::denorm_min(), limits<float>::max(), 1, by_lanes, [&](float x, float y) {
        if (x != 1) worst = std::max(worst, tests::error_in_ulp(y, std::log(static_cast<double>(x))));
        falls += y < before;
        before = y;
    });
    BOOST_TEST_MESSAGE("worst error " << worst << " ULP, not monotone at " << falls << " places");
    BOOST_TEST(worst <= 1.0);
}

BOOST_AUTO_TEST_CASE(floats_are_equal_in_lanes_and_alone)
{
    std::size_t unequal = 0;
    tests::for_floats(limits<float>::denorm_min(), limits<float>::infinity(), 1021, by_lanes,
                      [&](float x, float y) { unequal += bits(hs::log(x)) != bits(y) || !equal_everywhere(x); });
    BOOST_TEST(unequal == 0u);
}

BOOST_AUTO_TEST_CASE(doubles_are_within_1_ulp_and_equal_in_lanes_and_alone)
{
    double worst = 0;
    std::size_t unequal = 0;
    const auto check = [&](double x) {
        if (x != 1) worst = std::max(worst, tests::error_in_ulp(hs::log(x), std::log(static_cast<long double>(x))));
        unequal += !equal_everywhere(x);
    };
    tests::for_samples(0.5, 3.0, 1'000'000, check);
    tests::for_samples(0.7, 0.71, 1'000'000, check);
    tests::for_samples(1.39, 1.42, 1'000'000, check);
    tests::for_samples(0.999, 1.001, 100'000, check);
    tests::for_samples(3.0, 1e6, 1'000'000, check);
    tests::for_samples(-1074, 1024, 100'000, [&](double e) { check(std::exp2(e)); });
    BOOST_TEST_MESSAGE("worst error " << worst << " ULP");
    BOOST_TEST(worst <= 1.0);
    BOOST_TEST(unequal == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(log_at_the_edges, T, numbers)
{
    BOOST_TEST(bits(hs::log(T{1})) == bits(T{0}));
    for (const T x : {T{0}, -T{0}}) {
        BOOST_TEST(hs::log(x) == -limits<T>::infinity());
        BOOST_TEST(equal_everywhere(x));
    }
    for (const T x : {T{1}, limits<T>::denorm_min(), limits<T>::min(), limits<T>::max(), limits<T>::infinity()}) {
        BOOST_TEST(hs::log(x) == static_cast<T>(std::log(static_cast<long double>(x))));
        BOOST_TEST(equal_everywhere(x));
    }
    for (const T x :
         {T{-1}, -limits<T>::denorm_min(), -limits<T>::infinity(), limits<T>::quiet_NaN(), -limits<T>::quiet_NaN()}) {
        BOOST_TEST(std::isnan(hs::log(x)));
        BOOST_TEST(std::isnan(in_native_lanes(x)));
    }
}

// What constant evaluation computes, the machine does too.
BOOST_AUTO_TEST_CASE_TEMPLATE(constants_have_the_bits_of_run_time, T, numbers)
{
    constexpr T x[] = {T{0.125}, T{0.6875}, T{0.71875}, T{1.375},         T{1.4375},
                       T{3},     T{10},     T{10000},   limits<T>::min(), limits<T>::max()};
    constexpr T y[] = {hs::log(x[0]), hs::log(x[1]), hs::log(x[2]), hs::log(x[3]), hs::log(x[4]),
                       hs::log(x[5]), hs::log(x[6]), hs::log(x[7]), hs::log(x[8]), hs::log(x[9])};
    for (std::size_t i = 0; i < std::size(x); ++i) {
        BOOST_TEST(bits(hs::log(tests::opaque(x[i]))) == bits(y[i]));
        BOOST_TEST(bits(in_native_lanes(x[i])) == bits(y[i]));
    }
}

static_assert(hs::log(1.0f) == 0 && hs::log(2.0f) == 0x1.62e43p-1f && hs::log(10.0f) == 0x1.26bb1cp+1f);
static_assert(hs::log(1.0) == 0 && hs::log(2.0) == 0x1.62e42fefa39efp-1 && hs::log(10.0) == 0x1.26bb1bbb55516p+1);
static_assert(hs::log(0.0) == -limits<double>::infinity() && hs::log(limits<float>::infinity()) == limits<float>::infinity());
static_assert(hs::log(0x1p-149f) == -0x1.9d1dap+6f);

BOOST_AUTO_TEST_CASE(powers_are_within_the_stated_error)
{
    double excess = 0, worst = 0;
    for (const double base : {0.3, 0.75, 1.0001, 1.25, 1.4, 2.0, 10000.0, 500000.0, 1e6})
        for (const double range : {1.0, 10.0, 50.0, 400.0})
            tests::for_samples(-range, range, 20'000, [&](double e) {
                const long double exact = std::pow(static_cast<long double>(base), static_cast<long double>(e));
                if (exact < 0x1p-1021L || exact > 0x1p1023L) return;
                const double error = tests::error_in_ulp(hs::power(base, e), exact);
                excess = std::max(excess, error - 1.5 - std::abs(e) / 8);
                if (std::abs(e) <= 1) worst = std::max(worst, error);
            });
    BOOST_TEST_MESSAGE("worst error " << worst << " ULP for exponents up to 1");
    BOOST_TEST(worst <= 1.5);
    BOOST_TEST(excess <= 0.0);
}

BOOST_AUTO_TEST_CASE(powers_at_the_edges)
{
    constexpr double infinity = limits<double>::infinity(), not_a_number = limits<double>::quiet_NaN();
    BOOST_TEST(hs::power(10000, 0) == 1);
    BOOST_TEST(hs::power(1, 1e300) == 1);
    BOOST_TEST(hs::power(2, 10) == 1024);
    BOOST_TEST(hs::power(10, 400) == infinity);
    BOOST_TEST(hs::power(10, -400) == 0);
    BOOST_TEST(hs::power(1e300, limits<double>::max()) == infinity);
    BOOST_TEST(hs::power(1e300, limits<double>::lowest()) == 0);
    for (const double base : {0.0, -1.0, limits<double>::denorm_min(), infinity, not_a_number})
        BOOST_TEST(std::isnan(hs::power(base, 1)));
    for (const double exponent : {infinity, -infinity, not_a_number}) BOOST_TEST(std::isnan(hs::power(2, exponent)));
}

BOOST_AUTO_TEST_CASE(constant_powers_have_the_bits_of_run_time)
{
    constexpr double y[] = {hs::power(10000, -0.125), hs::power(10000, -0.96875), hs::power(500000, -0.03125),
                            hs::power(1.1, 33)};
    BOOST_TEST(bits(hs::power(tests::opaque(10000.0), -0.125)) == bits(y[0]));
    BOOST_TEST(bits(hs::power(tests::opaque(10000.0), -0.96875)) == bits(y[1]));
    BOOST_TEST(bits(hs::power(tests::opaque(500000.0), -0.03125)) == bits(y[2]));
    BOOST_TEST(bits(hs::power(tests::opaque(1.1), 33)) == bits(y[3]));
}
