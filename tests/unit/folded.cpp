// SPDX-License-Identifier: BSL-1.0
// Layers whose projections are folded: what they compute is what a multi_head of the same weights does.
#include "compare.hpp"
#include "headstrong/headstrong.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <limits>
#include <ratio>
#include <type_traits>

namespace hs = headstrong;
using hs::bias;
using hs::dims;

namespace {

constexpr dims all_sizes{
    .d_model = 7, .heads = 4, .d_k = 6, .d_v = 3, .d_key = 5, .d_value = 9, .d_out = 11, .kv_heads = 2, .biases = bias::all};
constexpr double tolerance = 1e-12;

/// A layer folded and not, of random weights, and inputs of n queries and m keys.
template <dims D, std::size_t N, std::size_t M, class... Kind>
struct example {
    using direct_type = hs::multi_head<double, D, Kind...>;
    using folded_type = hs::folded_multi_head<double, D, Kind...>;
    using weights_type = typename direct_type::weights_type;
    static_assert(std::is_same_v<weights_type, typename folded_type::weights_type>);
    unit::random_numbers random{81};
    weights_type w = random.weights<weights_type>();
    hs::matrix<double, D.d_model, N> q = random.matrix<hs::matrix<double, D.d_model, N>>();
    hs::matrix<double, D.d_key, M> k = random.matrix<hs::matrix<double, D.d_key, M>>();
    hs::matrix<double, D.d_value, M> v = random.matrix<hs::matrix<double, D.d_value, M>>();

