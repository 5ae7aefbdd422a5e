// SPDX-License-Identifier: BSL-1.0
// Features of heads against their formulas in double: rotary embeddings, norms, sinks, appended tokens; and heads that differ.
#include "compare.hpp"
#include "headstrong/headstrong.hpp"
#include "layer_of_heads.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <ratio>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

namespace hs = headstrong;
using hs::bias;
using hs::dims;
using boost::hana::literals::operator""_c;

namespace {

using number_types = std::tuple<float, double>;
using table = reference::table;

/// Queries and keys as a rotation of `width` numbers by std::cos and std::sin leaves them; token i is at position first + i.
table rotated(table x, hs::rotation pairs, std::size_t width, std::size_t first = 0)
{
    for (std::size_t i = 0; i < x.columns; ++i)
        for (std::size_t c = 0; c < width / 2; ++c) {
            const double angle =
                static_cast<double>(first + i) * std::pow(10000.0, -2.0 * static_cast<double>(c) / static_cast<double>(width));
            double &a = x(pairs == hs::rotation::interleaved ? 2 * c : c, i),
                   &b = x(pairs == hs::rotation::interleaved ? 2 * c + 1 : c + width / 2, i);
            const double old_a = a, old_b = b;
            a = old_a * std::cos(angle) - old_b * std::sin(angle);
            b = old_b * std::cos(angle) + old_a * std::sin(angle);
        }
    return x;
}
/// g_r x_r / sqrt(mean(x^2) + 1e-6)
table rms(table x, const table& gain)
{
    for (std::size_t i = 0; i < x.columns; ++i) {
        double sum = 0;
        for (std::size_t r = 0; r < x.rows; ++r) sum += x(r, i) * x(r, i);
        for (std::size_t r = 0; r < x.rows; ++r) x(r, i) *= gain(r, 0) / std::sqrt(sum / static_cast<double>(x.rows) + 1e-6);
    }
    return x;
}
table of_length_1(table x)
{
    for (std::size_t i = 0; i < x.columns; ++i) {
        double sum = 0;
        for (std::size_t r = 0; r < x.rows; ++r) sum += x(r, i) * x(r, i);
        for (std::size_t r = 0; r < x.rows && sum > 0; ++r) x(r, i) /= std::sqrt(sum);
    }
    return x;
}

constexpr dims sizes{.d_model = 5, .heads = 4, .d_k = 6, .d_v = 2, .kv_heads = 2, .biases = bias::all};

/// A layer of these sizes with random weights, and inputs of n queries and m keys.
template <std::size_t N, std::size_t M, class... Kind>
struct example {
    using layer_type = hs::multi_head<double, sizes, Kind...>;
    using weights_type = typename layer_type::weights_type;
    unit::random_numbers random{61};
    weights_type w = random.weights<weights_type>();
    hs::matrix<double, 5, N> q = random.matrix<hs::matrix<double, 5, N>>();
    hs::matrix<double, 5, M> k = random.matrix<hs::matrix<double, 5, M>>(), v = random.matrix<hs::matrix<double, 5, M>>();

