// SPDX-License-Identifier: BSL-1.0
// Layers whose heads differ, and layers whose heads share keys and values.
#include "cases.hpp"

#include "reference/reference.hpp"

#include <cstddef>
#include <utility>

namespace property {
namespace {

using headstrong::bias;
using headstrong::dims;
using headstrong::dot;
using headstrong::head;
using headstrong::matrix;
using headstrong::mixed_multi_head;
using headstrong::multi_head;
using headstrong::widths;

/// These identities hold bit for bit by the direct plan, whatever the planner prefers for a shape.
constexpr auto directly = headstrong::by<headstrong::plan_kind::direct>;

/// The widths of equal heads as those of mixed ones.
[[nodiscard]] constexpr widths widths_of(dims d) { return {d.d_model, d.d_key, d.d_value, d.d_out, d.biases}; }

/// Head h of a layer of equal heads as a head of a mixed one.
template <class T, dims D>
[[nodiscard]] headstrong::head_weights<T, widths_of(D), head<D.d_k, D.d_v>> one_head(const headstrong::weights<T, D>& w,
                                                                                     std::size_t h)
{
    const std::size_t kv = h * D.kv_heads / D.heads;
    return {w.w_q[h], w.w_k[kv], w.w_v[kv], w.w_o[h], w.b_q[h], w.b_k[kv], w.b_v[kv]};
}

template <class T, dims D, std::size_t N, std::size_t M>
void a_mixed_layer_of_three_equal_heads_is_a_layer(unsigned seed)
{
    static_assert(D.heads == 3);
    using kind = head<D.d_k, D.d_v>;
    using mixed = mixed_multi_head<T, widths_of(D), kind, kind, kind>;
    numbers random(seed);
    const auto w = random.weights<T, D>();
    const typename mixed::weights_type mixed_w{{one_head(w, 0), one_head(w, 1), one_head(w, 2)}, w.b_o};
    const auto q = random.matrix<T, D.d_model, N>();
    const auto k = random.matrix<T, D.d_key, M>();
    const auto v = random.matrix<T, D.d_value, M>();
    BOOST_TEST(same_bits(mixed{mixed_w}(q, k, v, directly), multi_head<T, D>{w}(q, k, v, directly)));
}

BOOST_AUTO_TEST_CASE(a_mixed_layer_of_equal_heads_gives_the_bits_of_the_layer)
{
    a_mixed_layer_of_three_equal_heads_is_a_layer<
        double, dims{.d_model = 5, .heads = 3, .d_k = 8, .d_v = 17, .biases = bias::all}, 3, 5>(41);
    a_mixed_layer_of_three_equal_heads_is_a_layer<
        float, dims{.d_model = 15, .heads = 3, .d_k = 1, .d_v = 2, .d_out = 3, .kv_heads = 1}, 17, 2>(42);
}

/// A layer of heads that differ in d_k, d_v and score, with biases of some projections.
template <class T>
struct mixed_example {
    static constexpr widths sizes{.d_model = 5, .d_key = 3, .d_value = 16, .d_out = 17, .biases = bias::q | bias::v | bias::o};
    using layer = mixed_multi_head<T, sizes, head<2, 15>, head<17, 1, dot>, head<8, 16>>;
    using weights = typename layer::weights_type;

