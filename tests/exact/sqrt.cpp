// SPDX-License-Identifier: BSL-1.0
// The square root against std::sqrt, which IEEE 754 wants exact, and rounding to integers against std::nearbyint.
#include "inputs.hpp"

#include <boost/test/unit_test.hpp>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>

namespace hs = headstrong;
using tests::bits;
using tests::bits_of;
using tests::opaque;

namespace {

using numbers = std::tuple<float, double>;
template <class T>
using limits = std::numeric_limits<T>;

/// By the instruction, where there is one, or by the software that constant expressions use.
template <class T>
bool root_differs(T x)
{
    const T by_software = static_cast<T>(hs::detail::software_sqrt(static_cast<double>(x)));
    return bits(hs::sqrt(x)) != bits(std::sqrt(x)) || bits(by_software) != bits(std::sqrt(x));
}

/// Every number whose bit pattern is within `places` of that of x.
template <class T, class F>
void for_neighbours(T x, bits_of<T> places, F f)
{
    for (bits_of<T> i = 0; i <= 2 * places; ++i) f(std::bit_cast<T>(static_cast<bits_of<T>>(bits(x) + i - places)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(roots_of_floats_are_exact)
{
    std::size_t found = 0;
    for (std::uint32_t pattern = 0; pattern < bits(limits<float>::infinity()); pattern += 89)
        if (root_differs(std::bit_cast<float>(pattern))) ++found;
    BOOST_TEST(found == 0u);
}

BOOST_AUTO_TEST_CASE(roots_of_doubles_are_exact)
{
    tests::integers from{opaque<std::uint64_t>(3)};
    std::size_t found = 0;
    for (int i = 0; i < 10'000'000; ++i) {
        const double x = std::bit_cast<double>(from.next() >> 1);
        if (x <= limits<double>::max() && root_differs(x)) ++found;
    }
    BOOST_TEST(found == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(roots_of_denormals_are_exact, T, numbers)
{
    tests::integers from{opaque<std::uint64_t>(4)};
    std::size_t found = 0;
    for (int i = 0; i < 1'000'000; ++i) {
        const T x = std::bit_cast<T>(static_cast<bits_of<T>>(static_cast<bits_of<T>>(from.next()) % bits(limits<T>::min())));
        if (root_differs(x)) ++found;
    }
    BOOST_TEST(found == 0u);
}

// Roots that lie near a number, or near the middle between two: squares and products of neighbours, one place up and down.
BOOST_AUTO_TEST_CASE_TEMPLATE(roots_of_squares_and_their_neighbours_are_exact, T, numbers)
{
    tests::integers from{opaque<std::uint64_t>(5)};
    std::size_t found = 0;
    const auto check = [&](T x) {
        if (root_differs(x)) ++found;
    };
    for (int i = 0; i < 1'000'000; ++i) {
        const T r = 1 + std::abs(tests::number<T>(from)), next = std::nextafter(r, T{4});
        for_neighbours(r * r, 2, check);
        for_neighbours(r * next, 2, check);
        for_neighbours(2 * r * next, 2, check);
    }
    for (T power = limits<T>::denorm_min(); power <= limits<T>::max(); power *= 2)
        if (power > 4 * limits<T>::denorm_min()) for_neighbours(power, 3, check);
    for_neighbours(limits<T>::denorm_min() * 4, 3, check);
    BOOST_TEST(found == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(roots_at_the_edges, T, numbers)
{
    BOOST_TEST(bits(hs::sqrt(T{0})) == bits(T{0}));
    BOOST_TEST(bits(hs::sqrt(-T{0})) == bits(-T{0}));
    BOOST_TEST(hs::sqrt(limits<T>::infinity()) == limits<T>::infinity());
    BOOST_TEST(!root_differs(limits<T>::max()));
    BOOST_TEST(!root_differs(limits<T>::min()));
    BOOST_TEST(!root_differs(limits<T>::denorm_min()));
    for (const T x : {T{-1}, -limits<T>::denorm_min(), -limits<T>::infinity(), limits<T>::quiet_NaN()})
        BOOST_TEST((std::isnan(hs::sqrt(opaque(x))) && std::isnan(hs::detail::software_sqrt(static_cast<double>(x)))));
}

BOOST_AUTO_TEST_CASE(nearest_integers_of_floats)
{
    std::size_t found = 0;
    for (std::uint64_t pattern = 0; pattern <= 0xffffffff; pattern += 23) {
        const float x = std::bit_cast<float>(static_cast<std::uint32_t>(pattern));
        if (!std::isnan(x) && hs::nearest_integer(x) != std::nearbyint(x)) ++found;
    }
    BOOST_TEST(found == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(nearest_integers_at_ties_and_edges, T, numbers)
{
    std::size_t found = 0;
    const auto check = [&](T x) {
        if (hs::nearest_integer(x) != std::nearbyint(x) || hs::nearest_integer(-x) != std::nearbyint(-x)) ++found;
    };
    for (int i = 0; i < 100'000; ++i) for_neighbours(static_cast<T>(i) + static_cast<T>(0.5), 2, check);
    for (T power = static_cast<T>(0.25); power <= limits<T>::max(); power *= 2) {
        for_neighbours(power, 4, check);
        for_neighbours(power + static_cast<T>(0.5), 4, check);
    }
    for (const T x : {T{0}, limits<T>::denorm_min(), limits<T>::min(), limits<T>::max(), limits<T>::infinity()}) check(x);
    BOOST_TEST(found == 0u);
    BOOST_TEST(std::isnan(hs::nearest_integer(limits<T>::quiet_NaN())));
}

// Constant expressions.
static_assert(hs::sqrt(2.0) == 0x1.6a09e667f3bcdp+0 && hs::sqrt(2.0f) == 0x1.6a09e6p+0f);
static_assert(hs::sqrt(3.0) == 0x1.bb67ae8584caap+0 && hs::sqrt(3.0f) == 0x1.bb67aep+0f);
static_assert(hs::sqrt(64.0) == 8 && hs::sqrt(35.0 * 35.0) == 35 && hs::sqrt(0x1p-1074) == 0x1p-537);
static_assert(hs::sqrt(0x1.fffffffffffffp+1023) == 0x1.fffffffffffffp+511 && hs::sqrt(0x1p-149f) == 0x1.6a09e6p-75f);
static_assert(hs::sqrt(1 + 0x1p-52) == 1 && hs::sqrt(1 - 0x1p-53) == 1 - 0x1p-53);
static_assert(hs::sqrt(limits<double>::infinity()) == limits<double>::infinity() && hs::sqrt(0.0) == 0);
static_assert(hs::nearest_integer(2.5f) == 2 && hs::nearest_integer(3.5) == 4 && hs::nearest_integer(-2.5) == -2);
static_assert(hs::nearest_integer(0x1.fffffep+22f) == 0x1p23f && hs::nearest_integer(0x1p60) == 0x1p60);