    /// The difference from a layer whose heads are head(h, q_h, k_h, v_h).
    template <class Head, class... Options>
    double off(Head head, const Options&... options) const
    {
        const auto expected = unit::layer_of_heads(reference::layer_of(w), reference::table_of(q), reference::table_of(k),
                                                   reference::table_of(v), head);
        return unit::distance(layer_type(w)(q, k, v, options...), expected);
    }
};

constexpr auto direct = hs::by<hs::plan_kind::direct>;
constexpr auto absorbed = hs::by<hs::plan_kind::absorbed>;
constexpr auto streamed = hs::by<hs::plan_kind::streamed>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(a_rotary_table_holds_cosines_and_sines, T, number_types)
{
    const auto table_of_angles = hs::make_rotary_table<T, 6, 300>();
    const auto other_base = hs::make_rotary_table<T, 4, 10>(500000);
    const double error = std::is_same_v<T, float> ? 6e-8 : 1e-13;  // the angle itself, up to 300, is rounded
    for (std::size_t p = 0; p < 300; ++p)
        for (std::size_t c = 0; c < 3; ++c) {
            const double angle = static_cast<double>(p) * std::pow(10000.0, -static_cast<double>(c) / 3);
            BOOST_TEST(std::abs(static_cast<double>(table_of_angles.cosine[p][c]) - std::cos(angle)) <= error);
            BOOST_TEST(std::abs(static_cast<double>(table_of_angles.sine[p][c]) - std::sin(angle)) <= error);
        }
    BOOST_TEST(std::abs(static_cast<double>(other_base.sine[9][1]) - std::sin(9 / std::sqrt(500000.0))) <= error);
}

BOOST_AUTO_TEST_CASE(a_rotation_turns_pairs_by_position_and_leaves_the_numbers_behind_its_width)
{
    static const auto angles = hs::make_rotary_table<double, 6, 40>();
    unit::random_numbers random(62);
    const auto x = random.matrix<hs::matrix<double, 8, 40>>();
    const auto turned = [&](const auto& rotary) {
        auto y = x;
        for (std::size_t i = 0; i < 40; ++i) rotary.template query<8>(&y(0, i), i);
        return y;
    };
    const hs::rotary<hs::rotation::interleaved, double, 6, 40> beside{&angles};
    const hs::rotary<hs::rotation::half_split, double, 6, 40> halves{&angles};
    BOOST_TEST(unit::distance(turned(beside), rotated(reference::table_of(x), hs::rotation::interleaved, 6)) < 1e-13);
    BOOST_TEST(unit::distance(turned(halves), rotated(reference::table_of(x), hs::rotation::half_split, 6)) < 1e-13);
    for (std::size_t i = 0; i < 40; ++i) BOOST_TEST((turned(halves)(6, i) == x(6, i) && turned(beside)(7, i) == x(7, i)));
}

BOOST_AUTO_TEST_CASE(a_rotation_shows_scores_the_distance_of_query_and_key_alone)
{
    static const auto angles = hs::make_rotary_table<double, 6, 200>();
    unit::random_numbers random(63);
    const auto q = random.matrix<hs::matrix<double, 6, 1>>(), k = random.matrix<hs::matrix<double, 6, 1>>();
    const auto check = [&](const auto& rotary) {
        const auto score = [&](std::size_t i, std::size_t j) {
            auto a = q, b = k;
            rotary.template query<6>(a.elements, i);
            rotary.template key<6>(b.elements, j);
            return reference::dot_times(1)(a.span(), b.span());
        };
        for (const std::size_t shift : {1u, 17u, 150u}) BOOST_TEST(std::abs(score(7, 3) - score(7 + shift, 3 + shift)) < 1e-12);
        BOOST_TEST(std::abs(score(7, 3) - score(3, 7)) > 1e-3);
        BOOST_TEST(std::abs(score(7, 3) - score(8, 3)) > 1e-3);
    };
    check(hs::rotary<hs::rotation::interleaved, double, 6, 200>{&angles});
    check(hs::rotary<hs::rotation::half_split, double, 6, 200>{&angles});
}

BOOST_AUTO_TEST_CASE(a_layer_turns_queries_and_keys_by_their_position_in_every_block_of_the_streamed_plan)
{
    static const auto angles = hs::make_rotary_table<double, 4, 131>();
    using rotary = hs::rotary<hs::rotation::half_split, double, 4, 131>;
    example<3, 131, hs::scaled_dot, rotary> x;
    for (auto& kind : x.w.kinds) kind.table = &angles;
    const auto head = [](std::size_t, const table& q, const table& k, const table& v) {
        return reference::attention(rotated(q, hs::rotation::half_split, 4), rotated(k, hs::rotation::half_split, 4), v);
    };
    BOOST_TEST(x.off(head, direct) < 1e-12);
    BOOST_TEST(x.off(head, streamed) < 1e-12);
}

BOOST_AUTO_TEST_CASE(norms_come_in_the_order_in_which_they_are_listed)
{
    static const auto angles = hs::make_rotary_table<double, 6, 19>();
    example<3, 19, hs::dot_times_ratio<std::ratio<3>>, hs::rms_norm<double, 6>,
            hs::rotary<hs::rotation::interleaved, double, 6, 19>>
        x;
    for (auto& kind : x.w.kinds) x.random.fill(kind.query_gain), x.random.fill(kind.key_gain), kind.table = &angles;
    for (std::size_t h = 1; h < 4; h += 2) x.w.kinds[h].key_gain = x.w.kinds[h - 1].key_gain;  // heads that share a key
    const auto head = [&](std::size_t h, const table& q, const table& k, const table& v) {
        const auto turned = [](const table& y) { return rotated(y, hs::rotation::interleaved, 6); };
        return reference::attention(turned(rms(q, reference::table_of(x.w.kinds[h].query_gain))),
                                    turned(rms(k, reference::table_of(x.w.kinds[h].key_gain))), v, reference::dot_times(3));
    };
    BOOST_TEST(x.off(head, direct) < 1e-12);

    example<3, 19, hs::dot_times_ratio<std::ratio<10>>, hs::l2_norm<double>> y;
    const auto cosine = [](std::size_t, const table& q, const table& k, const table& v) {
        return reference::attention(of_length_1(q), of_length_1(k), v, reference::dot_times(10));
    };
    BOOST_TEST(y.off(cosine, streamed) < 1e-12);
    double zero[3] = {0, 0, 0};
    hs::l2_norm<double>{}.query<3>(zero, 0);
    BOOST_TEST((zero[0] == 0 && zero[1] == 0 && zero[2] == 0));
}

BOOST_AUTO_TEST_CASE(each_head_has_its_own_sink_by_every_plan)
{
    example<3, 19, hs::scaled_dot, hs::sink<double>> x;
    for (std::size_t h = 0; h < 4; ++h) x.w.kinds[h].logit = static_cast<double>(h) - 1.5;
    const auto head = [&](std::size_t h, const table& q, const table& k, const table& v) {
        return reference::affine(
            v, unit::softmax_with_sink(reference::scores(q, k, reference::scaled_dot(6)), x.w.kinds[h].logit));
    };
    BOOST_TEST(x.off(head, direct) < 1e-13);
    BOOST_TEST(x.off(head, absorbed) < 1e-13);
    BOOST_TEST(x.off(head, streamed) < 1e-13);
    // Without keys, the sink has all weight, and the bias of the values none.
    const typename decltype(x)::layer_type layer(x.w);
    for (const auto& y : {layer(x.q, x.k, x.v, hs::valid_keys{0}, direct), layer(x.q, x.k, x.v, hs::valid_keys{0}, absorbed),
                          layer(x.q, x.k, x.v, hs::valid_keys{0}, streamed)})
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t r = 0; r < 5; ++r) BOOST_TEST(y(r, i) == x.w.b_o(r, 0));
}

