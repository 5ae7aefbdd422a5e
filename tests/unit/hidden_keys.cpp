// SPDX-License-Identifier: BSL-1.0
// Queries without keys, keys of NaN that nobody sees, and what other libraries made of them; of one head and of layers by every
// plan.
#include "golden_inputs.hpp"
#include "headstrong/headstrong.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <limits>

namespace hs = headstrong;
using hs::bias;
using hs::dims;
using unit::golden_inputs;
using unit::number_types;
using unit::same_bits;

namespace {

using layer_type = hs::multi_head<float, dims{.d_model = 6, .heads = 3, .biases = bias::all}>;

struct layer_inputs {
    unit::random_numbers random{31};
    layer_type::weights_type weights = random.weights<layer_type::weights_type>();
    layer_type layer{weights};
    hs::matrix<float, 6, 5> q = random.matrix<hs::matrix<float, 6, 5>>(), k = random.matrix<hs::matrix<float, 6, 5>>(),
                            v = random.matrix<hs::matrix<float, 6, 5>>();
};

/// f(plan) for each plan.
template <class F>
void by_every_plan(F f)
{
    f(hs::by<hs::plan_kind::direct>);
    f(hs::by<hs::plan_kind::absorbed>);
    f(hs::by<hs::plan_kind::streamed>);
}

template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(pytorch_41508_onnx_8068_a_query_that_sees_no_key_is_zero_and_the_others_are_as_without_it, T,
                              number_types)
{
    const golden_inputs<T, 18, 5, 3> x;
    const auto y = x.attention(hs::keep(unit::bools<5, 18>([](std::size_t i, std::size_t) { return i != 4 && i != 17; })));
    const auto others = x.attention();
    for (std::size_t i = 0; i < 18; ++i) {
        const auto expected = i == 4 || i == 17 ? hs::matrix<T, 3, 1>{} : unit::column_of(others, i);
        BOOST_TEST(same_bits(unit::column_of(y, i), expected));
    }
    BOOST_TEST(same_bits(x.attention(hs::valid_queries{4}, hs::valid_keys{5}), x.attention(hs::valid_queries{4})));
    for (std::size_t i = 0; i < 18; ++i)
        BOOST_TEST(same_bits(unit::column_of(x.attention(hs::valid_queries{4}), i),
                             i < 4 ? unit::column_of(others, i) : hs::matrix<T, 3, 1>{}));
}

BOOST_AUTO_TEST_CASE(pytorch_41508_onnx_8068_a_query_of_a_layer_that_sees_no_key_has_the_bias_of_the_output)
{
    const layer_inputs x;
    const auto without = unit::bools<5, 5>([](std::size_t i, std::size_t) { return i != 2; });
    by_every_plan([&](auto plan) {
        const auto y = x.layer(x.q, x.k, x.v, hs::keep(without), plan), others = x.layer(x.q, x.k, x.v, plan);
        for (std::size_t i = 0; i < 5; ++i)
            BOOST_TEST(same_bits(unit::column_of(y, i), i == 2 ? x.weights.b_o : unit::column_of(others, i)));
    });
}

// One head fully masked: right without weights, all NaN with them.
BOOST_AUTO_TEST_CASE(pytorch_160064_heads_that_are_masked_off_give_nothing_with_and_without_weights)
{
    layer_inputs x;
    x.weights.b_o = {};  // which is added to the first head's share: the last head's would round otherwise
    x.layer = layer_type(x.weights);
    hs::multi_head<float, dims{.d_model = 6, .d_k = 2, .d_v = 2, .biases = bias::all}>::weights_type last{
        .w_q = {x.weights.w_q[2]},
        .w_k = {x.weights.w_k[2]},
        .w_v = {x.weights.w_v[2]},
        .w_o = {x.weights.w_o[2]},
        .b_q = {x.weights.b_q[2]},
        .b_k = {x.weights.b_k[2]},
        .b_v = {x.weights.b_v[2]},
        .b_o = x.weights.b_o};
    const hs::multi_head<float, dims{.d_model = 6, .d_k = 2, .d_v = 2, .biases = bias::all}> one(last);
    std::array<hs::matrix<bool, 5, 5>, 3> masks{};
    masks[2] = unit::all<hs::matrix<bool, 5, 5>>(true);
    by_every_plan([&](auto plan) {
        const auto expected = one(x.q, x.k, x.v, plan), y = x.layer(x.q, x.k, x.v, hs::keep(masks), plan);
        BOOST_TEST((y == expected));
        std::array<hs::matrix<float, 5, 5>, 3> weights;
        BOOST_TEST(same_bits(x.layer(x.q, x.k, x.v, hs::keep(masks), hs::weights_into(weights), plan), y));
        BOOST_TEST((weights[0] == hs::matrix<float, 5, 5>{} && weights[1] == hs::matrix<float, 5, 5>{}));
        for (float e : weights[2].elements) BOOST_TEST((e > 0 && e <= 1));
    });
}

// Golden vector G4 three ways.
BOOST_AUTO_TEST_CASE_TEMPLATE(pytorch_103963_empty_rows_are_the_same_by_a_keep_mask_an_additive_mask_and_a_causal_one, T,
                              number_types)
{
    const golden_inputs<T, 5, 2, 3> x;
    const auto sees = unit::bools<2, 5>([](std::size_t i, std::size_t j) { return j + 3 <= i; });
    hs::matrix<T, 2, 5> added;
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j < 2; ++j) added(j, i) = sees(j, i) ? 0 : -infinity<T>;
    const auto y = x.attention(hs::causal<hs::corner::bottom_right>{});
    BOOST_TEST(unit::is_golden(y, {0, 0, 0, 0, 0, 0, 0, 0, 0, -0.5, 0.75, -0.25, -0.2168445, 0.183689, 0.0331555}));
    BOOST_TEST(same_bits(x.attention(hs::keep(sees)), y));
    BOOST_TEST(same_bits(x.attention(hs::score_bias(added)), y));
    BOOST_TEST(same_bits(x.attention(hs::score_bias(added) + hs::keep(sees)), y));
}

