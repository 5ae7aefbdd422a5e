// SPDX-License-Identifier: BSL-1.0
// Score functions f: inner products with a factor of the user's, and callables of two columns.
#include "cases.hpp"

#include "reference/reference.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace property {
namespace {

using headstrong::bias;
using headstrong::dims;
using headstrong::dot;
using headstrong::dot_times;

/// The inner product, summed like the library sums it.
struct own_dot {
    template <class Query, class Key>
    [[nodiscard]] constexpr auto operator()(const Query& q, const Key& k) const
    {
        decltype(q[0]) sum = 0;
        for (std::size_t r = 0; r < q.size(); ++r) sum = headstrong::fma(q[r], k[r], sum);
        return sum;
    }
};

/// -|q - k|^2: near keys fit.
struct negative_distance {
    template <class Query, class Key>
    [[nodiscard]] constexpr auto operator()(const Query& q, const Key& k) const
    {
        decltype(q[0]) sum = 0;
        for (std::size_t r = 0; r < q.size(); ++r) {
            const auto difference = q[r] - k[r];
            sum = headstrong::fma(-difference, difference, sum);
        }
        return sum;
    }
};

/// attention() of one shape with several scores.
template <class T>
struct score_case {
    attention_case<T> with_scaled_dot, with_dot, with_own_dot, with_distance, with_distance_of_moved_keys;
    grid<T> (*with_factor)(const inputs<T>& x, T factor);
    T scale;
};

template <class T, std::size_t DK, std::size_t DV, std::size_t N, std::size_t M>
[[nodiscard]] score_case<T> scores_of()
{
    const auto with_moved_keys = [](const inputs<T>& x) {
        headstrong::matrix<T, M, DK> moved;
        for (std::size_t j = 0; j < M; ++j)
            for (std::size_t r = 0; r < DK; ++r) moved(j, r) = x.k(r, j);
        return grid<T>(headstrong::attention(x.q.template as<DK, N>(), headstrong::transposed(moved), x.v.template as<DV, M>(),
                                             negative_distance{}));
    };
    const auto with_factor = [](const inputs<T>& x, T factor) {
        return grid<T>(headstrong::attention(x.q.template as<DK, N>(), x.k.template as<DK, M>(), x.v.template as<DV, M>(),
                                             dot_times{factor}));
    };
    return {attention_of<T, DK, DV, N, M>(),          attention_of<T, DK, DV, N, M>(dot{}),
            attention_of<T, DK, DV, N, M>(own_dot{}), attention_of<T, DK, DV, N, M>(negative_distance{}),
            {DK, DV, N, M, with_moved_keys},          with_factor,
            headstrong::scaled_dot::scale<T, DK>()};
}

const cases<score_case> all{{scores_of<float, 8, 2, 17, 15>()}, {scores_of<double, 35, 1, 5, 3>()}};

template <class T>
[[nodiscard]] inputs<T> small_inputs(const attention_case<T>& sizes, numbers& random)
{
    return {random.grid<T>(sizes.d_k, sizes.n, 1), random.grid<T>(sizes.d_k, sizes.m, 1), random.grid<T>(sizes.d_v, sizes.m)};
}

BOOST_AUTO_TEST_CASE(a_callable_inner_product_gives_the_bits_of_dot)
{
    for_each(all, 5, []<class T>(const score_case<T>& attention, numbers& random) {
        const auto x = small_inputs(attention.with_dot, random);
        BOOST_TEST(same_bits(attention.with_own_dot(x), attention.with_dot(x)));
    });
}

BOOST_AUTO_TEST_CASE(the_factor_of_an_inner_product_may_be_the_users)
{
    for_each(all, 5, []<class T>(const score_case<T>& attention, numbers& random) {
        auto x = small_inputs(attention.with_dot, random);
        BOOST_TEST(same_bits(attention.with_factor(x, 1), attention.with_dot(x)));
        BOOST_TEST(same_bits(attention.with_factor(x, attention.scale), attention.with_scaled_dot(x)));

        const T factor = static_cast<T>(random.next(1));
        const estimate exact_factor{static_cast<double>(factor), 0};
        BOOST_TEST(
            within(attention.with_factor(x, factor), property::attention<T>(exact(x.q), exact(x.k), exact(x.v), exact_factor)));

        const grid<T> with_two = attention.with_factor(x, 2);
        x.q = times(x.q, T{2});
        BOOST_TEST(same_bits(with_two, attention.with_dot(x)));
    });
}

BOOST_AUTO_TEST_CASE(a_score_with_its_own_arithmetic_is_within_its_bound)
{
    for_each(all, 5, []<class T>(const score_case<T>& attention, numbers& random) {
        const auto x = small_inputs(attention.with_distance, random);
        const reference::score distance = [](std::span<const double> q, std::span<const double> k) {
            double squares = 0;
            for (std::size_t r = 0; r < q.size(); ++r) squares += (q[r] - k[r]) * (q[r] - k[r]);
            return -squares;
        };
        // d_k fused steps, and each difference, rounded, comes in squared: gamma(d_k + 2) of a sum of squares.
        estimates scores = exact(reference::scores(table_of(x.q), table_of(x.k), distance));
        for (std::size_t i = 0; i < scores.columns(); ++i)
            for (std::size_t j = 0; j < scores.rows(); ++j) scores(j, i).error = gamma<T>(x.q.rows() + 2) * -scores(j, i).value;
        const estimates expected = product<T>(exact(x.v), softmax<T>(scores));
        const reference::table y = reference::attention(table_of(x.q), table_of(x.k), table_of(x.v), distance);
        BOOST_TEST(says_something(expected));
        BOOST_TEST(within(attention.with_distance(x), with_values(expected, y)));
    });
}

BOOST_AUTO_TEST_CASE(a_callable_sees_the_same_columns_through_any_stride)
{
    for_each(all, 2, []<class T>(const score_case<T>& attention, numbers& random) {
        const auto x = small_inputs(attention.with_distance, random);
        BOOST_TEST(same_bits(attention.with_distance_of_moved_keys(x), attention.with_distance(x)));
    });
}

BOOST_AUTO_TEST_CASE(a_callable_is_asked_once_for_each_query_and_key)
{
    constexpr std::size_t n = 17, m = 5;
    headstrong::matrix<float, 2, n> q;
    headstrong::matrix<float, 2, m> k;
    for (std::size_t i = 0; i < n; ++i) q(0, i) = static_cast<float>(i), q(1, i) = 1;
    for (std::size_t j = 0; j < m; ++j) k(0, j) = static_cast<float>(j), k(1, j) = 2;
    numbers random(31);
    const auto v = random.matrix<float, 3, m>();

    std::array<std::array<int, m>, n> calls{};
    bool columns_are_whole = true;
    const auto counting = [&](const auto& query, const auto& key) {
        columns_are_whole = columns_are_whole && query.size() == 2 && key.size() == 2 && query[1] == 1 && key[1] == 2;
        if (columns_are_whole) ++calls[static_cast<std::size_t>(query[0])][static_cast<std::size_t>(key[0])];
        return 0.0f;
    };
    static_cast<void>(headstrong::attention(q, k, v, counting));
    BOOST_TEST(columns_are_whole);
    for (const auto& calls_of_query : calls)
        for (const int count : calls_of_query) BOOST_TEST(count == 1);
}

BOOST_AUTO_TEST_CASE(a_layer_takes_a_callable_score)
{
    constexpr dims D{.d_model = 5, .heads = 3, .d_k = 2, .d_v = 8, .biases = bias::all};
    numbers random(32);
    const auto w = random.weights<float, D>();
    const auto x = random.matrix<float, 5, 17>();
    const auto y = headstrong::multi_head<float, D, own_dot>{w}(x, x, x);
    BOOST_TEST(same_bits(y, headstrong::multi_head_as_sum(w, x, x, x, own_dot{})));
    BOOST_TEST(same_bits(y, headstrong::multi_head<float, D, dot>{w}(x, x, x, headstrong::by<headstrong::plan_kind::direct>)));
}

}  // namespace
}  // namespace property