BOOST_AUTO_TEST_CASE(appended_tokens_are_never_masked)
{
    example<3, 19, hs::scaled_dot, hs::appended_token<double, 6, 2>, hs::appended_zero> x;
    for (std::size_t h = 0; h < 4; h += 2) {
        x.random.fill(x.w.kinds[h].key), x.random.fill(x.w.kinds[h].value);
        x.w.kinds[h + 1] = x.w.kinds[h];
    }
    const auto with = [&](auto sees) {
        return [&x, sees](std::size_t h, const table& q, const table& k, const table& v) {
            using unit::with_column;
            const auto numbers = [](const auto& m) { return reference::table_of(m).numbers; };
            const auto all_k = with_column(with_column(k, numbers(x.w.kinds[h].key)), std::vector<double>(6));
            const auto all_v = with_column(with_column(v, numbers(x.w.kinds[h].value)), std::vector<double>(2));
            const auto scores = unit::masked(reference::scores(q, all_k, reference::scaled_dot(6)),
                                             [&](std::size_t i, std::size_t j) { return j >= 19 || sees(i, j); });
            return reference::affine(all_v, reference::softmax(scores));
        };
    };
    BOOST_TEST(x.off(with([](auto, auto) { return true; }), direct) < 1e-13);
    BOOST_TEST(x.off(with([](auto i, auto j) { return j <= i; }), direct, hs::causal<hs::corner::top_left>{}) < 1e-13);
    std::array<hs::matrix<double, 21, 3>, 4> weights;
    BOOST_TEST(x.off(with([](auto, auto) { return false; }), direct, hs::valid_keys{0}, hs::weights_into(weights)) < 1e-13);
    for (const auto& w : weights)
        for (std::size_t i = 0; i < 3; ++i)
            BOOST_TEST((w(18, i) == 0 && w(19, i) > 0 && w(20, i) > 0 && std::abs(w(19, i) + w(20, i) - 1) < 1e-15));
}

