// SPDX-License-Identifier: BSL-1.0
// The comparisons and bounds of these tests refuse what they must refuse.
#include "cases.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

namespace property {
namespace {

using headstrong::matrix;

template <class T>
[[nodiscard]] T next_after(T x)
{
    return std::nextafter(x, T(1e9));
}

/// 3 x 2 ones, with number 2 of column 1 as given.
template <class T>
[[nodiscard]] grid<T> ones_but(T last)
{
    grid<T> x(3, 2, T{1});
    x(2, 1) = last;
    return x;
}

template <class T>
void bits_are_compared()
{
    BOOST_TEST(same_bits(ones_but(T{1}), ones_but(T{1})));
    BOOST_TEST(!same_bits(ones_but(next_after(T{1})), ones_but(T{1})));
    BOOST_TEST(!same_bits(ones_but(T{0}), ones_but(-T{0})));
    BOOST_TEST(!same_bits(ones_but(nan<T>), ones_but(T{1})));
    BOOST_TEST(!same_bits(ones_but(T{1}), ones_but(nan<T>)));
    BOOST_TEST(!same_bits(ones_but(infinity<T>), ones_but(nan<T>)));
    BOOST_TEST(!same_bits(ones_but(infinity<T>), ones_but(-infinity<T>)));
    BOOST_TEST(same_bits(ones_but(nan<T>), ones_but(-nan<T>)));
    BOOST_TEST(!same_bits(grid<T>(2, 3), grid<T>(3, 2)));
    BOOST_TEST(!same_bits(grid<T>(3, 1), grid<T>(3, 2)));
}

BOOST_AUTO_TEST_CASE(same_bits_refuses_one_wrong_bit)
{
    bits_are_compared<float>();
    bits_are_compared<double>();
}

BOOST_AUTO_TEST_CASE(same_bits_reads_strides)
{
    const matrix<float, 2, 3> x{1, 2, 3, 4, 5, 6};
    const matrix<float, 3, 2> y{1, 3, 5, 2, 4, 6};
    BOOST_TEST(same_bits(x, headstrong::transposed(y)));
    BOOST_TEST(same_bits(headstrong::rows(x), x));
    BOOST_TEST(!same_bits(x, headstrong::columns<2, 3>(y.data())));
    BOOST_TEST(!same_bits(x, headstrong::transposed(x)));
}

BOOST_AUTO_TEST_CASE(near_refuses_each_number_beyond_its_own_tolerance)
{
    const auto last_only = [](std::size_t r, std::size_t j) { return r == 2 && j == 1 ? 0.25 : 0.0; };
    const auto all_but_last = [&](std::size_t r, std::size_t j) { return 0.25 - last_only(r, j); };
    BOOST_TEST(near(ones_but(1.25), ones_but(1.0), last_only));
    BOOST_TEST(near(ones_but(0.75f), ones_but(1.0f), last_only));
    BOOST_TEST(!near(ones_but(next_after(1.25)), ones_but(1.0), last_only));
    BOOST_TEST(!near(ones_but(1.25f), ones_but(1.0f), all_but_last));
    BOOST_TEST(!near(ones_but(nan<double>), ones_but(nan<double>), last_only));
    BOOST_TEST(!near(ones_but(infinity<double>), ones_but(infinity<double>), last_only));
    BOOST_TEST(!near(ones_but(1.0), ones_but(nan<double>), last_only));
    BOOST_TEST(!near(grid<float>(2, 3), grid<float>(3, 2), last_only));
}

BOOST_AUTO_TEST_CASE(errors_of_opposite_sign_do_not_cancel)
{
    grid<float> x(2, 1);
    x(0, 0) = 1, x(1, 0) = -1;
    BOOST_TEST(!near(x, grid<float>(2, 1), [](std::size_t, std::size_t) { return 0.5; }));
}

BOOST_AUTO_TEST_CASE(within_and_agree_refuse_more_than_the_bounds)
{
    estimates expected = exact(ones_but(1.0f));
    BOOST_TEST(within(ones_but(1.0f), expected));
    BOOST_TEST(!within(ones_but(next_after(1.0f)), expected));
    BOOST_TEST(!within(ones_but(nan<float>), expected));
    expected(2, 1).error = 0.25;
    BOOST_TEST(within(ones_but(1.25f), expected));
    BOOST_TEST(!within(ones_but(next_after(1.25f)), expected));
    BOOST_TEST(!within(ones_but(0.5f), expected));
    BOOST_TEST(!within(grid<float>(2, 3, 1), expected));

    const estimates certain = exact(ones_but(1.0f));
    BOOST_TEST(agree(ones_but(1.5f), expected, ones_but(1.0f), expected));
    BOOST_TEST(agree(ones_but(1.25f), expected, ones_but(1.0f), certain));
    BOOST_TEST(!agree(ones_but(1.5f), expected, ones_but(1.0f), certain));
    BOOST_TEST(!agree(ones_but(nan<float>), expected, ones_but(nan<float>), expected));
}

BOOST_AUTO_TEST_CASE(a_bound_as_large_as_its_values_says_nothing)
{
    estimates x = exact(ones_but(1.0));
    BOOST_TEST(says_something(x));
    x(0, 0).error = 0.02;
    BOOST_TEST(!says_something(x));
    x(0, 0).error = nan<double>;
    BOOST_TEST(!says_something(x));
}

/// Each step of the estimates grows with what goes into it, and by no more than a few roundings.
BOOST_AUTO_TEST_CASE(a_bound_is_a_few_roundings_and_not_less)
{
    const matrix<float, 1, 3> w{1, 2, -4};
    const matrix<float, 3, 1> x{8, 1, 1};
    const estimates y = product<float>(exact(w), exact(x));
    BOOST_TEST(y(0, 0).value == 6);
    BOOST_TEST(y(0, 0).error >= 3 * unit<float> * 14);
    BOOST_TEST(y(0, 0).error <= 3.01 * unit<float> * 14);
    BOOST_TEST(product<float>(y, exact(matrix<float, 1, 1>{2}))(0, 0).error > 2 * y(0, 0).error);
    BOOST_TEST(product<float>(exact(matrix<float, 1, 1>{2}), y)(0, 0).error > 2 * y(0, 0).error);

    // Three equal scores: exp has 2 u in numerators and denominator, which is a sum over a tree and one group, and the
    // reciprocal and the product are rounded.
    const estimates p = softmax<float>(exact(matrix<float, 3, 1>{5, 5, 5}));
    const double roundings = static_cast<double>(2 + 2 + denominator_roundings<float>(3) + 2) * unit<float>;
    for (std::size_t j = 0; j < 3; ++j) {
        BOOST_TEST(std::abs(p(j, 0).value - 1 / 3.0) < 1e-15);
        BOOST_TEST(p(j, 0).error >= roundings / 3);
        BOOST_TEST(p(j, 0).error <= 1.01 * roundings / 3);
    }
    estimates scores = exact(matrix<float, 2, 1>{1, 2});
    const double before = softmax<float>(scores)(0, 0).error;
    scores(1, 0).error = 1e-3;
    BOOST_TEST(softmax<float>(scores)(0, 0).error > before + 1e-4);
}

}  // namespace
}  // namespace property
