// SPDX-License-Identifier: BSL-1.0
// Compiled with -O3 -ffp-contract=fast: what a user adds to a result of the library is added to the rounded result. A
// plain product would be fused with the sum there, on processors that can.
#include "inputs.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <tuple>

namespace hs = headstrong;
using tests::bits;
using tests::opaque;

namespace {

using numbers = std::tuple<float, double>;

template <class T>
struct operands {
    T a[256], b[256], c[256], found[256];

    /// Sums that cancel, so that a fused product leaves its rounding error and a rounded one leaves 0.
    operands()
    {
        tests::integers from{opaque<std::uint64_t>(6)};
        for (std::size_t i = 0; i < 256; ++i) {
            a[i] = tests::number<T>(from);
            b[i] = tests::number<T>(from);
            volatile T rounded = a[i] * b[i];
            c[i] = -rounded;
        }
    }
    [[nodiscard]] std::size_t not_zero() const
    {
        std::size_t count = 0;
        for (const T x : found) count += x == 0 ? 0 : 1;
        return count;
    }
};

template <class L, class T>
[[gnu::noinline]] void products_plus(operands<T>& o)
{
    for (std::size_t i = 0; i < 256; i += L::size)
        (hs::product(L::load(o.a + i), L::load(o.b + i)) + L::load(o.c + i)).store(o.found + i);
}

template <class L, class T>
[[gnu::noinline]] void products_minus(operands<T>& o)
{
    for (std::size_t i = 0; i < 256; i += L::size)
        (L::broadcast(0) - hs::product(L::load(o.a + i), L::load(o.b + i)) - L::load(o.c + i)).store(o.found + i);
}

/// A score whose author adds what the library returns.
struct sum_of_exponentials {
    template <class Q, class K>
    auto operator()(const Q& q, const K& k) const
    {
        return hs::exp(q[0]) + hs::exp(k[0]) - hs::exp(q[1]);
    }
};

/// The same, each step of it rounded.
struct rounded_sum_of_exponentials {
    template <class Q, class K>
    auto operator()(const Q& q, const K& k) const
    {
        volatile auto a = hs::exp(q[0]), b = hs::exp(k[0]), c = hs::exp(q[1]);
        volatile auto sum = a + b;
        return sum - c;
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(a_product_beside_a_sum_is_rounded_first, T, numbers)
{
    operands<T> o;
    products_plus<hs::native_lanes<T>>(o);
    BOOST_TEST(o.not_zero() == 0u);
    products_minus<hs::native_lanes<T>>(o);
    BOOST_TEST(o.not_zero() == 0u);
    products_plus<hs::portable_lanes<T>>(o);
    BOOST_TEST(o.not_zero() == 0u);
    products_minus<hs::portable_lanes<T>>(o);
    BOOST_TEST(o.not_zero() == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_exponential_beside_a_sum_is_rounded_first, T, numbers)
{
    tests::integers from{opaque<std::uint64_t>(8)};
    std::size_t found = 0;
    for (int i = 0; i < 100'000; ++i) {
        const T x = 80 * tests::number<T>(from), other = tests::number<T>(from);
        volatile T rounded = hs::exp(x);
        volatile T sum = rounded + other;
        if (bits<T>(sum) != bits(hs::exp(x) + other)) ++found;
    }
    BOOST_TEST(found == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_exponential_that_overflows_is_infinite_before_it_meets_a_sum, T, numbers)
{
    const T x = opaque(std::log(std::numeric_limits<T>::max()) + static_cast<T>(0.01)),
            large = opaque(std::numeric_limits<T>::max());
    BOOST_TEST(hs::exp(x) - large == std::numeric_limits<T>::infinity());
    T y[hs::lane_count<T>];
    using lanes = hs::native_lanes<T>;
    (hs::exp(lanes::broadcast(x)) - lanes::broadcast(large)).store(y);
    BOOST_TEST(y[0] == std::numeric_limits<T>::infinity());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_score_of_the_users_has_the_bits_of_its_rounded_terms, T, numbers)
{
    tests::integers from{opaque<std::uint64_t>(9)};
    hs::matrix<T, 2, 17> q;
    hs::matrix<T, 2, 5> k;
    hs::matrix<T, 1, 5> v;
    tests::fill(q.elements, from), tests::fill(k.elements, from), tests::fill(v.elements, from);
    const auto y = hs::attention(q, k, v, sum_of_exponentials{}),
               expected = hs::attention(q, k, v, rounded_sum_of_exponentials{});
    for (std::size_t i = 0; i < y.columns; ++i) BOOST_TEST(bits(y(0, i)) == bits(expected(0, i)));
}