// One causal, one windowed, one of another score, one with a token more; and one with a sink.
BOOST_AUTO_TEST_CASE(heads_of_a_layer_may_differ_in_everything)
{
    using layer_type = hs::mixed_multi_head<
        double, hs::widths{.d_model = 5, .biases = bias::all}, hs::head<3, 2, hs::scaled_dot, hs::causal<>>,
        hs::head<6, 4, hs::scaled_dot, hs::window<2, 1>, hs::alibi<hs::slopes::interleaved>>, hs::head<2, 3, hs::cosine<>>,
        hs::head<3, 2, hs::dot, hs::appended_zero>, hs::head<3, 1, hs::dot, hs::sink<double>>>;
    unit::random_numbers random(64);
    layer_type::weights_type w;
    random.fill(w.b_o);
    boost::hana::for_each(w.heads, [&](auto& h) {
        random.fill(h.w_q), random.fill(h.w_k), random.fill(h.w_v), random.fill(h.w_o), random.fill(h.b_q), random.fill(h.b_k),
            random.fill(h.b_v);
    });
    w.heads[4_c].kind.logit = 0.75;
    reference::layer expected_layer;
    expected_layer.b_o = reference::table_of(w.b_o).numbers;
    boost::hana::for_each(w.heads, [&](const auto& h) {
        expected_layer.w_q.push_back(reference::table_of(h.w_q)), expected_layer.w_k.push_back(reference::table_of(h.w_k));
        expected_layer.w_v.push_back(reference::table_of(h.w_v)), expected_layer.w_o.push_back(reference::table_of(h.w_o));
        expected_layer.b_q.push_back(reference::table_of(h.b_q).numbers),
            expected_layer.b_k.push_back(reference::table_of(h.b_k).numbers);
        expected_layer.b_v.push_back(reference::table_of(h.b_v).numbers);
    });
    const auto x = random.matrix<hs::matrix<double, 5, 18>>();
    std::vector<table> expected_weights;
    const auto head = [&](std::size_t h, const table& q, const table& k, const table& v) {
        auto scores = reference::scores(q, k, h == 2 ? [](std::span<const double> a, std::span<const double> b) {
            const auto dot = reference::dot_times(1);
            return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
        } : h < 2 ? reference::scaled_dot(q.rows) : reference::dot());
        if (h == 0) scores = unit::masked(scores, [](auto i, auto j) { return j <= i; });
        for (std::size_t i = 0; i < 18 && h == 1; ++i)  // 5 heads: slopes 2^-2, 2^-4, 2^-6, 2^-8, 2^-1
            for (std::size_t j = 0; j < 18; ++j) scores(j, i) -= std::abs(static_cast<double>(i) - static_cast<double>(j)) / 16;
        if (h == 1) scores = unit::masked(scores, [](auto i, auto j) { return i <= j + 2 && j <= i + 1; });
        const auto weights = h == 3 || h == 4 ? unit::softmax_with_sink(scores, h == 3 ? 0 : 0.75) : reference::softmax(scores);
        expected_weights.push_back(weights);
        return reference::affine(v, weights);
    };
    const table x_table = reference::table_of(x),
                y_table = unit::layer_of_heads(expected_layer, x_table, x_table, x_table, head);
    const layer_type layer(w);
    BOOST_TEST(unit::distance(layer(x, x, x), y_table) < 1e-12);

    // A row of weights for the key that one head alone has; of weight 0 to the others.
    std::array<hs::matrix<double, 19, 18>, 5> weights, masked;
    for (auto& one : weights)
        for (double& e : one.elements) e = 7;
    masked = weights;
    hs::matrix<double, 19, 18> mean;
    const auto y = layer(x, x, x, hs::weights_into(weights), hs::mean_weights_into(mean),
                         hs::scores_into<hs::score_stage::masked>(masked));
    BOOST_TEST(unit::same_bits(y, layer(x, x, x)));
    for (std::size_t i = 0; i < 18; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < 19; ++j) {
            double of_heads = 0;
            for (std::size_t h = 0; h < 5; ++h) {
                of_heads += weights[h](j, i) / 5;
                if (j < 18) BOOST_TEST(std::abs(weights[h](j, i) - expected_weights[h](j, i)) < 1e-12);
                else if (h != 3)
                    BOOST_TEST((weights[h](j, i) == 0 && masked[h](j, i) == -std::numeric_limits<double>::infinity()));
            }
            BOOST_TEST(std::abs(mean(j, i) - of_heads) < 1e-15);
            sum += weights[3](j, i);
        }
        BOOST_TEST(std::abs(sum - 1) < 1e-14);
    }
}

