// SPDX-License-Identifier: BSL-1.0
// Layers against the reference: heads, biases, widths, grouped heads.
#include "headstrong/multi_head.hpp"
#include "compare.hpp"
#include "headstrong/mixed_multi_head.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>

namespace hs = headstrong;
using hs::bias;
using hs::dims;

namespace {

template <class T, dims D, std::size_t N, std::size_t M>
struct example {
    using type = T;
    using layer = hs::multi_head<T, D>;
    static constexpr std::size_t n = N, m = M;
};

template <class T>
bool is_right(const reference::table& y, const reference::layer& w, const reference::table& q, const reference::table& k,
              const reference::table& v)
{
    const double bound = reference::multi_head_bound<T>(w, q, k, v);
    return bound < 1e4 * reference::unit_roundoff<T> && unit::distance(y, reference::multi_head(w, q, k, v)) <= bound;
}

/// Whether the layer, with random weights and inputs, is within its bound of the reference, by the plan if one is given.
template <class Example, class... Plan>
bool agrees_with_the_reference(Plan... plan)
{
    using T = typename Example::type;
    using layer_type = typename Example::layer;
    constexpr dims d = layer_type::sizes;
    unit::random_numbers random(d.heads * 100 + d.d_model);
    const auto w = random.weights<typename layer_type::weights_type>(1 / std::sqrt(static_cast<double>(d.d_model)));
    const auto q = random.matrix<hs::matrix<T, d.d_model, Example::n>>();
    const auto k = random.matrix<hs::matrix<T, d.d_key, Example::m>>();
    const auto v = random.matrix<hs::matrix<T, d.d_value, Example::m>>();
    return is_right<T>(reference::table_of(layer_type(w)(q, k, v, plan...)), reference::layer_of(w), reference::table_of(q),
                       reference::table_of(k), reference::table_of(v));
}

constexpr dims heads_of(std::size_t heads, bias biases)
{
    return {.d_model = 6, .heads = heads, .d_k = 3, .d_v = 2, .biases = biases};
}

}  // namespace

// pytorch 97128, 88669: no bias or an odd number of heads breaks the fast path
using odd_heads = std::tuple<example<float, heads_of(1, bias::none), 5, 5>, example<float, heads_of(3, bias::none), 5, 5>,
                             example<float, heads_of(7, bias::none), 5, 5>, example<float, heads_of(1, bias::all), 5, 5>,
                             example<float, heads_of(5, bias::all), 5, 5>, example<float, heads_of(7, bias::all), 5, 5>,
                             example<float, heads_of(3, bias::q), 5, 5>, example<float, heads_of(3, bias::k), 5, 5>,
                             example<float, heads_of(3, bias::v), 5, 5>, example<float, heads_of(3, bias::o), 5, 5>,
                             example<double, heads_of(7, bias::all), 5, 5>>;
BOOST_AUTO_TEST_CASE_TEMPLATE(pytorch_97128_88669_any_number_of_heads_with_and_without_biases, E, odd_heads)
{
    BOOST_TEST(agrees_with_the_reference<E>());
}

using shapes = std::tuple<example<float, dims{.d_model = 32, .heads = 4}, 16, 16>,
                          example<float, dims{.d_model = 12, .heads = 8, .d_k = 2, .d_v = 2}, 35, 17>,  // as in ECG
                          example<float, dims{.d_model = 9, .heads = 2, .d_k = 17, .d_v = 33}, 1, 21>,  // one query
                          example<float,
                                  dims{.d_model = 10,
                                       .heads = 6,
                                       .d_k = 3,
                                       .d_v = 5,
                                       .d_key = 7,
                                       .d_value = 4,
                                       .d_out = 19,
                                       .kv_heads = 2,
                                       .biases = bias::all},
                                  18, 3>,
                          example<double,
                                  dims{.d_model = 10,
                                       .heads = 4,
                                       .d_k = 3,
                                       .d_v = 5,
                                       .d_key = 7,
                                       .d_value = 4,
                                       .d_out = 9,
                                       .kv_heads = 1,
                                       .biases = bias::all},
                                  9, 17>>;
