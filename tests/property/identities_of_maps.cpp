// SPDX-License-Identifier: BSL-1.0
// Equation (1) by its matrices, the layer of identity projections, folded linear maps, and the residual form.
#include "cases.hpp"

#include "reference/reference.hpp"

#include <algorithm>
#include <cstddef>

namespace property {
namespace {

using headstrong::bias;
using headstrong::dims;
using headstrong::dot;
using headstrong::matrix;

/// attention(), and beside it V Softmax(scale K^T Q) by the functions of linear algebra.
template <class T>
struct equation_case {
    attention_case<T> attention;
    grid<T> (*by_matrices)(const inputs<T>& x);
};

template <class T, std::size_t DK, std::size_t DV, std::size_t N, std::size_t M>
[[nodiscard]] equation_case<T> equation_of()
{
    return {attention_of<T, DK, DV, N, M>(), [](const inputs<T>& x) {
                auto scores = headstrong::multiply(headstrong::transposed(x.k.template as<DK, M>()), x.q.template as<DK, N>());
                for (T& score : scores.elements) score *= headstrong::scaled_dot::scale<T, DK>();
                return grid<T>(headstrong::multiply(x.v.template as<DV, M>(), headstrong::softmax(scores)));
            }};
}

BOOST_AUTO_TEST_CASE(attention_is_v_times_the_softmax_of_k_transposed_q)
{
    const cases<equation_case> all{{equation_of<float, 8, 3, 17, 15>()}, {equation_of<double, 17, 1, 3, 16>()}};
    for_each(all, 5, []<class T>(const equation_case<T>& equation, numbers& random) {
        const auto x = equation.attention.random_inputs(random);
        const estimates scores = product<T>(transposed(exact(x.k)), exact(x.q));
        const estimates of_matrices = product<T>(exact(x.v), softmax<T>(scaled<T>(scores, default_scale<T>(x.q.rows()))));
        const estimates expected = equation.attention.expected(x);
        BOOST_TEST(says_something(of_matrices));
        BOOST_TEST(within(equation.by_matrices(x), of_matrices));
        BOOST_TEST(within(equation.attention(x), expected));
        BOOST_TEST(agree(equation.attention(x), expected, equation.by_matrices(x), of_matrices));
    });
}

template <class T, std::size_t Size>
[[nodiscard]] matrix<T, Size, Size> identity()
{
    matrix<T, Size, Size> x{};
    for (std::size_t r = 0; r < Size; ++r) x(r, r) = 1;
    return x;
}

template <class T, std::size_t Size, std::size_t N, std::size_t M>
void one_head_is_attention(unsigned seed)
{
    constexpr dims D{.d_model = Size};
    const headstrong::weights<T, D> w{
        {identity<T, Size>()}, {identity<T, Size>()}, {identity<T, Size>()}, {identity<T, Size>()}};
    numbers random(seed);
    const auto q = random.matrix<T, Size, N>();
    const auto k = random.matrix<T, Size, M>();
    const auto v = random.matrix<T, Size, M>();
    BOOST_TEST(same_bits(headstrong::multi_head<T, D>{w}(q, k, v, headstrong::by<headstrong::plan_kind::direct>),
                         headstrong::attention(q, k, v)));
}

BOOST_AUTO_TEST_CASE(one_head_with_identity_projections_is_attention)
{
    one_head_is_attention<float, 15, 17, 5>(11);
    one_head_is_attention<double, 3, 2, 1>(12);
}

/// MultiHead(W_Q Q, W_K K, W_V V) by the layer that has the maps folded into its weights, and by mapping first.
template <class T, dims D, std::size_t QWidth, std::size_t KWidth, std::size_t VWidth, std::size_t N, std::size_t M>
void a_folded_layer_maps_its_inputs(unsigned seed)
{
    numbers random(seed);
    const auto w = random.weights<T, D>();
    matrix<T, D.d_model, QWidth> map_q;
    matrix<T, D.d_key, KWidth> map_k;
    matrix<T, D.d_value, VWidth> map_v;
    random.fill(map_q), random.fill(map_k), random.fill(map_v);
    const auto q = random.matrix<T, QWidth, N>();
    const auto k = random.matrix<T, KWidth, M>();
    const auto v = random.matrix<T, VWidth, M>();

    const auto folded = headstrong::fold(w, map_q, map_k, map_v);
    static_assert(folded.sizes
                  == dims{.d_model = QWidth,
                          .heads = D.heads,
                          .d_k = D.d_k,
                          .d_v = D.d_v,
                          .d_key = KWidth,
                          .d_value = VWidth,
                          .d_out = D.d_out,
                          .kv_heads = D.kv_heads,
                          .biases = D.biases});
    const auto by_fold = headstrong::multi_head<T, folded.sizes>{folded}(q, k, v);
    const auto by_maps = headstrong::multi_head<T, D>{w}(headstrong::multiply(map_q, q), headstrong::multiply(map_k, k),
                                                         headstrong::multiply(map_v, v));

    const reference::layer tables = reference::layer_of(w);
    const estimates of_maps = multi_head<T>(tables, product<T>(exact(map_q), exact(q)), product<T>(exact(map_k), exact(k)),
                                            product<T>(exact(map_v), exact(v)));
    // The folded weights' own errors go through the layer as errors of W.
    estimates heads(D.heads * D.d_v, N);
    for (std::size_t h = 0; h < D.heads; ++h) {
        const std::size_t kv = tables.kv_head(h);
        put(heads, h * D.d_v,
            attention<T>(product<T>(product<T>(exact(w.w_q[h]), exact(map_q)), exact(q), exact(w.b_q[h])),
                         product<T>(product<T>(exact(w.w_k[kv]), exact(map_k)), exact(k), exact(w.b_k[kv])),
                         product<T>(product<T>(exact(w.w_v[kv]), exact(map_v)), exact(v), exact(w.b_v[kv]))));
    }
    const estimates of_fold = product<T>(exact(headstrong::w_o_of(w)), heads, exact(w.b_o));

    BOOST_TEST(says_something(of_fold));
    BOOST_TEST(within(by_fold, of_fold));
    BOOST_TEST(within(by_maps, of_maps));
    BOOST_TEST(agree(by_fold, of_fold, by_maps, of_maps));
}

BOOST_AUTO_TEST_CASE(a_folded_layer_is_the_layer_of_mapped_inputs)
{
    a_folded_layer_maps_its_inputs<float, dims{.d_model = 16, .heads = 2, .d_k = 8, .d_v = 3, .d_key = 5, .kv_heads = 1}, 8, 2,
                                   17, 5, 8>(13);
    a_folded_layer_maps_its_inputs<double, dims{.d_model = 3, .heads = 3, .d_k = 5, .d_v = 1, .biases = bias::all}, 5, 35, 1, 3,
                                   2>(14);
}

template <class T, std::size_t Rows, std::size_t Inner, std::size_t Columns, std::size_t N>
void a_folded_map_is_a_composition(unsigned seed)
{
    numbers random(seed);
    const auto outer = random.matrix<T, Rows, Inner>();
    const auto inner = random.matrix<T, Inner, Columns>();
    const auto x = random.matrix<T, Columns, N>();
    const estimates of_fold = product<T>(product<T>(exact(outer), exact(inner)), exact(x));
    const estimates of_steps = product<T>(exact(outer), product<T>(exact(inner), exact(x)));
    const auto by_fold = headstrong::multiply(headstrong::fold(outer, inner), x);
    const auto by_steps = headstrong::multiply(outer, headstrong::multiply(inner, x));
    BOOST_TEST(says_something(of_fold));
    BOOST_TEST(within(by_fold, of_fold));
    BOOST_TEST(within(by_steps, of_steps));
    BOOST_TEST(agree(by_fold, of_fold, by_steps, of_steps));
}

BOOST_AUTO_TEST_CASE(a_composition_of_linear_maps_is_one_linear_map)
{
    a_folded_map_is_a_composition<float, 17, 8, 35, 3>(15);
    a_folded_map_is_a_composition<double, 2, 35, 5, 8>(16);
}

BOOST_AUTO_TEST_CASE(a_long_product_is_the_sum_of_its_chains)
{
    constexpr std::size_t rows = 17, inner = 300, columns = 3;
    numbers random(17);
    const auto w = random.matrix<float, rows, inner>();
    const auto x = random.matrix<float, inner, columns>();
    const auto part = [&]<std::size_t First, std::size_t Last>() {
        const headstrong::matrix_view<const float, rows, Last - First> of_w{&w(0, First)};
        const headstrong::matrix_view<const float, Last - First, columns, 1, inner> of_x{&x(First, 0)};
        return grid<float>(headstrong::multiply(of_w, of_x));
    };
    const auto y = headstrong::multiply(w, x);
    BOOST_TEST(same_bits(grid<float>(y), plus(plus(part.template operator()<0, 128>(), part.template operator()<128, 256>()),
                                              part.template operator()<256, inner>())));
    BOOST_TEST(within(y, product<float>(exact(w), exact(x))));
}

/// X + sum_h (W_h^V X) Softmax[(W_h^K X)^T (W_h^Q X)], its terms by attention() added in order.
template <class T, dims D, std::size_t N>
void the_residual_layer_adds_its_heads_to_x(unsigned seed)
{
    numbers random(seed);
    const auto w = random.residual_weights<T, D>();
    const auto x = random.matrix<T, D.d_model, N>();

    grid<T> in_order(x);
    estimates expected = exact(x);
    for (std::size_t h = 0; h < D.heads; ++h) {
        const std::size_t kv = h * D.kv_heads / D.heads;
        in_order =
            plus(in_order, grid<T>(headstrong::attention(headstrong::multiply(w.w_q[h], x), headstrong::multiply(w.w_k[kv], x),
                                                         headstrong::multiply(w.w_v[kv], x), dot{})));
        expected = sum<T>(expected, attention<T>(product<T>(exact(w.w_q[h]), exact(x)), product<T>(exact(w.w_k[kv]), exact(x)),
                                                 product<T>(exact(w.w_v[kv]), exact(x)), {1, 0}));
    }
    const headstrong::residual_attention<T, D> layer{w};
    const grid<T> by_value(layer(x));
    BOOST_TEST(same_bits(by_value, in_order));
    BOOST_TEST(says_something(expected));
    BOOST_TEST(within(by_value, expected));

    typename headstrong::residual_attention<T, D>::template workspace<N> scratch;
    for (const T content : {nan<T>, infinity<T>}) {
        std::ranges::fill(scratch.values, content);
        grid<T> y(D.d_model, N, content);
        layer(x, y.template as<D.d_model, N>(), scratch);
        BOOST_TEST(same_bits(y, by_value));
    }
}

BOOST_AUTO_TEST_CASE(the_residual_form_is_x_plus_the_heads_in_order)
{
    the_residual_layer_adds_its_heads_to_x<float, dims{.d_model = 5, .heads = 3, .d_k = 2, .d_v = 5}, 3>(21);
    the_residual_layer_adds_its_heads_to_x<float, dims{.d_model = 16, .heads = 8, .d_k = 15, .d_v = 16, .kv_heads = 2}, 17>(22);
    the_residual_layer_adds_its_heads_to_x<double, dims{.d_model = 2, .heads = 5, .d_k = 17, .d_v = 2, .kv_heads = 1}, 8>(23);
}

}  // namespace
}  // namespace property