// Step by step as the whole causal sequence.
namespace {

template <class Layer>
bool decodes_with_the_bits_of_the_whole(const typename Layer::weights_type& w)
{
    using T = typename Layer::value_type;
    constexpr std::size_t rows = Layer::sizes.d_model;
    unit::random_numbers random(65);
    const auto x = random.matrix<hs::matrix<T, rows, 35>>();
    const Layer layer(w);
    const auto y = layer(x, x, x, direct, hs::causal<>{});
    hs::kv_cache<T, Layer::sizes, 40> cache{};
    bool same = true;
    for (std::size_t i = 0; i < 35; ++i) {
        const auto token = hs::as_view(x).column(i);
        same = same && layer.append(cache, token, token);
        const auto step = layer(token, cache);
        same = same && std::memcmp(step.elements, &y(0, i), sizeof(step.elements)) == 0;
    }
    // The last three at once, causal among themselves, after they were dropped.
    cache.truncate(32);
    const hs::matrix_view<const T, rows, 3> last{&x(0, 32)};
    same = same && layer.append(cache, last, last);
    const auto three = layer(last, cache, hs::causal<hs::corner::bottom_right>{});
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t r = 0; r < rows; ++r) same = same && three(r, i) == y(r, 32 + i);
    return same;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_cache_decodes_with_the_bits_of_the_whole_sequence_with_rotations_norms_distances_and_sinks)
{
    static const auto angles = hs::make_rotary_table<float, 6, 40>();
    using layer_type = hs::multi_head<float, sizes, hs::soft_capped<std::ratio<5>>, hs::rms_norm<float, 6>,
                                      hs::rotary<hs::rotation::half_split, float, 6, 40>,
                                      hs::alibi<hs::slopes::interleaved, hs::corner::bottom_right>, hs::sink<float>>;
    unit::random_numbers random(66);
    auto w = random.weights<layer_type::weights_type>();
    for (auto& kind : w.kinds)
        random.fill(kind.query_gain), random.fill(kind.key_gain), kind.table = &angles,
                                                                  kind.logit = static_cast<float>(random());
    BOOST_TEST(decodes_with_the_bits_of_the_whole<layer_type>(w));
}

BOOST_AUTO_TEST_CASE(a_cache_decodes_with_the_bits_of_the_whole_sequence_with_a_window)
{
    using layer_type = hs::multi_head<double, sizes, hs::dot_times<double>, hs::window<18, 0, hs::corner::bottom_right>>;
    unit::random_numbers random(67);
    auto w = random.weights<layer_type::weights_type>();
    for (auto& kind : w.kinds) kind.factor = random();
    BOOST_TEST(decodes_with_the_bits_of_the_whole<layer_type>(w));
}

