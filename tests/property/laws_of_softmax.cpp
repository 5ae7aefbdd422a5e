// SPDX-License-Identifier: BSL-1.0
// What is true of the softmax of any scores.
#include "cases.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

namespace property {
namespace {

/// softmax() of m scores of n queries.
template <class T>
struct softmax_case {
    std::size_t m, n;
    grid<T> (*run)(const grid<T>& x);

    [[nodiscard]] grid<T> operator()(const grid<T>& x) const { return run(x); }
};

template <class T, std::size_t M, std::size_t N>
[[nodiscard]] softmax_case<T> softmax_of()
{
    return {M, N, [](const grid<T>& x) { return grid<T>(headstrong::softmax(x.template as<M, N>())); }};
}

const cases<softmax_case> all{
    {softmax_of<float, 1, 5>(), softmax_of<float, 2, 17>(), softmax_of<float, 8, 35>(), softmax_of<float, 16, 2>(),
     softmax_of<float, 17, 15>(), softmax_of<float, 35, 16>()},
    {softmax_of<double, 3, 1>(), softmax_of<double, 5, 16>(), softmax_of<double, 15, 8>(), softmax_of<double, 35, 3>()}};

BOOST_AUTO_TEST_CASE(weights_are_not_negative_and_sum_to_one)
{
    for_each(all, 20, []<class T>(const softmax_case<T>& softmax, numbers& random) {
        const grid<T> y = softmax(random.grid<T>(softmax.m, softmax.n, 20));
        for (std::size_t i = 0; i < softmax.n; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < softmax.m; ++j) {
                BOOST_REQUIRE(y(j, i) >= 0);
                sum += static_cast<double>(y(j, i));
            }
            // Errors of the numerators cancel. Left are the roundings of the denominator, of its reciprocal and of the
            // products, and those of this sum in double.
            BOOST_REQUIRE(std::abs(sum - 1) <= gamma<T>(denominator_roundings<T>(softmax.m) + 3) + gamma<double>(softmax.m));
        }
    });
}

BOOST_AUTO_TEST_CASE(softmax_is_within_its_bound)
{
    for (const double size : {1.0, 20.0, 200.0})
        for_each(all, 10, [&]<class T>(const softmax_case<T>& softmax, numbers& random) {
            const grid<T> x = random.grid<T>(softmax.m, softmax.n, size);
            const estimates expected = property::softmax<T>(exact(x));
            BOOST_TEST(says_something(expected));
            BOOST_TEST(within(softmax(x), expected));
        });
}

BOOST_AUTO_TEST_CASE(a_constant_added_to_a_column_changes_no_bit_where_the_sum_is_exact)
{
    for_each(all, 20, []<class T>(const softmax_case<T>& softmax, numbers& random) {
        const grid<T> x = random.integers<T>(softmax.m, softmax.n, 20);
        grid<T> moved = x;
        for (std::size_t i = 0; i < softmax.n; ++i) {
            const T constant = static_cast<T>(random.integer(1 << 20));
            for (std::size_t j = 0; j < softmax.m; ++j) moved(j, i) += constant;
        }
        BOOST_TEST(same_bits(softmax(moved), softmax(x)));
    });
}

BOOST_AUTO_TEST_CASE(a_constant_added_to_a_column_changes_little)
{
    for_each(all, 20, []<class T>(const softmax_case<T>& softmax, numbers& random) {
        const grid<T> x = random.grid<T>(softmax.m, softmax.n);
        grid<T> moved = x;
        estimates moved_scores = exact(x);
        for (std::size_t i = 0; i < softmax.n; ++i) {
            const T constant = static_cast<T>(random.next(100));
            for (std::size_t j = 0; j < softmax.m; ++j) {
                moved(j, i) += constant;
                moved_scores(j, i).error = unit<T> * std::abs(moved_scores(j, i).value + static_cast<double>(constant));
            }
        }
        BOOST_TEST(agree(softmax(moved), property::softmax<T>(moved_scores), softmax(x), property::softmax<T>(exact(x))));
    });
}

BOOST_AUTO_TEST_CASE(permuted_columns_give_permuted_columns_bit_for_bit)
{
    for_each(all, 5, []<class T>(const softmax_case<T>& softmax, numbers& random) {
        const grid<T> x = random.grid<T>(softmax.m, softmax.n, 10);
        const auto order = random.order(softmax.n);
        BOOST_TEST(same_bits(softmax(with_columns_at(x, order)), with_columns_at(softmax(x), order)));
    });
}

BOOST_AUTO_TEST_CASE(equal_scores_of_any_size_have_equal_weights)
{
    for_each(all, 1, []<class T>(const softmax_case<T>& softmax, numbers&) {
        constexpr T most = std::numeric_limits<T>::max();
        for (const T score : {T(0), T(-1e3), T(1e3), T(-1e30), T(1e30), most, -most}) {
            const grid<T> equal(softmax.m, softmax.n, T{1} / static_cast<T>(softmax.m));
            BOOST_TEST(same_bits(softmax(grid<T>(softmax.m, softmax.n, score)), equal));
        }
    });
}

BOOST_AUTO_TEST_CASE(a_score_far_above_the_others_has_all_the_weight)
{
    for_each(all, 1, []<class T>(const softmax_case<T>& softmax, numbers&) {
        constexpr T most = std::numeric_limits<T>::max();
        const auto check = [&](T large, T small) {
            grid<T> x(softmax.m, softmax.n, small), expected(softmax.m, softmax.n);
            for (std::size_t i = 0; i < softmax.n; ++i) x(i % softmax.m, i) = large, expected(i % softmax.m, i) = 1;
            BOOST_TEST(same_bits(softmax(x), expected));
        };
        check(T(1e30), T(-1e30));
        check(T(1e30), T(0));
        check(T(0), T(-1e30));
        check(T(-1e3), T(-1e30));
        check(most, -most);
        check(T(-5), -infinity<T>);
        check(-most, -infinity<T>);
    });
}

BOOST_AUTO_TEST_CASE(a_column_without_a_largest_finite_score_has_one_meaning_and_changes_no_other)
{
    for_each(all, 1, []<class T>(const softmax_case<T>& softmax, numbers& random) {
        const grid<T> x = random.grid<T>(softmax.m, softmax.n, 10), undisturbed = softmax(x);
        for (std::size_t i = 0; i < softmax.n; ++i) {
            grid<T> unseen = x, with_nan = x, with_infinity = x, zero = undisturbed, undefined = undisturbed;
            set_column(unseen, i, -infinity<T>), set_column(zero, i, T{0}), set_column(undefined, i, nan<T>);
            with_nan(i % softmax.m, i) = nan<T>;
            with_infinity(i % softmax.m, i) = infinity<T>;
            BOOST_TEST(same_bits(softmax(unseen), zero));
            BOOST_TEST(same_bits(softmax(with_nan), undefined));
            BOOST_TEST(same_bits(softmax(with_infinity), undefined));
        }
    });
}

}  // namespace
}  // namespace property
