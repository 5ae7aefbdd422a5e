// SPDX-License-Identifier: BSL-1.0
// The software forms of the fused multiply-add, which serve constant expressions and processors without the instruction,
// against std::fma: the instruction where this machine has it, else the C library's exact one.
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
using tests::integers;
using tests::opaque;

namespace {

template <class T>
constexpr int digits = std::numeric_limits<T>::digits;
template <class T>
constexpr int largest_exponent = std::numeric_limits<T>::max_exponent - 1;
template <class T>
constexpr int smallest_exponent = std::numeric_limits<T>::min_exponent - 1 - (digits<T> - 1);  // of denormals

template <class T>
bool same(T a, T b)
{
    return bits(a) == bits(b) || (std::isnan(a) && std::isnan(b));
}

/// How many of `count` triples of the stream next(integers) come out differently; the first of them is reported.
template <class T, class Next>
std::size_t differences(std::size_t count, Next next)
{
    integers from{opaque<std::uint64_t>(15)};
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto [a, b, c] = next(from);
        const T soft = hs::detail::software_fma(a, b, c), hard = std::fma(a, b, c);
        if (same(soft, hard)) continue;
        if (++found == 1)
            BOOST_TEST_MESSAGE(std::hexfloat << "fma(" << a << ", " << b << ", " << c << ") is " << hard << ", not " << soft);
    }
    return found;
}

template <class T>
struct triple {
    T a, b, c;
};

/// Any bit pattern.
template <class T>
T pattern(integers& from)
{
    return std::bit_cast<T>(static_cast<bits_of<T>>(from.next()));
}

/// A number with random sign, `used` random bits of fraction and an exponent from low to high.
template <class T>
T scaled(integers& from, int used, int low, int high)
{
    const std::uint64_t z = from.next(), fraction = (from.next() >> 11 << 11 >> (64 - used)) | (std::uint64_t{1} << used);
    const int exponent = low + static_cast<int>(z % static_cast<std::uint64_t>(high - low + 1));
    const T magnitude = std::ldexp(static_cast<T>(fraction), exponent - used);
    return (z >> 63) != 0 ? -magnitude : magnitude;
}

template <class T>
T moved(T x, std::uint64_t steps)  // by -4 ... 3 places
{
    return std::bit_cast<T>(static_cast<bits_of<T>>(bits(x) + static_cast<bits_of<T>>(steps % 8) - 4));
}

