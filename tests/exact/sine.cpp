// SPDX-License-Identifier: BSL-1.0
// sin_cos against the C library's long double: samples, the multiples of pi / 2, the edges.
#include "errors.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>

namespace hs = headstrong;
using tests::bits;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), not_a_number = std::numeric_limits<double>::quiet_NaN();

/// The larger error of both, in ULP.
double error(double x)
{
    const auto y = hs::sin_cos(x);
    const auto exact = static_cast<long double>(x);
    return std::max(tests::error_in_ulp(y.sine, std::sin(exact)), tests::error_in_ulp(y.cosine, std::cos(exact)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(sines_and_cosines_are_within_1_ulp)
{
    double worst = 0;
    const auto check = [&](double x) { worst = std::max(worst, error(x)); };
    tests::for_samples(-0.8, 0.8, 1'000'000, check);
    tests::for_samples(0, 7, 1'000'000, check);
    tests::for_samples(-0x1p20, 0x1p20, 1'000'000, check);
    tests::for_samples(0, 0x1p30, 1'000'000, check);
    tests::for_samples(0, 0x1p-20, 100'000, check);
    for (int position = 1; position < 100'000; ++position) check(position);
    BOOST_TEST_MESSAGE("worst error " << worst << " ULP");
    BOOST_TEST(worst <= 1.0);
}

// Where all leading digits cancel: the numbers around multiples of pi / 4, odd ones for the choice of the quarter.
BOOST_AUTO_TEST_CASE(near_multiples_of_a_quarter_of_pi_they_are_too)
{
    double worst = 0;
    for (int k = 1; k < 1'400'000; ++k) {
        const auto x = static_cast<double>(static_cast<long double>(k) * 0.785398163397448309615660845819875721L);
        for (const double one : {std::nextafter(x, 0.0), x, std::nextafter(x, infinity)}) worst = std::max(worst, error(one));
    }
    BOOST_TEST_MESSAGE("worst error " << worst << " ULP");
    BOOST_TEST(worst <= 1.0);
}

BOOST_AUTO_TEST_CASE(the_sine_is_odd_and_the_cosine_even)
{
    std::size_t unequal = 0;
    tests::for_samples(0, 1000, 1'000'000, [&](double x) {
        const auto y = hs::sin_cos(x), mirrored = hs::sin_cos(-x);
        unequal += bits(y.sine) != bits(-mirrored.sine) || bits(y.cosine) != bits(mirrored.cosine);
        unequal += std::abs(y.sine) > 1 || std::abs(y.cosine) > 1;
    });
    BOOST_TEST(unequal == 0u);
}

BOOST_AUTO_TEST_CASE(at_the_edges)
{
    for (const double x : {0.0, -0.0, 0x1p-1074, -0x1p-1022, 1e-300, 1e-9}) {
        BOOST_TEST(bits(hs::sin_cos(x).sine) == bits(x));
        BOOST_TEST(hs::sin_cos(x).cosine == 1);
    }
    for (const double x : {0x1p30, -0x1p30, 1e300, infinity, -infinity, not_a_number}) {
        BOOST_TEST(std::isnan(hs::sin_cos(x).sine));
        BOOST_TEST(std::isnan(hs::sin_cos(x).cosine));
    }
}

// What constant evaluation computes, the machine does too.
BOOST_AUTO_TEST_CASE(constants_have_the_bits_of_run_time)
{
    constexpr double x[] = {0.5, 1, -2, 3, 4, -5, 6, 1000, 131071, -1048575.5};
    constexpr hs::sine_cosine<double> y[] = {hs::sin_cos(x[0]), hs::sin_cos(x[1]), hs::sin_cos(x[2]), hs::sin_cos(x[3]),
                                             hs::sin_cos(x[4]), hs::sin_cos(x[5]), hs::sin_cos(x[6]), hs::sin_cos(x[7]),
                                             hs::sin_cos(x[8]), hs::sin_cos(x[9])};
    for (std::size_t i = 0; i < std::size(x); ++i) {
        BOOST_TEST(bits(hs::sin_cos(tests::opaque(x[i])).sine) == bits(y[i].sine));
        BOOST_TEST(bits(hs::sin_cos(tests::opaque(x[i])).cosine) == bits(y[i].cosine));
    }
}

static_assert(hs::sin_cos(0.0).sine == 0 && hs::sin_cos(0.0).cosine == 1 && bits(hs::sin_cos(-0.0).sine) == bits(-0.0));
static_assert(hs::sin_cos(1.0).sine == 0x1.aed548f090ceep-1 && hs::sin_cos(1.0).cosine == 0x1.14a280fb5068cp-1);
static_assert(hs::sin_cos(0x1.921fb54442d18p+0).cosine == 0x1.1a62633145c07p-54);