    [[nodiscard]] static weights random_weights(numbers& random)
    {
        weights w;
        boost::hana::for_each(w.heads, [&](auto& one) {
            random.fill(one.w_q), random.fill(one.w_k), random.fill(one.w_v), random.fill(one.w_o), random.fill(one.b_q),
                random.fill(one.b_v);
        });
        random.fill(w.b_o);
        return w;
    }
};

/// One head by attention() and its projections.
template <class Score, class W, class Q, class K, class V>
[[nodiscard]] auto head_by_attention(const W& w, const Q& q, const K& k, const V& v)
{
    return headstrong::attention(headstrong::affine(w.w_q, q, w.b_q), headstrong::multiply(w.w_k, k),
                                 headstrong::affine(w.w_v, v, w.b_v), Score{});
}

template <class T, class W>
[[nodiscard]] estimates estimated_head(const W& w, estimate scale, const inputs<T>& x)
{
    return attention<T>(product<T>(exact(w.w_q), exact(x.q), exact(w.b_q)), product<T>(exact(w.w_k), exact(x.k)),
                        product<T>(exact(w.w_v), exact(x.v), exact(w.b_v)), scale);
}

template <class T, std::size_t N, std::size_t M>
void a_mixed_layer_adds_its_heads(unsigned seed)
{
    using namespace boost::hana::literals;
    using example = mixed_example<T>;
    numbers random(seed);
    const auto w = example::random_weights(random);
    const auto q = random.matrix<T, example::sizes.d_model, N>();
    const auto k = random.matrix<T, example::sizes.d_key, M>();
    const auto v = random.matrix<T, example::sizes.d_value, M>();
    const auto& first = w.heads[0_c];
    const auto& second = w.heads[1_c];
    const auto& third = w.heads[2_c];

    const auto head_1 = head_by_attention<headstrong::scaled_dot>(first, q, k, v);
    const auto head_2 = head_by_attention<dot>(second, q, k, v);
    const auto head_3 = head_by_attention<headstrong::scaled_dot>(third, q, k, v);
    const grid<T> in_order =
        plus(plus(grid<T>(headstrong::affine(first.w_o, head_1, w.b_o)), grid<T>(headstrong::multiply(second.w_o, head_2))),
             grid<T>(headstrong::multiply(third.w_o, head_3)));
    const grid<T> y(typename example::layer{w}(q, k, v, directly));
    BOOST_TEST(same_bits(y, in_order));

    const inputs<T> x{grid<T>(q), grid<T>(k), grid<T>(v)};
    estimates expected = product<T>(exact(first.w_o), estimated_head<T>(first, default_scale<T>(2), x), exact(w.b_o));
    expected = sum<T>(expected, product<T>(exact(second.w_o), estimated_head<T>(second, {1, 0}, x)));
    expected = sum<T>(expected, product<T>(exact(third.w_o), estimated_head<T>(third, default_scale<T>(8), x)));
    BOOST_TEST(says_something(expected));
    BOOST_TEST(within(y, expected));
}

BOOST_AUTO_TEST_CASE(a_mixed_layer_is_the_sum_of_its_heads) { a_mixed_layer_adds_its_heads<float, 17, 8>(43); }

template <class T, dims D, std::size_t N, std::size_t M>
void a_grouped_layer_repeats_its_keys_and_values(unsigned seed)
{
    constexpr dims repeated{.d_model = D.d_model,
                            .heads = D.heads,
                            .d_k = D.d_k,
                            .d_v = D.d_v,
                            .d_key = D.d_key,
                            .d_value = D.d_value,
                            .d_out = D.d_out,
                            .kv_heads = D.heads,
                            .biases = D.biases};
    numbers random(seed);
    const auto w = random.weights<T, D>();
    headstrong::weights<T, repeated> all{.w_q = w.w_q, .w_k = {}, .w_v = {}, .w_o = w.w_o, .b_q = w.b_q, .b_o = w.b_o};
    for (std::size_t h = 0; h < D.heads; ++h) {
        const std::size_t kv = h / (D.heads / D.kv_heads);  // neighbours share: 0 0 1 1, not 0 1 0 1
        all.w_k[h] = w.w_k[kv], all.w_v[h] = w.w_v[kv], all.b_k[h] = w.b_k[kv], all.b_v[h] = w.b_v[kv];
    }
    const auto q = random.matrix<T, D.d_model, N>();
    const auto k = random.matrix<T, D.d_key, M>();
    const auto v = random.matrix<T, D.d_value, M>();
    BOOST_TEST(same_bits(multi_head<T, D>{w}(q, k, v, directly), multi_head<T, repeated>{all}(q, k, v, directly)));
}

BOOST_AUTO_TEST_CASE(grouped_heads_are_the_layer_that_repeats_their_keys_and_values)
{
    a_grouped_layer_repeats_its_keys_and_values<
        float, dims{.d_model = 8, .heads = 8, .d_k = 3, .d_v = 5, .kv_heads = 2, .biases = bias::all}, 17, 8>(45);
    a_grouped_layer_repeats_its_keys_and_values<
        double, dims{.d_model = 3, .heads = 15, .d_k = 2, .d_v = 1, .d_key = 1, .kv_heads = 5}, 1, 3>(46);
}

}  // namespace
}  // namespace property
