// SPDX-License-Identifier: BSL-1.0
// What is true of attention() for any queries, keys and values.
#include "cases.hpp"

#include "reference/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace property {
namespace {

const cases<attention_case> all{
    {attention_of<float, 1, 16, 17, 2>(), attention_of<float, 2, 1, 35, 16>(), attention_of<float, 3, 35, 1, 5>(),
     attention_of<float, 8, 3, 15, 17>(), attention_of<float, 16, 15, 2, 35>(), attention_of<float, 35, 8, 5, 3>(),
     attention_of<float, 5, 17, 16, 1>()},
    {attention_of<double, 5, 17, 3, 35>(), attention_of<double, 15, 2, 8, 8>(), attention_of<double, 17, 5, 16, 15>(),
     attention_of<double, 2, 1, 5, 1>()}};

/// Largest magnitude in a row.
template <class T>
[[nodiscard]] double largest_in_row(const grid<T>& x, std::size_t r)
{
    double largest = 0;
    for (std::size_t j = 0; j < x.columns(); ++j) largest = std::max(largest, std::abs(static_cast<double>(x(r, j))));
    return largest;
}

/// What a number of the output may differ from sum_j e_j v_j / sum_j e_j, relatively to the largest |v_j|, whatever the
/// numerators e_j are: a chain of m terms, the denominator's roundings, its reciprocal and the product by it. A quotient of
/// (1 + theta_a) and (1 + theta_b) is 1 + theta_(a + 2 b) (Higham, lemma 3.3).
template <class T>
[[nodiscard]] double averaging_error(std::size_t m)
{
    return gamma<T>(m + 2 + 2 * denominator_roundings<T>(m));
}

BOOST_AUTO_TEST_CASE(every_number_is_within_its_bound_of_the_reference_in_double)
{
    for_each(all, 30, []<class T>(const attention_case<T>& attention, numbers& random) {
        const auto x = attention.random_inputs(random);
        const estimates expected = attention.expected(x);
        const reference::table y = reference::attention(table_of(x.q), table_of(x.k), table_of(x.v));
        BOOST_TEST(says_something(expected));
        BOOST_TEST(within(attention(x), with_values(expected, y)));
        // Two ways to the same value in double, each within the bound that it would have as a result of double.
        const estimates in_double = property::attention<double>(exact(x.q), exact(x.k), exact(x.v));
        BOOST_TEST(within(grid_view<double>{y.numbers.data(), y.rows, y.columns, 1, y.rows}, in_double));
    });
}

BOOST_AUTO_TEST_CASE(weights_are_not_negative_and_sum_to_one)
{
    for_each(all, 5, []<class T>(const attention_case<T>& attention, numbers& random) {
        auto x = attention.random_inputs(random);
        std::ranges::fill(x.v.numbers(), T{1});
        BOOST_TEST(near(attention(x), grid<T>(attention.d_v, attention.n, 1),
                        [&](std::size_t, std::size_t) { return averaging_error<T>(attention.m); }));
        for (std::size_t key = 0; key < attention.m; ++key) {
            std::ranges::fill(x.v.numbers(), T{0});
            set_column(x.v, key, T{1});  // every number of the output is the weight of one key
            BOOST_TEST(std::ranges::all_of(attention(x).numbers(), [](T weight) { return weight >= 0 && weight <= 1; }));
        }
    });
}

BOOST_AUTO_TEST_CASE(the_output_lies_between_the_least_and_the_largest_value_of_its_row)
{
    for_each(all, 20, []<class T>(const attention_case<T>& attention, numbers& random) {
        const auto x = attention.random_inputs(random);
        const grid<T> y = attention(x);
        for (std::size_t r = 0; r < attention.d_v; ++r) {
            T least = x.v(r, 0), largest = x.v(r, 0);
            for (std::size_t j = 0; j < attention.m; ++j)
                least = std::min(least, x.v(r, j)), largest = std::max(largest, x.v(r, j));
            const double slack = averaging_error<T>(attention.m) * largest_in_row(x.v, r);
            for (std::size_t i = 0; i < attention.n; ++i) {
                BOOST_REQUIRE(static_cast<double>(y(r, i)) >= static_cast<double>(least) - slack);
                BOOST_REQUIRE(static_cast<double>(y(r, i)) <= static_cast<double>(largest) + slack);
            }
        }
    });
}

BOOST_AUTO_TEST_CASE(permuted_queries_give_permuted_columns_bit_for_bit)
{
    for_each(all, 5, []<class T>(const attention_case<T>& attention, numbers& random) {
        const auto x = attention.random_inputs(random);
        const auto order = random.order(attention.n);
        BOOST_TEST(same_bits(attention({with_columns_at(x.q, order), x.k, x.v}), with_columns_at(attention(x), order)));
    });
}

BOOST_AUTO_TEST_CASE(keys_permuted_with_their_values_change_only_the_order_of_sums)
{
    for_each(all, 5, []<class T>(const attention_case<T>& attention, numbers& random) {
        const auto x = attention.random_inputs(random);
        const auto order = random.order(attention.m);
        // The numerators are the same numbers, so both are within the error of averaging of the same quotient.
        BOOST_TEST(
            near(attention({x.q, with_columns_at(x.k, order), with_columns_at(x.v, order)}), attention(x),
                 [&](std::size_t r, std::size_t) { return 2 * averaging_error<T>(attention.m) * largest_in_row(x.v, r); }));
    });
}

BOOST_AUTO_TEST_CASE(equal_keys_give_the_mean_of_the_values)
{
    for_each(all, 10, []<class T>(const attention_case<T>& attention, numbers& random) {
        auto x = attention.random_inputs(random);
        for (std::size_t j = 0; j < attention.m; ++j)
            for (std::size_t c = 0; c < attention.d_k; ++c) x.k(c, j) = x.k(c, 0);
        x.v = random.integers<T>(attention.d_v, attention.m, 1000);  // their sums are exact
        grid<T> mean(attention.d_v, attention.n);
        for (std::size_t r = 0; r < attention.d_v; ++r) {
            T sum = 0;
            for (std::size_t j = 0; j < attention.m; ++j) sum += x.v(r, j);
            set_row(mean, r, sum / static_cast<T>(attention.m));
        }
        const grid<T> y = attention(x);
        // 1 / m and the product by it are rounded, and so is the expected quotient; where m is a power of two, none is.
        BOOST_TEST(near(y, mean,
                        [&](std::size_t r, std::size_t i) { return gamma<T>(3) * std::abs(static_cast<double>(mean(r, i))); }));
        if ((attention.m & (attention.m - 1)) == 0) BOOST_TEST(near(y, mean, [](std::size_t, std::size_t) { return 0.0; }));
    });
}

BOOST_AUTO_TEST_CASE(the_only_key_gives_its_value_exactly)
{
    for_each(all, 5, []<class T>(const attention_case<T>& attention, numbers& random) {
        if (attention.m != 1) return;
        const auto x = attention.random_inputs(random);
        grid<T> expected(attention.d_v, attention.n);
        for (std::size_t r = 0; r < attention.d_v; ++r) set_row(expected, r, x.v(r, 0));
        BOOST_TEST(same_bits(attention(x), expected));
    });
}

BOOST_AUTO_TEST_CASE(a_constant_added_to_the_scores_of_a_query_changes_nothing_where_it_is_exact)
{
    for_each(all, 5, []<class T>(const attention_case<T>& attention, numbers& random) {
        auto x = attention.random_inputs(random);
        x.q = random.integers<T>(attention.d_k, attention.n, 3);
        x.k = random.integers<T>(attention.d_k, attention.m, 3);
        auto moved = x;  // k(0, j) + c for all keys j adds c q(0, i) to the scores of query i, before the scale
        for (std::size_t j = 0; j < attention.m; ++j) moved.k(0, j) += 1000;
        BOOST_TEST(agree(attention(moved), attention.expected(moved), attention(x), attention.expected(x)));
        if (attention.d_k == 1 || attention.d_k == 16) BOOST_TEST(same_bits(attention(moved), attention(x)));  // scale 1 or 1/4
    });
}

BOOST_AUTO_TEST_CASE(attention_is_linear_in_the_values)
{
    for_each(all, 5, []<class T>(const attention_case<T>& attention, numbers& random) {
        const auto x = attention.random_inputs(random);
        BOOST_TEST(same_bits(attention({x.q, x.k, times(x.v, T{-4})}), times(attention(x), T{-4})));

        const grid<T> u = random.integers<T>(attention.d_v, attention.m, 1000),
                      v = random.integers<T>(attention.d_v, attention.m, 1000);
        const grid<T> sum = attention({x.q, x.k, plus(u, v)}),
                      of_parts = plus(attention({x.q, x.k, u}), attention({x.q, x.k, v}));
        // The weights are the same numbers: three times the error of averaging, and one rounding of the sum.
        BOOST_TEST(near(sum, of_parts, [&](std::size_t r, std::size_t) {
            const double largest = largest_in_row(u, r) + largest_in_row(v, r), once = averaging_error<T>(attention.m);
            return (2 * once + unit<T> * (1 + once)) * largest;
        }));
    });
}

BOOST_AUTO_TEST_CASE(scores_far_apart_leave_the_value_of_the_best_key)
{
    for_each(all, 1, []<class T>(const attention_case<T>& attention, numbers& random) {
        auto x = attention.random_inputs(random);
        for (const T size : {T(1e3), T(1e15)}) {  // scores of +-1e6 and +-1e30, over the root of d_k
            std::ranges::fill(x.q.numbers(), T{0}), std::ranges::fill(x.k.numbers(), T{0});
            set_row(x.q, 0, size), set_row(x.k, 0, -size);
            for (std::size_t i = 0; i < attention.n; ++i) x.q(0, i) = i % 2 == 0 ? size : -size;
            const std::size_t best = attention.m / 2;
            x.k(0, best) = size;
            const grid<T> y = attention(x);
            for (std::size_t i = 0; i < attention.n; i += 2)
                for (std::size_t r = 0; r < attention.d_v; ++r) BOOST_REQUIRE(y(r, i) == x.v(r, best));
            for (std::size_t i = 1; i < attention.n && attention.m == 2; i += 2)
                for (std::size_t r = 0; r < attention.d_v; ++r) BOOST_REQUIRE(y(r, i) == x.v(r, 1 - best));
        }
    });
}

BOOST_AUTO_TEST_CASE(equal_scores_of_any_size_give_the_same_bits)
{
    for_each(all, 1, []<class T>(const attention_case<T>& attention, numbers& random) {
        auto x = attention.random_inputs(random);
        std::ranges::fill(x.q.numbers(), T{0}), std::ranges::fill(x.k.numbers(), T{0});
        const grid<T> expected = attention(x);
        for (const T size : {T(1e3), T(-1e3), T(1e15), T(-1e15)}) {
            set_row(x.q, 0, size), set_row(x.k, 0, T(1e15));
            BOOST_TEST(same_bits(attention(x), expected));
        }
    });
}

BOOST_AUTO_TEST_CASE(nan_in_a_query_stays_in_its_column)
{
    for_each(all, 3, []<class T>(const attention_case<T>& attention, numbers& random) {
        const auto x = attention.random_inputs(random);
        for (std::size_t i = 0; i < attention.n; ++i) {
            auto disturbed = x;
            disturbed.q(i % attention.d_k, i) = nan<T>;
            grid<T> expected = attention(x);
            set_column(expected, i, nan<T>);
            BOOST_TEST(same_bits(attention(disturbed), expected));
        }
    });
}

BOOST_AUTO_TEST_CASE(nan_in_a_key_reaches_every_number)
{
    for_each(all, 1, []<class T>(const attention_case<T>& attention, numbers& random) {
        for (std::size_t j = 0; j < attention.m; ++j) {
            auto x = attention.random_inputs(random);
            x.k(j % attention.d_k, j) = nan<T>;
            BOOST_TEST(same_bits(attention(x), grid<T>(attention.d_v, attention.n, nan<T>)));
        }
    });
}

BOOST_AUTO_TEST_CASE(nan_or_infinity_in_a_value_stays_in_its_row)
{
    for_each(all, 1, []<class T>(const attention_case<T>& attention, numbers& random) {
        const auto x = attention.random_inputs(random);
        for (const T value : {nan<T>, infinity<T>, -infinity<T>})  // every weight is positive here
            for (std::size_t r = 0; r < attention.d_v; ++r) {
                auto disturbed = x;
                disturbed.v(r, r % attention.m) = value;
                grid<T> expected = attention(x);
                set_row(expected, r, value);
                BOOST_TEST(same_bits(attention(disturbed), expected));
                if (attention.m == 1) continue;
                disturbed.v(r, (r + 1) % attention.m) = -value;  // infinities of both signs have no sum
                set_row(expected, r, nan<T>);
                BOOST_TEST(same_bits(attention(disturbed), expected));
            }
    });
}

BOOST_AUTO_TEST_CASE(a_key_of_score_minus_infinity_has_no_weight)
{
    for_each(all, 3, []<class T>(const attention_case<T>& attention, numbers& random) {
        auto x = attention.random_inputs(random);
        for (T& number : x.q.numbers()) number = std::abs(number) + T(0.5);
        auto infinite = x, far = x;
        const std::size_t j = attention.m / 2;
        infinite.k(0, j) = -infinity<T>, far.k(0, j) = T(-1e30);
        if (attention.m == 1) {  // no other key: a zero column, where a finite score has all the weight
            BOOST_TEST(same_bits(attention(infinite), grid<T>(attention.d_v, attention.n)));
            return;
        }
        BOOST_TEST(same_bits(attention(infinite), attention(far)));
        set_column(far.v, j, T(1e20));  // and its value is not seen
        BOOST_TEST(same_bits(attention(infinite), attention(far)));
        infinite.k(0, j) = infinity<T>;
        BOOST_TEST(same_bits(attention(infinite), grid<T>(attention.d_v, attention.n, nan<T>)));
    });
}

BOOST_AUTO_TEST_CASE(an_infinite_query_makes_its_column_zero_or_undefined)
{
    for_each(all, 1, []<class T>(const attention_case<T>& attention, numbers& random) {
        auto x = attention.random_inputs(random);
        for (std::size_t j = 0; j < attention.m; ++j) x.k(0, j) = std::abs(x.k(0, j)) + T(0.5);
        const std::size_t i = attention.n / 2;
        grid<T> expected = attention(x);
        x.q(0, i) = -infinity<T>;  // all scores -infinity: no key is left
        set_column(expected, i, T{0});
        BOOST_TEST(same_bits(attention(x), expected));
        x.q(0, i) = infinity<T>;
        set_column(expected, i, nan<T>);
        BOOST_TEST(same_bits(attention(x), expected));
    });
}

/// The inner product, but a query that begins with more than 100 sees no key, and no query sees a key that does.
struct with_blind {
    template <class Query, class Key>
    [[nodiscard]] auto operator()(const Query& q, const Key& k) const
    {
        decltype(q[0]) sum = 0;
        for (std::size_t r = 0; r < q.size(); ++r) sum = headstrong::fma(q[r], k[r], sum);
        return q[0] > 100 || k[0] > 100 ? -infinity<decltype(sum)> : sum;
    }
};

BOOST_AUTO_TEST_CASE(a_query_that_sees_no_key_has_a_zero_column_and_changes_no_other)
{
    const cases<attention_case> with_callable{{attention_of<float, 3, 5, 17, 16>(with_blind{})},
                                              {attention_of<double, 8, 2, 3, 5>(with_blind{})}};
    for_each(with_callable, 3, []<class T>(const attention_case<T>& attention, numbers& random) {
        auto x = attention.random_inputs(random);
        grid<T> expected = attention(x);
        for (std::size_t i = 0; i < attention.n; i += 2) {
            x.q(0, i) = 200;
            set_column(expected, i, T{0});
            BOOST_TEST(same_bits(attention(x), expected));
        }
        for (std::size_t j = 0; j < attention.m; ++j) x.k(0, j) = 200;
        BOOST_TEST(same_bits(attention(x), grid<T>(attention.d_v, attention.n)));
    });
}

}  // namespace
}  // namespace property
