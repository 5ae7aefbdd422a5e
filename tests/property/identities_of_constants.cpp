// SPDX-License-Identifier: BSL-1.0
// What the compiler computes has the bits of what the machine computes.
#include "comparison.hpp"

#include <cstddef>

namespace property {
namespace {

using headstrong::bias;
using headstrong::dims;
using headstrong::matrix;

/// Numbers for a constant: no power of two divides their rounding away.
template <class T>
constexpr void fill(T* first, std::size_t count, int seed)
{
    for (std::size_t e = 0; e < count; ++e) first[e] = static_cast<T>(static_cast<int>(e * 37 + 11) * seed % 29 - 14) / T{13};
}

template <class T, std::size_t R, std::size_t C>
constexpr matrix<T, R, C> constant_matrix(int seed)
{
    matrix<T, R, C> x{};
    fill(x.elements, R * C, seed);
    return x;
}

constexpr void fill_heads(auto& heads, int seed)
{
    for (auto& w : heads) fill(w.elements, w.span().size(), seed++);
}

template <class T, dims D>
constexpr headstrong::weights<T, D> constant_weights(int seed)
{
    headstrong::weights<T, D> w{};
    fill_heads(w.w_q, seed), fill_heads(w.w_k, seed + 1), fill_heads(w.w_v, seed + 2), fill_heads(w.w_o, seed + 3);
    if constexpr (D.biases == bias::all) {
        fill_heads(w.b_q, seed + 4), fill_heads(w.b_k, seed + 5), fill_heads(w.b_v, seed + 6);
        fill(w.b_o.elements, D.d_out, seed + 7);
    }
    return w;
}

/// The same numbers, but the compiler does not know that.
template <class T, std::size_t R, std::size_t C>
matrix<T, R, C> unknown_to_the_compiler(const matrix<T, R, C>& x)
{
    matrix<T, R, C> y;
    for (std::size_t e = 0; e < R * C; ++e) {
        const volatile T number = x.elements[e];
        y.elements[e] = number;
    }
    return y;
}

BOOST_AUTO_TEST_CASE(a_layer_of_float_computed_by_the_compiler)
{
    constexpr dims D{.d_model = 5, .heads = 2, .d_k = 3, .d_v = 2, .biases = bias::all};
    static constexpr headstrong::multi_head<float, D> layer{constant_weights<float, D>(3)};
    static constexpr auto x = constant_matrix<float, 5, 3>(5);
    static constexpr auto y = layer(x, x, x);
    const auto at_run_time = unknown_to_the_compiler(x);
    BOOST_TEST(same_bits(layer(at_run_time, at_run_time, at_run_time), y));
}

BOOST_AUTO_TEST_CASE(a_layer_of_double_with_grouped_heads_computed_by_the_compiler)
{
    constexpr dims D{.d_model = 3, .heads = 2, .d_k = 1, .d_v = 2, .d_key = 2, .d_out = 8, .kv_heads = 1};
    static constexpr headstrong::multi_head<double, D> layer{constant_weights<double, D>(4)};
    static constexpr auto q = constant_matrix<double, 3, 2>(6);
    static constexpr auto k = constant_matrix<double, 2, 5>(7);
    static constexpr auto v = constant_matrix<double, 3, 5>(8);
    static constexpr auto y = layer(q, k, v);
    BOOST_TEST(same_bits(layer(unknown_to_the_compiler(q), unknown_to_the_compiler(k), unknown_to_the_compiler(v)), y));
}

BOOST_AUTO_TEST_CASE(a_residual_layer_computed_by_the_compiler)
{
    static constexpr dims D{.d_model = 2, .heads = 3, .d_k = 1, .d_v = 2};
    constexpr auto weights = [] {
        headstrong::residual_weights<float, D> w{};
        fill_heads(w.w_q, 2), fill_heads(w.w_k, 3), fill_heads(w.w_v, 5);
        return w;
    };
    static constexpr headstrong::residual_attention<float, D> layer{weights()};
    static constexpr auto x = constant_matrix<float, 2, 17>(9);
    static constexpr auto y = layer(x);
    BOOST_TEST(same_bits(layer(unknown_to_the_compiler(x)), y));
}

}  // namespace
}  // namespace property
