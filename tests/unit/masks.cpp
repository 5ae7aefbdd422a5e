// SPDX-License-Identifier: BSL-1.0
// Masks and soft caps of one head: golden vectors, and the wrong answers of other libraries about polarity, corners and
// windows.
#include "golden_inputs.hpp"
#include "headstrong/attention.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <ratio>

namespace hs = headstrong;
using unit::golden_inputs;
using unit::is_golden;
using unit::number_types;
using unit::same_bits;

namespace {

constexpr hs::corner top_left = hs::corner::top_left, bottom_right = hs::corner::bottom_right;

const std::vector<double> G2{-0.5, 0.75, -0.25, -0.06687848, -0.11624305, 0.18312152};
const std::vector<double> G3{-0.03606788, 0.1873632, -0.15129533, 0.18385716, -0.08892384, -0.09493332};
const std::vector<double> G4{0, 0, 0, 0, 0, 0, 0, 0, 0, -0.5, 0.75, -0.25, -0.2168445, 0.183689, 0.0331555};
const std::vector<double> G5{-0.5,       0.75,        -0.25,       -0.06687848, -0.11624305, 0.18312152, -0.16585285, 0.0817057,
                             0.08414715, -0.06117413, -0.12765173, 0.18882587,  -0.2168445,  0.183689,   0.0331555};
const std::vector<double> G8{-0.5, 0.75, -0.07806709, -0.09386583, 0.19709713, 0.05290287};
const std::vector<double> G12{-0.11328506, -0.02342987, -0.06687848, -0.11624305};

}  // namespace

// pytorch 108108, mlx 2835, onnxruntime 28958 against 29050: which corner, if n differs from m
BOOST_AUTO_TEST_CASE_TEMPLATE(pytorch_108108_mlx_2835_onnxruntime_28958_golden_vectors_G2_to_G5_the_corner_of_a_causal_mask, T,
                              number_types)
{
    const golden_inputs<T, 2, 5, 3> wide;
    BOOST_TEST(is_golden(wide.attention(hs::causal<top_left>{}), G2));
    BOOST_TEST(is_golden(wide.attention(hs::causal<bottom_right>{}), G3));
    const golden_inputs<T, 5, 2, 3> tall;
    BOOST_TEST(is_golden(tall.attention(hs::causal<bottom_right>{}), G4));
    BOOST_TEST(is_golden(tall.attention(hs::causal<top_left>{}), G5));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_corner_is_an_offset_and_an_offset_may_be_a_constant, T, number_types)
{
    const golden_inputs<T, 2, 5, 3> wide;
    BOOST_TEST(same_bits(wide.attention(hs::causal_from{3}), wide.attention(hs::causal<bottom_right>{})));
    BOOST_TEST(same_bits(wide.attention(hs::causal_from<3>{}), wide.attention(hs::causal<bottom_right>{})));
    BOOST_TEST(same_bits(wide.attention(hs::causal_from{0}), wide.attention(hs::causal<top_left>{})));
    const golden_inputs<T, 5, 2, 3> tall;
    BOOST_TEST(same_bits(tall.attention(hs::causal_from{-3}), tall.attention(hs::causal<bottom_right>{})));
    BOOST_TEST(same_bits(tall.attention(hs::causal_from<-3>{}), tall.attention(hs::causal<bottom_right>{})));
}

