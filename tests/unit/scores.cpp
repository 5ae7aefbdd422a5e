// SPDX-License-Identifier: BSL-1.0
// Each score function against its formula in double.
#include "compare.hpp"
#include "headstrong/headstrong.hpp"
#include "layer_of_heads.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>
#include <ratio>
#include <span>
#include <tuple>
#include <type_traits>

namespace hs = headstrong;

namespace {

using number_types = std::tuple<float, double>;
template <class T>
constexpr double tolerance = std::is_same_v<T, float> ? 4e-6 : 1e-14;

using column = std::span<const double>;

/// Numbers of 18 queries and 21 keys of 3 numbers.
template <class T>
struct inputs {
    unit::random_numbers random{51};
    hs::matrix<T, 3, 18> q = random.matrix<hs::matrix<T, 3, 18>>();
    hs::matrix<T, 3, 21> k = random.matrix<hs::matrix<T, 3, 21>>();
    hs::matrix<T, 2, 21> v = random.matrix<hs::matrix<T, 2, 21>>();

    /// How far attention with this score, and the scores themselves, are from the formula.
    template <class Score, class... Options>
    double off(const Score& score, const reference::score& formula, const Options&... options) const
    {
        hs::matrix<T, 21, 18> masked;
        const auto y = hs::attention(q, k, v, score, options..., hs::scores_into<hs::score_stage::masked>(masked));
        const auto q_table = reference::table_of(q), k_table = reference::table_of(k), v_table = reference::table_of(v);
        const bool as_without = unit::same_bits(y, hs::attention(q, k, v, score, options...));
        return as_without ? std::max(unit::distance(masked, reference::scores(q_table, k_table, formula)),
                                     unit::distance(y, reference::attention(q_table, k_table, v_table, formula)))
                          : 1e9;
    }
};

double dot(column q, column k) { return reference::dot_times(1)(q, k); }
double squared_distance(column q, column k)
{
    double sum = 0;
    for (std::size_t r = 0; r < q.size(); ++r) sum += (q[r] - k[r]) * (q[r] - k[r]);
    return sum;
}
double cosine(column q, column k)
{
    const double length = std::sqrt(dot(q, q) * dot(k, k));
    return length > 0 ? dot(q, k) / length : 0;
}
reference::score capped(double cap, reference::score f)
{
    return [=](column q, column k) { return cap * std::tanh(f(q, k) / cap); };
}
/// q^T W k
template <class W>
reference::score by_matrix(const W& w)
{
    return [table = reference::table_of(w)](column q, column k) {
        double sum = 0;
        for (std::size_t r = 0; r < q.size(); ++r)
            for (std::size_t c = 0; c < k.size(); ++c) sum += q[r] * table(r, c) * k[c];
        return sum;
    };
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(inner_products_times_a_factor, T, number_types)
{
    const inputs<T> x;
    BOOST_TEST(x.off(hs::dot_times{T(1.75)}, reference::dot_times(1.75)) < tolerance<T>);
    BOOST_TEST(x.off(hs::dot_times_ratio<std::ratio<-5, 2>>{}, reference::dot_times(-2.5)) < tolerance<T>);
    BOOST_TEST(x.off(hs::scaled_dot{}, reference::scaled_dot(3)) < tolerance<T>);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_cosine_is_0_for_a_zero_and_does_not_depend_on_lengths, T, number_types)
{
    inputs<T> x;
    for (std::size_t r = 0; r < 3; ++r) x.q(r, 4) = x.k(r, 20) = 0, x.k(r, 2) *= T(1e-3), x.q(r, 17) *= T(1e3);
    BOOST_TEST(x.off(hs::cosine<>{}, cosine) < tolerance<T>);
    BOOST_TEST(x.off(hs::cosine<std::ratio<20>>{}, [](column q, column k) { return 20 * cosine(q, k); }) < 40 * tolerance<T>);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_negative_squared_distance_is_a_gaussian_kernel, T, number_types)
{
    const inputs<T> x;
    BOOST_TEST(x.off(hs::negative_squared_distance<>{}, [](column q, column k) { return -squared_distance(q, k); })
               < 4 * tolerance<T>);
    BOOST_TEST(x.off(hs::negative_squared_distance<std::ratio<1, 3>>{}, [](column q, column k) {
        return -squared_distance(q, k) / 3;
    }) < 4 * tolerance<T>);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(scores_with_parameters_of_their_own, T, number_types)
{
    inputs<T> x;
    const auto w = x.random.template matrix<hs::matrix<T, 3, 3>>();
    BOOST_TEST(x.off(hs::bilinear<T, 3>{w}, by_matrix(w)) < 4 * tolerance<T>);
    using additive = hs::additive<T, 4, 3>;
    const additive score{x.random.template matrix<hs::matrix<T, 4, 3>>(), x.random.template matrix<hs::matrix<T, 4, 3>>(),
                         x.random.template matrix<hs::matrix<T, 4, 1>>()};
    const auto formula = [&](column q, column k) {
        double sum = 0;
        for (std::size_t a = 0; a < 4; ++a) {
            double inner = 0;
            for (std::size_t r = 0; r < 3; ++r)
                inner += static_cast<double>(score.w_q(a, r)) * q[r] + static_cast<double>(score.w_k(a, r)) * k[r];
            sum += static_cast<double>(score.w(a, 0)) * std::tanh(inner);
        }
        return sum;
    };
    BOOST_TEST(x.off(score, formula) < 4 * tolerance<T>);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_soft_cap_serves_any_score, T, number_types)
{
    inputs<T> x;
    const auto w = x.random.template matrix<hs::matrix<T, 3, 3>>();
    using half = std::ratio<1, 2>;
    BOOST_TEST(x.off(hs::soft_capped<half>{}, capped(0.5, reference::scaled_dot(3))) < 4 * tolerance<T>);
    BOOST_TEST(x.off(hs::soft_capped<half, hs::cosine<>>{}, capped(0.5, cosine)) < 4 * tolerance<T>);
    BOOST_TEST((x.off(hs::soft_capped<half, hs::bilinear<T, 3>>{{w}}, capped(0.5, by_matrix(w))) < 4 * tolerance<T>));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(scores_of_the_users_in_lanes_and_of_matrices, T, number_types)
{
    const inputs<T> x;
    const auto first_difference = [](const auto& q, const auto& k) {
        const auto right = q[0] - k[0], left = k[0] - q[0];
        return larger(right, left) - fma(q[1], k[2], q[2]);
    };
    const auto formula = [](column q, column k) { return std::abs(q[0] - k[0]) - (q[1] * k[2] + q[2]); };
    BOOST_TEST(x.off(hs::in_lanes(first_difference), formula) < tolerance<T>);
    const auto of_columns = [](const auto& q, const auto& k) {
        const auto right = q[0] - k[0];
        return (right < 0 ? -right : right) - hs::fma(q[1], k[2], q[2]);
    };
    BOOST_TEST(x.off(of_columns, formula) < tolerance<T>);
    const auto all_at_once = [](auto q, auto k) {
        hs::matrix<T, decltype(k)::columns, decltype(q)::columns> s;
        for (std::size_t i = 0; i < q.columns; ++i)
            for (std::size_t j = 0; j < k.columns; ++j) {
                const T right = q(0, i) - k(0, j);
                s(j, i) = (right < 0 ? -right : right) - hs::fma(q(1, i), k(2, j), q(2, i));
            }
        return s;
    };
    BOOST_TEST(x.off(hs::of_matrices(all_at_once), formula) < tolerance<T>);
    using of_matrices = hs::of_matrices<decltype(all_at_once)>;
    BOOST_TEST((x.off(hs::soft_capped<std::ratio<1, 2>, of_matrices>{of_matrices(all_at_once)}, capped(0.5, formula))
                < 4 * tolerance<T>));
    BOOST_TEST(unit::same_bits(hs::attention(x.q, x.k, x.v, hs::of_matrices(all_at_once), hs::causal_from{4}),
                               hs::attention(x.q, x.k, x.v, hs::in_lanes(first_difference), hs::causal_from{4})));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_function_of_a_score_and_its_place, T, number_types)
{
    const inputs<T> x;
    const auto squared = hs::modify([](auto s, std::size_t, auto i, auto j) {
        using L = decltype(s);
        return fma(s, s, hs::product(j - i, L::broadcast(typename L::value_type(0.0625))));
    });
    hs::matrix<T, 21, 18> masked;
    const auto y = hs::attention(x.q, x.k, x.v, squared, hs::scores_into<hs::score_stage::masked>(masked));
    auto scores = reference::scores(reference::table_of(x.q), reference::table_of(x.k), reference::scaled_dot(3));
    for (std::size_t i = 0; i < 18; ++i)
        for (std::size_t j = 0; j < 21; ++j)
            scores(j, i) = scores(j, i) * scores(j, i) + (static_cast<double>(j) - static_cast<double>(i)) / 16;
    BOOST_TEST(unit::distance(masked, scores) < tolerance<T>);
    BOOST_TEST(unit::distance(y, reference::affine(reference::table_of(x.v), reference::softmax(scores))) < tolerance<T>);
}

// In a layer each head has its own parameters.
namespace {

template <class Layer, class Formula, class... Options>
double off_by(const Layer& layer, const typename Layer::weights_type& w, Formula formula, const Options&... options)
{
    using T = typename Layer::value_type;
    unit::random_numbers random(53);
    const auto q = random.matrix<hs::matrix<T, Layer::sizes.d_model, 5>>();
    const auto k = random.matrix<hs::matrix<T, Layer::sizes.d_key, 19>>();
    const auto q_table = reference::table_of(q), k_table = reference::table_of(k);
    const auto expected = unit::layer_of_heads(reference::layer_of(w), q_table, k_table, k_table,
                                               [&](std::size_t h, const auto& q_h, const auto& k_h, const auto& v_h) {
                                                   return reference::attention(q_h, k_h, v_h, formula(h));
                                               });
    return unit::distance(layer(q, k, k, options...), expected);
}

constexpr hs::dims grouped{.d_model = 5, .heads = 4, .d_k = 3, .d_v = 2, .kv_heads = 2, .biases = hs::bias::all};

}  // namespace

BOOST_AUTO_TEST_CASE(each_head_of_a_layer_has_its_own_bilinear_score)
{
    using layer_type = hs::multi_head<double, grouped, hs::bilinear<double, 3>>;
    unit::random_numbers random(54);
    auto w = random.weights<layer_type::weights_type>();
    for (auto& kind : w.kinds) random.fill(kind.w);
    const auto formula = [&](std::size_t h) { return by_matrix(w.kinds[h].w); };
    BOOST_TEST(off_by(layer_type(w), w, formula, hs::by<hs::plan_kind::direct>) < 1e-13);
    BOOST_TEST(off_by(layer_type(w), w, formula, hs::by<hs::plan_kind::streamed>) < 1e-13);
}

BOOST_AUTO_TEST_CASE(each_head_of_a_layer_has_its_own_factor)
{
    using layer_type = hs::multi_head<double, grouped, hs::dot_times<double>>;
    unit::random_numbers random(55);
    auto w = random.weights<layer_type::weights_type>();
    for (std::size_t h = 0; h < 4; ++h) w.kinds[h].factor = 0.5 * static_cast<double>(h) - 0.7;
    const auto formula = [&](std::size_t h) { return reference::dot_times(w.kinds[h].factor); };
    BOOST_TEST(off_by(layer_type(w), w, formula, hs::by<hs::plan_kind::direct>) < 1e-13);
    BOOST_TEST(off_by(layer_type(w), w, formula, hs::by<hs::plan_kind::absorbed>) < 1e-13);
    BOOST_TEST(off_by(layer_type(w), w, formula, hs::by<hs::plan_kind::streamed>) < 1e-13);
}

// A softmax sees the bias of the keys through a cap.
BOOST_AUTO_TEST_CASE(a_capped_layer_with_biases_is_the_same_by_every_plan)
{
    using layer_type = hs::multi_head<double, grouped, hs::soft_capped<std::ratio<1, 2>>>;
    unit::random_numbers random(56);
    const auto w = random.weights<layer_type::weights_type>();
    const auto formula = [&](std::size_t) { return capped(0.5, reference::scaled_dot(3)); };
    BOOST_TEST(off_by(layer_type(w), w, formula, hs::by<hs::plan_kind::direct>) < 1e-13);
    BOOST_TEST(off_by(layer_type(w), w, formula, hs::by<hs::plan_kind::absorbed>) < 1e-13);
    BOOST_TEST(off_by(layer_type(w), w, formula, hs::by<hs::plan_kind::streamed>) < 1e-13);
}