BOOST_AUTO_TEST_CASE_TEMPLATE(a_layer_of_any_shape_agrees_with_the_reference, E, shapes)
{
    BOOST_TEST(agrees_with_the_reference<E>());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(every_plan_of_a_layer_agrees_with_the_reference, E, shapes)
{
    BOOST_TEST(agrees_with_the_reference<E>(hs::by<hs::plan_kind::direct>));
    BOOST_TEST(agrees_with_the_reference<E>(hs::by<hs::plan_kind::absorbed>));
    BOOST_TEST(agrees_with_the_reference<E>(hs::by<hs::plan_kind::streamed>));
}

// More keys than one block of the streamed plan.
using many_keys =
    std::tuple<example<float, dims{.d_model = 12, .heads = 2}, 5, 128>, example<float, dims{.d_model = 12, .heads = 2}, 5, 129>,
               example<float,
                       dims{.d_model = 3,
                            .heads = 2,
                            .d_k = 2,
                            .d_v = 5,
                            .d_key = 4,
                            .d_value = 2,
                            .d_out = 7,
                            .kv_heads = 1,
                            .biases = bias::all},
                       33, 300>,
               example<double, dims{.d_model = 5, .heads = 4, .d_k = 3, .d_v = 9, .kv_heads = 1, .biases = bias::all}, 9, 257>>;
BOOST_AUTO_TEST_CASE_TEMPLATE(a_stream_of_many_keys_agrees_with_the_reference, E, many_keys)
{
    BOOST_TEST(agrees_with_the_reference<E>(hs::by<hs::plan_kind::streamed>));
}

// Blocks whose largest scores rise, fall, or are far apart; a first block that counts for nothing; NaN in one query.
BOOST_AUTO_TEST_CASE(a_stream_takes_largest_scores_as_they_come)
{
    using layer_type = hs::multi_head<float, dims{.d_model = 1}, hs::dot>;
    const layer_type layer(layer_type::weights_type{.w_q = {{{1}}}, .w_k = {{{1}}}, .w_v = {{{1}}}, .w_o = {{{1}}}});
    const float infinity = std::numeric_limits<float>::infinity();
    hs::matrix<float, 1, 300> v;
    for (std::size_t j = 0; j < 300; ++j) v(0, j) = j < 128 ? 1.0f : j < 256 ? 2.0f : 4.0f;
    const auto mean = [&](float first, float second, float third) {
        hs::matrix<float, 1, 300> k;
        for (std::size_t j = 0; j < 300; ++j) k(0, j) = j < 128 ? first : j < 256 ? second : third;
        return layer(hs::matrix<float, 1, 1>{1}, k, v, hs::by<hs::plan_kind::streamed>)(0, 0);
    };
    BOOST_TEST(mean(0, 0, 0) == (128 * 1 + 128 * 2 + 44 * 4) / 300.0f, boost::test_tools::tolerance(1e-6f));
    BOOST_TEST(mean(0, 1000, 2000) == 4);
    BOOST_TEST(mean(2000, 1000, 0) == 1);
    BOOST_TEST(mean(-1e30f, 1e30f, -1e30f) == 2);
    BOOST_TEST(mean(-infinity, 0, -infinity) == 2);
    BOOST_TEST(mean(-infinity, -infinity, 0) == 4);
    BOOST_TEST(mean(-infinity, -infinity, -infinity) == 0);
    BOOST_TEST(std::isnan(mean(0, std::numeric_limits<float>::quiet_NaN(), 0)));
}

// onnx 7274: grouped heads tiled instead of grouped gives 1 11 1 11
BOOST_AUTO_TEST_CASE(onnx_7274_heads_of_a_group_share_a_key_value_head_and_are_neighbours)
{
    using layer_type =
        hs::multi_head<float, dims{.d_model = 4, .heads = 4, .d_k = 1, .d_v = 1, .kv_heads = 2, .biases = bias::v}>;
    layer_type::weights_type w{};
    w.b_v[0](0, 0) = 1;  // the value of key/value head h is 10 h + 1 everywhere
    w.b_v[1](0, 0) = 11;
    for (std::size_t h = 0; h < 4; ++h) w.w_o[h](h, 0) = 1;  // output number h is head h
    const auto layer = unit::seen_at_run_time(layer_type(w));
    const hs::matrix<float, 4, 1> zeros{};
    BOOST_TEST((layer(zeros, zeros, zeros) == hs::matrix<float, 4, 1>{1, 1, 11, 11}));
}

// pytorch 95712, 26698: own widths of key and value not honoured
BOOST_AUTO_TEST_CASE(pytorch_95712_26698_own_widths_equal_the_form_padded_with_zeros)
{
    using own = hs::multi_head<float, dims{.d_model = 8, .heads = 2, .d_key = 5, .d_value = 3}>;
    using padded = hs::multi_head<float, dims{.d_model = 8, .heads = 2}>;
    unit::random_numbers random(20);
    const auto w = random.weights<own::weights_type>();
    const auto q = random.matrix<hs::matrix<float, 8, 6>>();
    const auto k = random.matrix<hs::matrix<float, 5, 7>>();
    const auto v = random.matrix<hs::matrix<float, 3, 7>>();

    padded::weights_type w_padded{.w_q = w.w_q, .w_k = {}, .w_v = {}, .w_o = w.w_o};
    for (std::size_t h = 0; h < 2; ++h) {
        std::memcpy(w_padded.w_k[h].elements, w.w_k[h].elements, sizeof(float) * 4 * 5);
        std::memcpy(w_padded.w_v[h].elements, w.w_v[h].elements, sizeof(float) * 4 * 3);
    }
    hs::matrix<float, 8, 7> k_padded{}, v_padded{};
    for (std::size_t j = 0; j < 7; ++j) {
        for (std::size_t r = 0; r < 5; ++r) k_padded(r, j) = k(r, j);
        for (std::size_t r = 0; r < 3; ++r) v_padded(r, j) = v(r, j);
    }
    BOOST_TEST((own(w)(q, k, v) == padded(w_padded)(q, k_padded, v_padded)));
}

// FlashMLA 212, vllm 55612
BOOST_AUTO_TEST_CASE(FlashMLA_212_vllm_55612_a_token_alone_has_the_bits_of_the_same_token_in_a_batch)
{
    using layer_type = hs::multi_head<float, dims{.d_model = 6, .heads = 3, .biases = bias::all}>;
    unit::random_numbers random(21);
    const layer_type layer(random.weights<layer_type::weights_type>());
    const auto x = random.matrix<hs::matrix<float, 6, 19>>();
    const auto batch = layer(x, x, x);
    for (std::size_t i = 0; i < 19; ++i) {
        const auto alone = layer(hs::as_view(x).column(i), x, x, hs::by<hs::plan_kind::direct>);
        BOOST_TEST(std::memcmp(alone.elements, &batch(0, i), sizeof(alone.elements)) == 0);
    }
}

BOOST_AUTO_TEST_CASE(a_call_with_scratch_memory_has_the_bits_of_the_call_without_whatever_the_scratch_memory_held)
{
    using layer_type = hs::multi_head<float, dims{.d_model = 6, .heads = 3, .biases = bias::all}>;
    unit::random_numbers random(22);
    const layer_type layer(random.weights<layer_type::weights_type>());
    const auto x = random.matrix<hs::matrix<float, 6, 19>>();
    layer_type::workspace<19, 19> scratch;
    std::memset(&scratch, 0xff, sizeof(scratch));  // NaN everywhere
    hs::matrix<float, 6, 19> y;
    std::memset(&y, 0xff, sizeof(y));
    layer(x, x, x, y, scratch);
    BOOST_TEST(unit::same_bits(y, layer(x, x, x)));
}

BOOST_AUTO_TEST_CASE(a_layer_is_its_packed_weights)
{
    using layer_type = hs::multi_head<float, dims{.d_model = 6, .heads = 3, .biases = bias::all}>;
    unit::random_numbers random(23);
    const layer_type layer(random.weights<layer_type::weights_type>());
    const auto x = random.matrix<hs::matrix<float, 6, 19>>();
    layer_type::packed_type copy;  // as from flash or a file
    std::memcpy(&copy, &layer, sizeof(layer));
    BOOST_TEST(unit::same_bits(layer_type(copy)(x, x, x), layer(x, x, x)));

    using mixed = hs::mixed_multi_head<float, hs::widths{.d_model = 6}, hs::head<2, 3>, hs::head<4, 1>>;
    mixed::weights_type w;
    boost::hana::for_each(w.heads,
                          [&](auto& h) { random.fill(h.w_q), random.fill(h.w_k), random.fill(h.w_v), random.fill(h.w_o); });
    const mixed mixed_layer(w);
    BOOST_TEST(unit::same_bits(mixed(mixed_layer.packed)(x, x, x), mixed_layer(x, x, x)));
}