BOOST_AUTO_TEST_CASE(onnx_7274_grouped_heads_are_neighbours_behind_a_mask_too)
{
    using layer_type =
        hs::multi_head<float, dims{.d_model = 4, .heads = 4, .d_k = 1, .d_v = 1, .kv_heads = 2, .biases = bias::v},
                       hs::scaled_dot, hs::causal<>>;
    layer_type::weights_type w{};
    w.b_v[0](0, 0) = 1;
    w.b_v[1](0, 0) = 11;
    for (std::size_t h = 0; h < 4; ++h) w.w_o[h](h, 0) = 1;
    const auto layer = unit::seen_at_run_time(layer_type(w));
    const hs::matrix<float, 4, 2> zeros{}, expected{1, 1, 11, 11, 1, 1, 11, 11};
    BOOST_TEST((layer(zeros, zeros, zeros, direct) == expected));
    BOOST_TEST((layer(zeros, zeros, zeros, absorbed) == expected));
    BOOST_TEST((layer(zeros, zeros, zeros, streamed) == expected));
}

BOOST_AUTO_TEST_CASE(the_residual_form_takes_masks_and_features_without_members)
{
    unit::random_numbers random(68);
    hs::residual_weights<double, dims{.d_model = 5, .heads = 2, .d_k = 3, .d_v = 5}> w;
    random.fill(w.w_q), random.fill(w.w_k), random.fill(w.w_v);
    const hs::residual_attention<double, dims{.d_model = 5, .heads = 2, .d_k = 3, .d_v = 5}, hs::dot, hs::causal<>> layer(w);
    const hs::residual_attention<double, dims{.d_model = 5, .heads = 2, .d_k = 3, .d_v = 5}> plain(w);
    const auto x = random.matrix<hs::matrix<double, 5, 9>>();
    const auto y = layer(x);
    BOOST_TEST(unit::same_bits(y, plain(x, hs::causal<>{})));
    for (std::size_t r = 0; r < 5; ++r) BOOST_TEST(std::abs(y(r, 0) - (plain(hs::as_view(x).column(0))(r, 0))) < 1e-14);
    BOOST_TEST(!unit::same_bits(y, plain(x)));
}

// In a constant expression: masks and weights of each head.
namespace {

using tiny = hs::multi_head<float, dims{.d_model = 2, .heads = 2}>;
struct tiny_results {
    hs::matrix<float, 2, 2> y;
    std::array<hs::matrix<float, 2, 2>, 2> weights;
};
constexpr tiny_results masked_tiny(const tiny& layer, const hs::matrix<float, 2, 2>& x)
{
    tiny_results r{};
    const std::array<hs::matrix<bool, 2, 2>, 2> masks{{{true, false, true, true}, {false, false, true, false}}};
    const std::array<hs::matrix<float, 2, 2>, 2> added{{{1, 2, 3, 4}, {5, 6, 7, 8}}};
    r.y = layer(x, x, x, hs::keep(masks) + hs::score_bias(added), hs::weights_into(r.weights), direct);
    return r;
}
constexpr tiny tiny_layer{tiny::weights_type{
    .w_q = {{{1, 2}, {3, -1}}}, .w_k = {{{2, 1}, {-1, 1}}}, .w_v = {{{1, 0}, {0, 1}}}, .w_o = {{{1, 1}, {2, -1}}}}};
constexpr hs::matrix<float, 2, 2> two_tokens{1, 0, 0.5f, 2};

}  // namespace

BOOST_AUTO_TEST_CASE(the_compiler_masks_each_head_with_the_bits_of_run_time)
{
    constexpr auto expected = masked_tiny(tiny_layer, two_tokens);
    const auto found = masked_tiny(unit::seen_at_run_time(tiny_layer), unit::seen_at_run_time(two_tokens));
    BOOST_TEST(unit::same_bits(found.y, expected.y));
    for (std::size_t h = 0; h < 2; ++h) BOOST_TEST(unit::same_bits(found.weights[h], expected.weights[h]));
    BOOST_TEST((expected.weights[1] == hs::matrix<float, 2, 2>{0, 0, 1, 0}));
}