using numbers = std::tuple<float, double>;
constexpr std::size_t many = 5'000'000;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(any_bit_patterns, T, numbers)
{
    BOOST_TEST(differences<T>(2 * many,
                              [](integers& from) {
                                  const T a = pattern<T>(from), b = pattern<T>(from), c = pattern<T>(from);
                                  return triple<T>{a, b, c};
                              })
               == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(numbers_of_like_size, T, numbers)
{
    BOOST_TEST(differences<T>(2 * many,
                              [](integers& from) {
                                  const T a = scaled<T>(from, digits<T> - 1, -3, 3), b = scaled<T>(from, digits<T> - 1, -3, 3);
                                  return triple<T>{a, b, scaled<T>(from, digits<T> - 1, -digits<T> - 6, digits<T> + 6)};
                              })
               == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(cancellation, T, numbers)
{
    BOOST_TEST(differences<T>(2 * many,
                              [](integers& from) {
                                  const T a = scaled<T>(from, digits<T> - 1, -60, 60),
                                          b = scaled<T>(from, digits<T> - 1, -60, 60);
                                  return triple<T>{a, b, moved(-(a * b), from.next())};
                              })
               == 0u);
}

// Products of few bits and an addend of few bits: sums that end exactly half way between two numbers, or just beside.
BOOST_AUTO_TEST_CASE_TEMPLATE(half_way_cases, T, numbers)
{
    BOOST_TEST(differences<T>(2 * many,
                              [](integers& from) {
                                  const T a = scaled<T>(from, digits<T> / 2, 0, 2),
                                          b = scaled<T>(from, digits<T> / 2 - 1, 0, 2);
                                  const T c = scaled<T>(from, 1, -2 * digits<T> - 8, digits<T> + 4);
                                  return triple<T>{a, b, c};
                              })
               == 0u);
    BOOST_TEST(differences<T>(many,
                              [](integers& from) {
                                  const T c = scaled<T>(from, digits<T> - 1, 0, 0), half = std::ldexp(T{1}, -digits<T>);
                                  return triple<T>{moved(half, from.next()), moved(T{1}, from.next()), c};
                              })
               == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(denormal_operands_and_results, T, numbers)
{
    constexpr int low = smallest_exponent<T>;
    BOOST_TEST(differences<T>(2 * many,
                              [](integers& from) {
                                  const T a = scaled<T>(from, digits<T> - 1, low, low + 2 * digits<T>),
                                          b = scaled<T>(from, digits<T> - 1, -digits<T>, digits<T>);
                                  return triple<T>{a, b, scaled<T>(from, digits<T> - 1, low, low + 2 * digits<T>)};
                              })
               == 0u);
    BOOST_TEST(differences<T>(many,
                              [](integers& from) {  // products below the smallest number
                                  const T a = scaled<T>(from, digits<T> - 1, low / 2 - 2, low / 2 + 2),
                                          b = scaled<T>(from, digits<T> - 1, low / 2 - 2, low / 2 + 2);
                                  return triple<T>{a, b, scaled<T>(from, digits<T> - 1, low, low + 3)};
                              })
               == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(overflow, T, numbers)
{
    constexpr int half = largest_exponent<T> / 2, high = largest_exponent<T>;
    BOOST_TEST(differences<T>(2 * many,
                              [](integers& from) {
                                  const T a = scaled<T>(from, digits<T> - 1, half - 1, half + 2),
                                          b = scaled<T>(from, digits<T> - 1, half - 1, half + 2);
                                  return triple<T>{a, b, scaled<T>(from, digits<T> - 1, high - 2, high)};
                              })
               == 0u);
    BOOST_TEST(differences<T>(many,
                              [](integers& from) {  // just below and above the largest number
                                  const T a = moved(std::ldexp(T{1}, half), from.next()),
                                          b = moved(std::ldexp(T{1}, high - half), from.next());
                                  return triple<T>{a, b, moved(std::numeric_limits<T>::max(), from.next() | 4)};
                              })
               == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_triple_of_special_numbers, T, numbers)
{
    using limits = std::numeric_limits<T>;
    const T plain[] = {0,
                       limits::denorm_min(),
                       2 * limits::denorm_min(),
                       limits::min() - limits::denorm_min(),
                       limits::min(),
                       std::nextafter(limits::min(), T{1}),
                       limits::epsilon(),
                       limits::epsilon() / 2,
                       static_cast<T>(0.5),
                       1 - limits::epsilon() / 2,
                       1,
                       1 + limits::epsilon(),
                       static_cast<T>(1.5),
                       2,
                       3,
                       std::sqrt(limits::max()),
                       std::sqrt(limits::min()),
                       limits::max() / 2,
                       std::nextafter(limits::max(), T{0}),
                       limits::max(),
                       limits::infinity(),
                       limits::quiet_NaN()};
    constexpr std::size_t count = 2 * std::size(plain);
    std::size_t at = 0;
    BOOST_TEST(differences<T>(count * count * count,
                              [&](integers&) {
                                  const auto number = [&](std::size_t i) { return i % 2 == 0 ? plain[i / 2] : -plain[i / 2]; };
                                  const triple<T> t{number(at % count), number(at / count % count), number(at / count / count)};
                                  ++at;
                                  return t;
                              })
               == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_public_function_is_the_exact_one, T, numbers)
{
    integers from{opaque<std::uint64_t>(16)};
    std::size_t unequal = 0;
    for (std::size_t i = 0; i < many; ++i) {
        const T a = pattern<T>(from), b = pattern<T>(from), c = pattern<T>(from);
        if (!same(hs::fma(a, b, c), std::fma(a, b, c))) ++unequal;
    }
    BOOST_TEST(unequal == 0u);
}

// Constant evaluation. Each line wants one rounding where two would give another number.
namespace {

/// The public function, which is the compiler's own in GCC; NaN where the software form differs.
template <class T>
constexpr T both(T a, T b, T c)
{
    const T x = hs::fma(a, b, c);
    return bits(x) == bits(hs::detail::software_fma(a, b, c)) ? x : std::numeric_limits<T>::quiet_NaN();
}
constexpr float f(float a, float b, float c) { return both(a, b, c); }
constexpr double d(double a, double b, double c) { return both(a, b, c); }

static_assert(f(1 + 0x1p-12f, 1 + 0x1p-12f, -(1 + 0x1p-11f)) == 0x1p-24f);  // the product's lost bit
static_assert(d(1 + 0x1p-27, 1 + 0x1p-27, -(1 + 0x1p-26)) == 0x1p-54);
static_assert(f(0x1p-12f, 0x1p-12f, 1.0f) == 1.0f
              && f(0x1.000002p-12f, 0x1p-12f, 1.0f) == 0x1.000002p+0f);  // half way and beside
static_assert(f(0x1p-12f, 0x1p-12f, 0x1.000002p+0f) == 0x1.000004p+0f);  // ties to even
static_assert(d(0x1p-26, 0x1p-27, 1.0) == 1.0 && d(0x1.0000000000001p-26, 0x1p-27, 1.0) == 0x1.0000000000001p+0);
static_assert(d(0x1p-26, 0x1p-27, 0x1.0000000000001p+0) == 0x1.0000000000002p+0);
static_assert(f(0x1.000002p-12f, 0x1.fffffcp-13f, 0x1.000002p+0f)
              == 0x1.000002p+0f);  // in double, then in float: 0x1.000004p+0
static_assert(f(0x1p-75f, 0x1p-75f, 0x1p-148f) == 0x1p-148f && f(0x1p-75f, 0x1.8p-75f, 0x1p-148f) == 0x1.8p-148f);  // denormal
static_assert(f(0x1p-75f, 0x1p-75f, 0x1p-126f) == 0x1p-126f && f(-0x1p-100f, 0x1p-49f, 0x1p-126f) == 0x1.fffffcp-127f);
static_assert(d(0x1p-537, 0x1p-538, 0x1p-1074) == 0x1p-1073 && d(0x1p-537, 0x1p-538, 0x1p-1022) == 0x1p-1022);
static_assert(d(-0x1p-574, 0x1p-500, 0x1p-1022) == 0x1.ffffffffffffep-1023);
static_assert(f(0x1p100f, 0x1p28f, -0x1.fffffep+127f) == 0x1p104f && d(0x1p1000, 0x1p24, -0x1.fffffffffffffp+1023) == 0x1p971);
static_assert(f(2, 3, -6) == 0 && d(2, 3, -6) == 0 && bits(f(2, 3, -6)) == 0 && bits(d(2, 3, -6)) == 0);
static_assert(bits(f(-0.0f, 1, -0.0f)) == 0x80000000 && bits(d(-0.0, 1, -0.0)) == 0x8000000000000000);
static_assert(f(3, 5, 0) == 15 && f(0, 5, 7) == 7 && d(3, 5, 0) == 15 && d(0, 5, 7) == 7);

}  // namespace
