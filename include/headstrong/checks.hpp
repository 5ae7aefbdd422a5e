// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_CHECKS_HPP
#define HEADSTRONG_CHECKS_HPP
/// @file
/// The rules about shapes, one structure each. An entry point names the rules it needs; where one is broken the compiler
/// prints the sentence and, beside it, the structure with its numbers, such as `query_has_d_model_rows<31, 32>`: what was given
/// first, what is expected behind it.
/// The arguments are plain integers because GCC 12 prints a whole structural value in mangled form; within a type, such as
/// weights<float, dims{...}>, it prints the numbers.

#include "headstrong/config.hpp"
#include "headstrong/dims.hpp"

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace headstrong::rule {

/// The base of each rule.
template <bool Holds>
struct condition {
    static constexpr bool holds = Holds;
};

/// Asks for rules; of a broken one the sentence is then the only error. In a class with a failed assertion Clang takes no
/// member for a constant, and goes on behind `if constexpr`; its base remains known.
template <class... Rules>
inline constexpr bool holds = (std::is_base_of_v<condition<true>, Rules> && ...);

/// static_assert(checked<rule::holds>) asks for a rule where a type is declared; the rule's own sentence is the only error.
template <bool>
inline constexpr bool checked = true;

template <class T>
struct numbers_are_float_or_double : condition<std::same_as<T, float> || std::same_as<T, double>> {
    static_assert(numbers_are_float_or_double::holds, "the numbers of a layer or matrix product are float or double");
};

template <class Found, class Expected>
struct one_number_type : condition<std::same_as<Found, Expected>> {
    static_assert(one_number_type::holds,
                  "all operands of a call hold the same type of number (float or double): convert the one that differs");
};

template <std::size_t Rows, std::size_t Columns>
struct matrix_has_rows_and_columns : condition<(Rows > 0 && Columns > 0)> {
    static_assert(matrix_has_rows_and_columns::holds,
                  "a matrix has at least one row and one column: n, m and all widths must be at least 1");
};

template <std::size_t DModel, std::size_t Heads>
struct at_least_one_head : condition<(DModel > 0 && Heads > 0)> {
    static_assert(at_least_one_head::holds, "d_model and heads must be at least 1");
};

template <std::size_t DModel, std::size_t Heads, std::size_t DK, std::size_t DV>
struct head_size_given_or_divides : condition<(DK > 0 && DV > 0)> {
    static_assert(head_size_given_or_divides::holds,
                  "d_k and d_v must be at least 1; left out, d_k is d_model / heads, so heads must divide d_model");
};

template <std::size_t DKey, std::size_t DValue, std::size_t DOut>
struct widths_are_positive : condition<(DKey > 0 && DValue > 0 && DOut > 0)> {
    static_assert(widths_are_positive::holds, "d_key, d_value and d_out must be at least 1; leave them out to take d_model");
};

template <std::size_t Heads, std::size_t KvHeads>
struct kv_heads_divide_heads : condition<(KvHeads > 0 && Heads % (KvHeads > 0 ? KvHeads : 1) == 0)> {
    static_assert(kv_heads_divide_heads::holds,
                  "heads must be a multiple of kv_heads: each key/value head serves the same number of query heads");
};

template <std::size_t KeyColumns, std::size_t ValueColumns>
struct one_value_per_key : condition<KeyColumns == ValueColumns> {
    static_assert(one_value_per_key::holds, "key and value must have the same number of columns m: one value per key");
};

template <std::size_t QueryRows, std::size_t KeyRows>
struct query_and_key_have_d_k_rows : condition<QueryRows == KeyRows> {
    static_assert(query_and_key_have_d_k_rows::holds,
                  "query and key must have the same number of rows d_k: a score compares their columns number by number");
};

template <std::size_t QueryRows, std::size_t DModel>
struct query_has_d_model_rows : condition<QueryRows == DModel> {
    static_assert(query_has_d_model_rows::holds, "query must have d_model rows: one column a token, d_model numbers each");
};

template <std::size_t KeyRows, std::size_t DKey>
struct key_has_d_key_rows : condition<KeyRows == DKey> {
    static_assert(key_has_d_key_rows::holds, "key must have d_key rows (d_model unless dims says otherwise)");
};

template <std::size_t ValueRows, std::size_t DValue>
struct value_has_d_value_rows : condition<ValueRows == DValue> {
    static_assert(value_has_d_value_rows::holds, "value must have d_value rows (d_model unless dims says otherwise)");
};

template <std::size_t OutputRows, std::size_t OutputColumns, std::size_t Rows, std::size_t Columns>
struct output_has_the_shape_of_the_result : condition<OutputRows == Rows && OutputColumns == Columns> {
    static_assert(output_has_the_shape_of_the_result::holds,
                  "output must have the rows and columns of the result: d_out (or d_v) rows, n columns");
};

template <class Found, class Expected>
struct workspace_of_this_call : condition<std::same_as<Found, Expected>> {
    static_assert(workspace_of_this_call::holds,
                  "scratch must be the workspace<n, m> of this layer, with n the columns of query and m those of key");
};

template <bool Absorbed, bool InnerProducts>
struct plan_serves_the_scores : condition<!Absorbed || InnerProducts> {
    static_assert(plan_serves_the_scores::holds,
                  "the absorbed plan does not serve a score that is a callable: W^K is absorbed "
                  "into the query by the linearity of an inner product, with no rotation, norm or "
                  "appended token in its way");
};

template <bool Streamed, bool Served>
struct plan_serves_the_features : condition<!Streamed || Served> {
    static_assert(plan_serves_the_features::holds,
                  "the streamed plan serves neither appended tokens nor a score function of matrices");
};

template <bool FoldedPlan, bool FoldedWeights>
struct plan_serves_the_weights : condition<FoldedPlan == FoldedWeights> {
    static_assert(plan_serves_the_weights::holds,
                  "folded is the one plan of a folded_multi_head, whose weights are folded when packed, and of no other layer");
};

template <bool CanBeAbsorbed>
struct folding_serves_the_heads : condition<CanBeAbsorbed> {
    static_assert(
        folding_serves_the_heads::holds,
        "a folded layer multiplies W_h^K and W_h^Q when packing: its score is an inner product, with no rotation, norm "
        "or appended token between projection and score");
};

template <std::size_t Capacity>
struct cache_holds_a_token : condition<(Capacity > 0)> {
    static_assert(cache_holds_a_token::holds, "the capacity of a kv_cache must be at least 1 token");
};

template <class Cache, bool SameDims>
struct cache_is_of_this_layer : condition<SameDims> {
    static_assert(cache_is_of_this_layer::holds, "a layer fills and reads a kv_cache of its own dims and type of number");
};

template <bool InnerProduct>
struct cache_serves_the_score : condition<InnerProduct> {
    static_assert(cache_serves_the_score::holds,
                  "a layer has a kv_cache if its score is an inner product of what is projected (no callable, no bilinear) and "
                  "its heads append no tokens: the keys of a cache lie in lanes");
};

template <std::size_t FeatureDK, std::size_t FeatureDV, std::size_t DK, std::size_t DV>
struct feature_has_the_sizes_of_its_head : condition<FeatureDK == DK && FeatureDV == DV> {
    static_assert(feature_has_the_sizes_of_its_head::holds,
                  "a learned score, a norm or an appended token has the d_k and d_v of its head");
};

template <std::size_t Bytes, std::size_t Limit>
struct fits_the_stack : condition<Bytes <= Limit> {
    static_assert(fits_the_stack::holds,
                  "this call would put more than HEADSTRONG_MAX_STACK_BYTES on the stack: use the overload "
                  "(q, k, v, y, scratch) with a workspace<n, m> that you own, or raise the limit");
};

template <std::size_t LeftColumns, std::size_t RightRows>
struct inner_sizes_agree : condition<LeftColumns == RightRows> {
    static_assert(inner_sizes_agree::holds, "in a product the columns of the left matrix must equal the rows of the right one");
};

template <std::size_t BiasRows, std::size_t WeightRows>
struct bias_has_the_rows_of_its_weight : condition<BiasRows == WeightRows> {
    static_assert(bias_has_the_rows_of_its_weight::holds, "a bias is one column with as many rows as its weight");
};

template <std::size_t First, std::size_t... More>
struct stacked_have_the_same_columns : condition<((More == First) && ...)> {
    static_assert(stacked_have_the_same_columns::holds, "matrices that are stacked must have the same number of columns");
};

template <std::size_t Numbers, std::size_t Rows, std::size_t Columns>
struct span_holds_the_matrix : condition<Numbers == Rows * Columns> {
    static_assert(span_holds_the_matrix::holds, "a span seen as a matrix must hold exactly rows times columns numbers");
};

template <std::size_t WeightRows, std::size_t WeightColumns, std::size_t Rows, std::size_t Columns>
struct weight_has_the_shape_of_its_place : condition<WeightRows == Rows && WeightColumns == Columns> {
    static_assert(weight_has_the_shape_of_its_place::holds,
                  "a weight acts from the left (y = W x): W_h^Q is d_k x d_model, W_h^K d_k x d_key, "
                  "W_h^V d_v x d_value, W_h^O d_out x d_v");
};

template <class Found, class Expected>
struct weights_have_the_dims_of_the_layer : condition<std::same_as<Found, Expected>> {
    static_assert(weights_have_the_dims_of_the_layer::holds,
                  "weights and layer must have the same dims and the same type of number");
};

template <std::size_t DModel, std::size_t DV, std::size_t DKey, std::size_t DValue, std::size_t DOut>
struct residual_form_is_square : condition<DModel == DV && DModel == DKey && DModel == DValue && DModel == DOut> {
    static_assert(residual_form_is_square::holds,
                  "the residual form adds W_h^V X to X: d_v, d_key, d_value and d_out must equal d_model");
};

template <std::size_t Heads>
struct mixed_layer_has_a_head : condition<(Heads > 0)> {
    static_assert(mixed_layer_has_a_head::holds, "a layer of mixed heads lists at least one head<d_k, d_v>");
};

/// All rules about the sizes of one layer.
template <dims D>
inline constexpr bool dims_are_valid =
    (holds<at_least_one_head<D.d_model, D.heads>>) && (holds<head_size_given_or_divides<D.d_model, D.heads, D.d_k, D.d_v>>)
    && (holds<widths_are_positive<D.d_key, D.d_value, D.d_out>>) && (holds<kv_heads_divide_heads<D.heads, D.kv_heads>>);

}  // namespace headstrong::rule

#endif