// An unused slot of a cache leaks as 0 NaN.
BOOST_AUTO_TEST_CASE_TEMPLATE(flash_attention_2374_1745_slots_that_are_not_valid_may_hold_anything, T, number_types)
{
    const golden_inputs<T, 5, 3, 2> three;
    golden_inputs<T, 5, 8, 2> x;
    for (std::size_t j = 3; j < 8; ++j)
        for (std::size_t c = 0; c < 4; ++c) {
            x.k(c, j) = (j + c) % 3 == 0 ? not_a_number<T> : (j + c) % 3 == 1 ? infinity<T> : -infinity<T>;
            if (c < 2) x.v(c, j) = (j + c) % 3 == 1 ? not_a_number<T> : (j + c) % 3 == 2 ? infinity<T> : -infinity<T>;
        }
    const auto expected = three.attention();
    BOOST_TEST(same_bits(x.attention(hs::valid_keys{3}), expected));
    BOOST_TEST(
        same_bits(x.attention(hs::keep_keys(std::array{true, true, true, false, false, false, false, false})), expected));
    BOOST_TEST(same_bits(x.attention(hs::keep(unit::bools<8, 5>([](std::size_t, std::size_t j) { return j < 3; }))), expected));
    hs::matrix<T, 8, 5> added{};
    for (std::size_t e = 0; e < 40; ++e) added.elements[e] = e % 8 < 3 ? 0 : -infinity<T>;
    BOOST_TEST(same_bits(x.attention(hs::score_bias(added)), expected));
    for (std::size_t j = 3; j < 8; ++j)  // values alone
        for (std::size_t c = 0; c < 4; ++c) x.k(c, j) = 0;
    BOOST_TEST(same_bits(x.attention(hs::valid_keys{3}), expected));
}

BOOST_AUTO_TEST_CASE(flash_attention_2374_1745_slots_of_a_layer_that_are_not_valid_may_hold_anything)
{
    layer_inputs x;
    const auto three = [](const hs::matrix<float, 6, 5>& m) { return hs::matrix_view<const float, 6, 3>{m.elements}; };
    by_every_plan([&](auto plan) {
        const auto expected = x.layer(x.q, three(x.k), three(x.v), plan);
        for (std::size_t e = 18; e < 30; ++e)
            x.k.elements[e] = e % 2 == 0 ? not_a_number<float> : infinity<float>, x.v.elements[e] = x.k.elements[e];
        BOOST_TEST(same_bits(x.layer(x.q, x.k, x.v, hs::valid_keys{3}, plan), expected));
    });
}

// An empty row becomes the mean of V.
BOOST_AUTO_TEST_CASE(tt_metal_56056_onnxruntime_28958_a_query_without_keys_never_gets_the_mean)
{
    const layer_inputs x;
    const auto none = unit::bools<5, 5>([](std::size_t, std::size_t) { return false; });
    const auto minus = unit::all<hs::matrix<float, 5, 5>>(-infinity<float>);
    by_every_plan([&](auto plan) {
        for (const auto& y :
             {x.layer(x.q, x.k, x.v, hs::keep(none), plan), x.layer(x.q, x.k, x.v, hs::score_bias(minus), plan)})
            for (std::size_t i = 0; i < 5; ++i) BOOST_TEST(same_bits(unit::column_of(y, i), x.weights.b_o));
    });
    BOOST_TEST((hs::attention(x.q, x.k, x.v, hs::keep(none)) == hs::matrix<float, 6, 5>{}));
    BOOST_TEST((hs::attention(x.q, x.k, x.v, hs::score_bias(minus)) == hs::matrix<float, 6, 5>{}));
}