    template <class... Options>
    double off(const Options&... options) const
    {
        return unit::distance(folded_type(w)(q, k, v, options...),
                              reference::table_of(direct_type(w)(q, k, v, hs::by<hs::plan_kind::direct>, options...)));
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_folded_layer_computes_what_its_weights_say)
{
    BOOST_TEST((example<dims{.d_model = 8, .heads = 2}, 17, 23>{}.off()) < tolerance);
    BOOST_TEST((example<dims{.d_model = 4, .heads = 3, .d_k = 16, .d_v = 17}, 1, 1>{}.off()) < tolerance);
    BOOST_TEST((example<dims{.d_model = 3, .heads = 1, .d_k = 5, .d_key = 17}, 33, 130>{}.off()) < tolerance);
    BOOST_TEST((example<all_sizes, 17, 9>{}.off()) < tolerance);
    BOOST_TEST((example<dims{.d_model = 6, .heads = 2, .biases = bias::k}, 5, 8>{}.off()) < tolerance);
    BOOST_TEST((example<dims{.d_model = 6, .heads = 2, .biases = bias::v}, 5, 8>{}.off()) < tolerance);
    BOOST_TEST((example<dims{.d_model = 6, .heads = 2, .biases = bias::q | bias::o}, 5, 8>{}.off()) < tolerance);
}

BOOST_AUTO_TEST_CASE(masks_and_scores_are_those_of_any_layer)
{
    const example<all_sizes, 9, 9> plain;
    BOOST_TEST(plain.off(hs::causal<>{}) < tolerance);
    BOOST_TEST(plain.off(hs::valid_keys{0}) < tolerance);  // only b_o is left, no bias of the values
    BOOST_TEST(plain.off(hs::valid_keys{5} & hs::causal<>{}) < tolerance);
    const hs::matrix<double, 9, 9> shift = hs::matrix<double, 9, 9>{0.5, -1, 2};
    BOOST_TEST(plain.off(hs::score_bias(shift)) < tolerance);
    BOOST_TEST((example<all_sizes, 9, 9, hs::scaled_dot, hs::causal<>>{}.off()) < tolerance);
    BOOST_TEST((example<all_sizes, 9, 9, hs::dot>{}.off()) < tolerance);
    BOOST_TEST((example<all_sizes, 9, 9, hs::soft_capped<std::ratio<3, 2>>>{}.off()) < tolerance);

    example<all_sizes, 9, 9, hs::dot_times<double>, hs::sink<double>> of_heads;
    for (std::size_t h = 0; h < 4; ++h) {
        const double one = static_cast<double>(h);
        of_heads.w.kinds[h].factor = 0.25 + one;
        of_heads.w.kinds[h].logit = 1 - one;
    }
    BOOST_TEST(of_heads.off() < tolerance);
    BOOST_TEST(of_heads.off(hs::valid_keys{0}) < tolerance);
}

BOOST_AUTO_TEST_CASE(results_on_request_are_those_of_any_layer_and_change_no_bit)
{
    const example<all_sizes, 9, 8> x;
    const decltype(x)::folded_type folded(x.w);
    const decltype(x)::direct_type direct(x.w);
    hs::matrix<double, 8, 9> scores, expected_scores, mean, expected_mean;
    const auto y = folded(x.q, x.k, x.v, hs::causal_from(0), hs::mean_weights_into(mean));
    static_cast<void>(direct(x.q, x.k, x.v, hs::causal_from(0), hs::mean_weights_into(expected_mean)));
    BOOST_TEST(unit::distance(mean, reference::table_of(expected_mean)) < tolerance);
    BOOST_TEST(unit::same_bits(y, folded(x.q, x.k, x.v, hs::causal_from(0))));

    const example<dims{.d_model = 6, .heads = 1, .biases = bias::all}, 9, 8> one;
    static_cast<void>(decltype(one)::folded_type(one.w)(one.q, one.k, one.v, hs::scores_into<hs::score_stage::scaled>(scores)));
    static_cast<void>(
        decltype(one)::direct_type(one.w)(one.q, one.k, one.v, hs::scores_into<hs::score_stage::scaled>(expected_scores)));
    BOOST_TEST(unit::distance(scores, reference::table_of(expected_scores)) < tolerance);
}

BOOST_AUTO_TEST_CASE(a_query_does_not_depend_on_its_company_nor_on_what_is_hidden)
{
    example<all_sizes, 19, 20> x;
    const decltype(x)::folded_type folded(x.w);
    const auto y = folded(x.q, x.k, x.v, hs::valid_keys{13});
    for (std::size_t i = 0; i < 19; ++i) {
        const auto alone = folded(hs::as_view(x.q).column(i), x.k, x.v, hs::valid_keys{13});
        for (std::size_t r = 0; r < 11; ++r) BOOST_TEST(alone(r, 0) == y(r, i));
    }
    for (std::size_t r = 0; r < 9; ++r) {
        x.v(r, 13) = std::numeric_limits<double>::quiet_NaN();
        x.v(r, 19) = std::numeric_limits<double>::infinity();
        if (r < 5) x.k(r, 14) = std::numeric_limits<double>::quiet_NaN();
    }
    BOOST_TEST(unit::same_bits(folded(x.q, x.k, x.v, hs::valid_keys{13}), y));
    BOOST_TEST(unit::same_bits(folded(x.q, hs::columns<5, 13>(x.k.data()), hs::columns<9, 13>(x.v.data())), y));
}

namespace {

constexpr dims few{.d_model = 3, .heads = 2, .d_k = 2, .d_v = 2, .biases = bias::all};
constexpr hs::weights<float, few> few_weights{.w_q = {{{1, 2, 3, -1, 2, 1}, {2, 0, 1, 1, -3, 1}}},
                                              .w_k = {{{1, 1, 0, 2, -1, 1}, {2, 1, 1, -2, 0, 1}}},
                                              .w_v = {{{1, 0, 0, 1, 2, 2}, {0, 3, 1, -1, 1, 1}}},
                                              .w_o = {{{1, 2, 3, 1, -1, 1}, {1, 0, 2, 2, 1, 1}}},
                                              .b_q = {{{1, 2}, {0, 1}}},
                                              .b_k = {{{2, 1}, {1, -1}}},
                                              .b_v = {{{1, 1}, {2, 0}}},
                                              .b_o = {3, 2, 1}};
constexpr hs::matrix<float, 3, 4> tokens{0.1f, 0.7f, -0.3f, 0.2f, 0.9f, 0.4f, -0.6f, 0.3f, 0.1f, 0.5f, -0.2f, 0.8f};
constexpr hs::folded_multi_head<float, few> few_folded{few_weights};
constexpr auto computed_when_compiling = few_folded(tokens, tokens, tokens);

}  // namespace

BOOST_AUTO_TEST_CASE(constant_evaluation_folds_and_attends_with_the_same_bits)
{
    const auto x = unit::seen_at_run_time(tokens);
    const hs::folded_multi_head<float, few> folded{unit::seen_at_run_time(few_weights)};
    BOOST_TEST(unit::same_bits(folded(x, x, x), computed_when_compiling));
    const hs::multi_head<float, few> direct{few_weights};
    BOOST_TEST(unit::distance(folded(x, x, x), reference::table_of(direct(x, x, x))) < 2e-5);
}

BOOST_AUTO_TEST_CASE(folding_pays_where_heads_are_wide)
{
    using layer = hs::folded_multi_head<float, dims{.d_model = 32, .heads = 8, .d_k = 32}>;
    static_assert(layer::plan<81, 81>().kind == hs::plan_kind::folded);
    static_assert(layer::cost<81, 81>().multiply_adds == 8 * 81 * (2 * 32 * 32 + 2 * 81 * 32));
    static_assert(layer::cost<81, 81>().weight_bytes == 4 * 2 * 8 * 32 * 32);
    static_assert(hs::folding_pays<dims{.d_model = 32, .heads = 8, .d_k = 32}, 81, 81>);
    static_assert(hs::folding_pays<dims{.d_model = 64, .heads = 16, .d_k = 64}, 32, 32>);
    static_assert(!hs::folding_pays<dims{.d_model = 128, .heads = 8}, 64, 64>);
}
