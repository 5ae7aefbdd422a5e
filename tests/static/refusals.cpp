// SPDX-License-Identifier: BSL-1.0
// What is refused without an error, so that generic code may ask. (Wrong shapes are errors with a sentence: compile_fail.)
#include "headstrong/headstrong.hpp"

#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace hs = headstrong;

// Matrices, views and row views are matrices; arrays, spans and vectors have no shape to check.
using matrix = hs::matrix<float, 4, 3>;
static_assert(hs::matrix_like<matrix&> && hs::matrix_like<const matrix&>);
static_assert(hs::matrix_like<hs::matrix_view<const float, 4, 3>> && hs::matrix_like<hs::row_view<float, 3, 4>>);
static_assert(!hs::matrix_like<float> && !hs::matrix_like<float*> && !hs::matrix_like<float (&)[12]>);
static_assert(!hs::matrix_like<std::span<float, 12>> && !hs::matrix_like<std::vector<float>>);

template <class Q, class K, class V>
concept can_attend = requires(const Q& q, const K& k, const V& v) { hs::attention(q, k, v); };
static_assert(can_attend<matrix, matrix, matrix>);
static_assert(!can_attend<std::vector<float>, matrix, matrix> && !can_attend<matrix, matrix, float*>);

template <class W, class X>
concept can_multiply = requires(const W& w, const X& x) { hs::multiply(w, x); };
static_assert(can_multiply<hs::matrix<float, 4, 4>, matrix> && !can_multiply<float, matrix> && !can_multiply<matrix, float>);

// A layer is called with matrices, and with its own scratch memory for the output.
using layer = hs::multi_head<float, hs::dims{.d_model = 4, .heads = 2}>;
static_assert(std::is_invocable_v<const layer&, matrix&, matrix&, matrix&>);
static_assert(std::is_invocable_v<const layer&, matrix&, matrix&, matrix&, matrix&, layer::workspace<3, 3>&>);
static_assert(!std::is_invocable_v<const layer&, matrix&, matrix&>);
static_assert(!std::is_invocable_v<const layer&, matrix&, matrix&, matrix&, matrix&>);
static_assert(!std::is_invocable_v<const layer&, matrix&, matrix&, std::vector<float>&>);
static_assert(std::is_nothrow_invocable_v<const layer&, matrix&, matrix&, matrix&>);

// Weights become a layer only where the user says so, and a layer without weights does not exist.
static_assert(std::is_constructible_v<layer, const layer::weights_type&>
              && std::is_constructible_v<layer, const layer::packed_type&>);
static_assert(!std::is_convertible_v<const layer::weights_type&, layer>
              && !std::is_convertible_v<const layer::packed_type&, layer>);
static_assert(!std::is_default_constructible_v<layer> && !std::is_constructible_v<layer, const matrix&>);

// Scores: inner products, callables of two columns, and neither.
struct nearness {
    constexpr float operator()(const auto& query, const auto& key) const { return query[0] - key[0]; }
};
struct of_one_column {
    constexpr float operator()(const auto& query) const { return query[0]; }
};
static_assert(hs::inner_product_score<hs::scaled_dot> && hs::inner_product_score<hs::dot>
              && hs::inner_product_score<hs::dot_times<float>>);
static_assert(hs::column_score<nearness, float> && hs::column_score<nearness, double> && !hs::inner_product_score<nearness>);
static_assert(!hs::column_score<of_one_column, float> && !hs::inner_product_score<of_one_column>);
static_assert(!hs::column_score<hs::scaled_dot, float>);