BOOST_AUTO_TEST_CASE(pytorch_108108_mlx_2835_onnxruntime_28958_a_query_sees_keys_up_to_its_own_place_and_the_offset)
{
    const golden_inputs<double, 5, 6, 2> x;
    const auto seen_from = [&](std::ptrdiff_t offset) {
        hs::matrix<double, 6, 5> weights;
        const auto y = x.attention(hs::causal_from{offset}, hs::weights_into(weights));
        const auto sees = unit::bools<6, 5>([&](std::size_t i, std::size_t j) {
            return offset > 6 || (offset > -6 && static_cast<std::ptrdiff_t>(j) <= static_cast<std::ptrdiff_t>(i) + offset);
        });
        for (std::size_t i = 0; i < 5; ++i)
            for (std::size_t j = 0; j < 6; ++j)
                if ((weights(j, i) > 0) != sees(j, i)) return false;
        return same_bits(y, x.attention(hs::keep(sees)));
    };
    constexpr std::ptrdiff_t most = std::numeric_limits<std::ptrdiff_t>::max(),
                             least = std::numeric_limits<std::ptrdiff_t>::min();
    for (const std::ptrdiff_t offset :
         {least, least + 1, least / 2, std::ptrdiff_t{-7}, std::ptrdiff_t{-5}, std::ptrdiff_t{-2}, std::ptrdiff_t{0},
          std::ptrdiff_t{2}, std::ptrdiff_t{5}, std::ptrdiff_t{7}, most / 2, most - 1, most})
        BOOST_TEST(seen_from(offset), "offset " << offset);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(golden_vectors_G6_windows, T, number_types)
{
    const golden_inputs<T, 4, 4, 2> square;
    const std::vector<double> G6{-0.5, 0.75, -0.06687848, -0.11624305, 0.625, -0.375, 0.36624305, 0.31687848};
    BOOST_TEST(is_golden(square.attention(hs::window<1, 0>{}), G6));
    BOOST_TEST(same_bits(square.attention(hs::window_from{0, 1, 0}), square.attention(hs::window<1, 0>{})));
    const golden_inputs<T, 4, 6, 2> wide;
    const std::vector<double> G6b{-0.11328506, -0.02342987, 0.34717731, -0.07112909,
                                  0.00122073,  0.24877927,  0.30212502, -0.27159667};
    BOOST_TEST(is_golden(wide.attention(hs::window<2, 1, top_left>{}), G6b));
    BOOST_TEST(same_bits(wide.attention(hs::window_from{0, 2, 1}), wide.attention(hs::window<2, 1, top_left>{})));
    BOOST_TEST(same_bits(wide.attention(hs::window_from{2, 2, 1}), wide.attention(hs::window<2, 1, bottom_right>{})));
}

// jax 39576, transformers 39408, vllm 3385: window off by one, or open to the future
BOOST_AUTO_TEST_CASE(jax_39576_transformers_39408_vllm_3385_a_window_counts_the_keys_beside_the_querys_own)
{
    const golden_inputs<float, 20, 20, 2> x;
    hs::matrix<float, 20, 20> weights;
    const auto y = x.attention(hs::window<1, 0>{}, hs::weights_into(weights));
    for (std::size_t i = 0; i < 20; ++i)
        for (std::size_t j = 0; j < 20; ++j) BOOST_TEST((weights(j, i) > 0) == (j == i || j + 1 == i));
    BOOST_TEST(same_bits(y, x.attention(hs::window<1, 0>{})));
    BOOST_TEST(same_bits(x.attention(hs::window<19, 0>{}), x.attention(hs::causal<>{})));
    BOOST_TEST(same_bits(x.attention(hs::window<hs::unbounded, 0>{}), x.attention(hs::causal<>{})));
    BOOST_TEST(same_bits(x.attention(hs::window<0, 0>{}), x.v));
    BOOST_TEST(same_bits(x.attention(hs::window<19, 19>{}), x.attention()));
    BOOST_TEST(same_bits(x.attention(hs::window<hs::unbounded, hs::unbounded>{}), x.attention()));
    BOOST_TEST(same_bits(x.attention(hs::window_from{0, -3, -1}), x.v));  // negative counts as 0
    const std::ptrdiff_t most = std::numeric_limits<std::ptrdiff_t>::max(), least = std::numeric_limits<std::ptrdiff_t>::min();
    BOOST_TEST(same_bits(x.attention(hs::window_from{0, most, most}), x.attention()));
    BOOST_TEST((x.attention(hs::window_from{most, 3, 3}) == hs::matrix<float, 2, 20>{}));
    BOOST_TEST((x.attention(hs::window_from{least, 3, 3}) == hs::matrix<float, 2, 20>{}));
    BOOST_TEST(same_bits(x.attention(hs::window_from{most, most, 3}), x.attention()));
    BOOST_TEST(same_bits(x.attention(hs::window_from{least, 3, most}), x.attention()));
}

BOOST_AUTO_TEST_CASE(a_prefix_looks_at_itself_both_ways)
{
    const golden_inputs<float, 18, 18, 2> x;
    const auto with = [&](std::size_t length, std::ptrdiff_t offset) {
        return x.attention(hs::keep(unit::bools<18, 18>([&](std::size_t i, std::size_t j) {
            return j < length || static_cast<std::ptrdiff_t>(j) <= static_cast<std::ptrdiff_t>(i) + offset;
        })));
    };
    BOOST_TEST(same_bits(x.attention(hs::prefix_causal{5}), with(5, 0)));
    BOOST_TEST(same_bits(x.attention(hs::prefix_causal{0}), x.attention(hs::causal<>{})));
    BOOST_TEST(same_bits(x.attention(hs::prefix_causal{18}), x.attention()));
    BOOST_TEST(same_bits(x.attention(hs::prefix_causal{std::numeric_limits<std::size_t>::max()}), x.attention()));
    BOOST_TEST(same_bits(x.attention(hs::prefix_causal{17, -40}), with(17, -40)));
    BOOST_TEST(same_bits(x.attention(hs::prefix_causal{2, 3}), with(2, 3)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(golden_vector_G7_distances_as_a_bias_beside_a_causal_mask, T, number_types)
{
    const golden_inputs<T, 2, 4, 2> x;
    hs::matrix<T, 4, 2> bias;
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 4; ++j)
            bias(j, i) = static_cast<T>(-0.5 * std::abs(static_cast<double>(i + 2) - static_cast<double>(j)));
    const std::vector<double> G7{0.35303042, -0.13009062, 0.14528353, 0.21792005};
    const auto y = x.attention(hs::score_bias(bias), hs::causal<bottom_right>{});
    BOOST_TEST(is_golden(y, G7));
    BOOST_TEST(same_bits(x.attention(hs::causal<bottom_right>{} + hs::score_bias(bias)), y));
    BOOST_TEST(same_bits(x.attention(hs::causal<bottom_right>{}, hs::score_bias(bias)), y));
    const auto distance = hs::modify([](auto s, std::size_t, auto i, auto j) {
        using L = decltype(s);
        const L right = j - (i + L::broadcast(2)), left = L::broadcast(0) - right;
        return fma(larger(left, right), L::broadcast(typename L::value_type(-0.5)), s);
    });
    BOOST_TEST(is_golden(x.attention(hs::causal<bottom_right>{} + distance), G7));
}

// onnx 7865, flash-attention 1025: a cap after the mask lets the future in
BOOST_AUTO_TEST_CASE_TEMPLATE(onnx_7865_flash_attention_1025_golden_vector_G8_a_soft_cap_comes_before_the_mask, T, number_types)
{
    const golden_inputs<T, 3, 3, 2> x;
    BOOST_TEST(is_golden(x.attention(hs::soft_capped<std::ratio<1, 4>>{}, hs::causal<>{}), G8));
    BOOST_TEST(is_golden(
        x.attention(hs::soft_capped<std::ratio<1, 4>>{}, hs::keep(unit::bools<3, 3>([](auto i, auto j) { return j <= i; }))),
        G8));
}

// TRL 5691, Megatron 6590: cap before the scale
BOOST_AUTO_TEST_CASE(TRL_5691_Megatron_6590_a_soft_cap_caps_the_scaled_score)
{
    const golden_inputs<double, 3, 5, 2> x;
    hs::matrix<double, 5, 3> scaled, capped;
    const auto y =
        x.attention(hs::soft_capped<std::ratio<3, 10>, hs::dot_times_ratio<std::ratio<7, 2>>>{},
                    hs::scores_into<hs::score_stage::scaled>(scaled), hs::scores_into<hs::score_stage::capped>(capped));
    const auto q = reference::table_of(x.q), k = reference::table_of(x.k);
    const auto score = [](auto a, auto b) { return 0.3 * std::tanh(reference::dot_times(3.5)(a, b) / 0.3); };
    BOOST_TEST(unit::distance(scaled, reference::scores(q, k, reference::dot_times(3.5))) < 1e-14);
    BOOST_TEST(unit::distance(capped, reference::scores(q, k, score)) < 1e-14);
    BOOST_TEST(unit::distance(y, reference::attention(q, k, reference::table_of(x.v), score)) < 1e-14);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(golden_vector_G9_a_sink, T, number_types)
{
    const golden_inputs<T, 2, 3, 2> x;
    BOOST_TEST(is_golden(x.attention(hs::sink<T>{0}), {0.1016815, -0.01389411, 0.26065151, -0.05340184}));
    BOOST_TEST(same_bits(x.attention(hs::sink<T>{-std::numeric_limits<T>::infinity()}), x.attention()));
}

// pytorch 170415, LLMs-from-scratch 1061: true means attend in one call, ignore in another
BOOST_AUTO_TEST_CASE_TEMPLATE(pytorch_170415_LLMs_from_scratch_1061_golden_vector_G12_keep_and_drop_say_what_true_means, T,
                              number_types)
{
    const golden_inputs<T, 2, 4, 2> x;
    const auto y = x.attention(hs::valid_keys{2});
    BOOST_TEST(is_golden(y, G12));
    const auto first_two = unit::bools<4, 2>([](std::size_t, std::size_t j) { return j < 2; });
    const auto last_two = unit::bools<4, 2>([](std::size_t, std::size_t j) { return j >= 2; });
    BOOST_TEST(same_bits(x.attention(hs::keep(first_two)), y));
    BOOST_TEST(same_bits(x.attention(hs::drop(last_two)), y));
    BOOST_TEST(same_bits(x.attention(hs::keep_keys(std::array{true, true, false, false})), y));
    BOOST_TEST(same_bits(x.attention(hs::keep_keys(hs::matrix<bool, 4, 1>{true, true, false, false})), y));
    // The same by numbers: 0 is false, all else true; and a row per query, as NumPy holds it.
    BOOST_TEST(same_bits(x.attention(hs::keep(hs::matrix<int, 4, 2>{1, -3, 0, 0, 7, 1, 0, 0})), y));
    BOOST_TEST(same_bits(x.attention(hs::drop(hs::matrix<float, 4, 2>{0, 0, 1, 0.5f, 0, 0, -1, 1})), y));
    const bool row_of_queries[] = {true, true, false, false, true, true, false, false};
    BOOST_TEST(same_bits(x.attention(hs::keep(hs::rows<2, 4>(row_of_queries))), y));
    BOOST_TEST(!is_golden(x.attention(hs::drop(first_two)), G12));
}

BOOST_AUTO_TEST_CASE(documents_are_blocks_and_may_be_mixed)
{
    const golden_inputs<float, 3, 5, 2> x;
    const std::array<int, 3> queries{7, -1, 2};
    const std::array<int, 5> keys{2, 7, 2, 7, 3};
    const auto expected =
        x.attention(hs::keep(unit::bools<5, 3>([&](std::size_t i, std::size_t j) { return queries[i] == keys[j]; })));
    BOOST_TEST(same_bits(x.attention(hs::documents(queries, keys)), expected));
    BOOST_TEST((expected(0, 1) == 0 && expected(1, 1) == 0));  // a document without keys
    const golden_inputs<float, 5, 5, 2> square;
    BOOST_TEST(same_bits(square.attention(hs::documents(keys)), square.attention(hs::documents(keys, keys))));
}

// What hides comes last, however masks and biases are joined: a function of scores cannot show a hidden key, nor a bias of
// infinity or NaN make it NaN.
BOOST_AUTO_TEST_CASE(no_bias_shows_a_hidden_key_in_whatever_order_it_is_joined)
{
    const golden_inputs<float, 3, 3, 2> x;
    const auto up = hs::modify([](auto s, std::size_t, auto, auto) { return larger(s, decltype(s)::broadcast(-1)); });
    const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const hs::matrix<float, 3, 3> added{0, infinity, nan, 0, 0, infinity, 0, 0, 0}, nothing{};
    const hs::causal<> mask;
    const auto plain = x.attention(mask), raised = x.attention(mask, up);
    const hs::score_bias none(nothing), bad(added);
    BOOST_TEST(same_bits(x.attention(mask, none), plain));
    BOOST_TEST(same_bits(x.attention(mask + none + bad), plain));
    BOOST_TEST(same_bits(x.attention(bad + mask), plain));
    BOOST_TEST(same_bits(x.attention((none + mask) + (mask + bad)), plain));
    BOOST_TEST(same_bits(x.attention((mask + none) & hs::valid_keys{3}, bad), plain));
    BOOST_TEST(same_bits(x.attention((mask + none) + up), raised));
    BOOST_TEST(same_bits(x.attention(((none + mask) & hs::valid_keys{9}) + up), raised));
    BOOST_TEST(same_bits(unit::column_of(x.attention((mask + none) + up), 0), unit::column_of(x.v, 0)));
}