// A mask that is built as (1 - keep) times -infinity is NaN where it keeps.
BOOST_AUTO_TEST_CASE(flax_982_mlx_1725_boolean_and_causal_masks_together_are_no_NaN)
{
    const golden_inputs<float, 5, 5, 2> x;
    const auto odd = unit::bools<5, 5>([](std::size_t i, std::size_t j) { return (i + j) % 2 == 1; });
    const auto both = unit::bools<5, 5>([](std::size_t i, std::size_t j) { return (i + j) % 2 == 1 && j <= i; });
    const auto expected = x.attention(hs::keep(both));
    BOOST_TEST((expected(0, 0) == 0 && expected(1, 0) == 0));
    for (float e : expected.elements) BOOST_TEST(std::isfinite(e));
    BOOST_TEST(same_bits(x.attention(hs::keep(odd) & hs::causal<>{}), expected));
    BOOST_TEST(same_bits(x.attention(hs::causal<>{}, hs::keep(odd)), expected));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(DeepLearningExamples_169_NNlib_506_large_scores_beside_a_mask, T, number_types)
{
    hs::matrix<T, 4, 3> q{}, k{};
    q(0, 0) = q(1, 1) = q(2, 2) = 100;
    k = q;
    const golden_inputs<T, 3, 3, 2> x;
    BOOST_TEST((hs::attention(q, k, x.v, hs::causal<>{}) == x.v));
    for (const T score : {T(-1e3), T(-1e30), T(1e30)}) {
        const hs::matrix<T, 1, 8> v{8, 0, 0, 0, not_a_number<T>, 0, 0, 0};
        const auto y = hs::attention(unit::seen_at_run_time(hs::matrix<T, 1, 1>{1}), unit::all<hs::matrix<T, 1, 8>>(score), v,
                                     hs::valid_keys{4});
        BOOST_TEST(y(0, 0) == T{2});
    }
}

BOOST_AUTO_TEST_CASE(pytorch_81077_a_run_time_length_of_0_gives_zeros)
{
    const golden_inputs<float, 17, 5, 2> x;
    hs::matrix<float, 5, 17> weights;
    hs::matrix<float, 1, 17> sums;
    const auto y = x.attention(hs::valid_keys{0}, hs::weights_into(weights), hs::log_sum_exp_into(sums));
    BOOST_TEST((y == hs::matrix<float, 2, 17>{}));
    BOOST_TEST((weights == hs::matrix<float, 5, 17>{}));
    for (float e : sums.elements) BOOST_TEST(e == -infinity<float>);
    BOOST_TEST((x.attention(hs::valid_queries{0}) == hs::matrix<float, 2, 17>{}));
    BOOST_TEST((x.attention(hs::valid_keys{0}, hs::sink<float>{1}) == hs::matrix<float, 2, 17>{}));
    for (const std::size_t more : {std::size_t{5}, std::size_t{6}, std::numeric_limits<std::size_t>::max()}) {
        BOOST_TEST(same_bits(x.attention(hs::valid_keys{more}), x.attention()));
        BOOST_TEST(same_bits(x.attention(hs::valid_queries{more + 12}),
                             more > 6 ? x.attention(hs::valid_queries{more + 12}) : x.attention()));
    }
}

// Causal lost when weights are asked for.
BOOST_AUTO_TEST_CASE(keras_23038_pytorch_99282_a_causal_mask_stays_when_weights_are_asked_for)
{
    layer_inputs x;
    by_every_plan([&](auto plan) {
        const auto y = x.layer(x.q, x.k, x.v, hs::causal<>{}, plan);
        std::array<hs::matrix<float, 5, 5>, 3> weights;
        hs::matrix<float, 5, 5> mean;
        BOOST_TEST(same_bits(x.layer(x.q, x.k, x.v, hs::causal<>{}, hs::weights_into(weights), plan), y));
        BOOST_TEST(same_bits(x.layer(x.q, x.k, x.v, hs::mean_weights_into(mean), hs::causal<>{}, plan), y));
        for (std::size_t i = 0; i < 5; ++i)
            for (std::size_t j = 0; j < 5; ++j) {
                BOOST_TEST((mean(j, i) > 0) == (j <= i));
                for (const auto& w : weights) BOOST_TEST((w(j, i) > 0) == (j <= i));
            }
        auto k = x.k, v = x.v;
        for (std::size_t c = 0; c < 6; ++c) k(c, 4) = not_a_number<float>, v(c, 4) = infinity<float>;
        const auto changed = x.layer(x.q, k, v, hs::causal<>{}, hs::weights_into(weights), plan);
        for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(same_bits(unit::column_of(changed, i), unit::column_of(y, i)));
    });
}

// Key by key, as values that are not finite ask for, an appended key has no place in the mask.
BOOST_AUTO_TEST_CASE(an_appended_key_is_seen_beside_hidden_values_that_are_not_finite)
{
    layer_inputs x;
    using appending = hs::multi_head<float, layer_type::sizes, hs::scaled_dot, hs::appended_token<float, 2, 2>>;
    auto w = x.random.weights<appending::weights_type>();
    for (auto& head : w.kinds) head.value = {1, -2};
    const appending layer{w};
    const auto expected = layer(x.q, x.k, x.v, hs::valid_keys{4});
    for (std::size_t c = 0; c < 6; ++c) x.k(c, 4) = infinity<float>, x.v(c, 4) = not_a_number<float>;
    BOOST_TEST(same_bits(layer(x.q, x.k, x.v, hs::valid_keys{4}), expected));
}
