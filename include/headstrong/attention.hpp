// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_ATTENTION_HPP
#define HEADSTRONG_ATTENTION_HPP
/// @file
/// Attention of one head, without projections: equation (1).

#include "headstrong/checks.hpp"
#include "headstrong/kernel/attend.hpp"
#include "headstrong/kernel/pack.hpp"
#include "headstrong/kernel/seen_values.hpp"
#include "headstrong/mask.hpp"
#include "headstrong/options.hpp"
#include "headstrong/results.hpp"
#include "headstrong/score.hpp"
#include "headstrong/sizes.hpp"
#include "headstrong/view.hpp"

#include <cstddef>
#include <type_traits>

namespace headstrong {

/// Scratch memory of one call of attention with these sizes; its contents mean nothing between calls.
/// @par Cost
///   64 (d_k + m + d_v) bytes for each panel of queries, 16 of float or 8 of double; for long n, of two panels
template <class T, std::size_t DK, std::size_t DV, std::size_t N, std::size_t M>
struct attention_workspace {
    /// Panels of queries that are walked together.
    static constexpr std::size_t query_panels = detail::smaller_of(detail::panels_for<T>(N), detail::most_query_panels);
    static constexpr std::size_t queries_size = query_panels * lane_count<T> * DK;  ///< numbers of `queries`
    static constexpr std::size_t scores_size = query_panels * lane_count<T> * M;    ///< numbers of `scores`
    static constexpr std::size_t output_size = query_panels * lane_count<T> * DV;   ///< numbers of `output`

    alignas(64) T queries[queries_size];  ///< a block of queries in lanes
    alignas(64) T scores[scores_size];    ///< their scores of all keys, later their weights
    alignas(64) T output[output_size];    ///< their output in lanes
};

}  // namespace headstrong

namespace headstrong::detail::inline HEADSTRONG_TARGET {

template <lanes L, class Q, class K, class V, class Y, class Workspace, class Score, class Options>
constexpr void attention_into(Q q, K k, V v, Y y, Workspace& scratch, const Score& score, const Options& options)
{
    constexpr std::size_t n = Q::columns, m = K::columns, panels = Workspace::query_panels, o_stride = V::rows * L::size;
    const attend_memory<typename L::value_type> at{scratch.queries, scratch.scores, scratch.output, o_stride};
    with_scores_of(score, q, k, [&](const auto& given) HEADSTRONG_INLINE {
        const auto t = treated<1>(given, 0, n, m, options);
        const bool finite = !decltype(t)::has_modifier || all_finite<L>(v);
        for (std::size_t first = 0; first < n; first += panels * L::size) {
            attend<L, panels>(q, first, k, v, at, t, finite);
            for (std::size_t p = 0; p < panels && first + p * L::size < n; ++p)
                lanes_to_tokens<L>(scratch.output + p * o_stride, y, first + p * L::size);
        }
    });
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

namespace headstrong::inline HEADSTRONG_TARGET {

/// Attention of one head: a weighted average of the columns of V for each column of Q.
/// @par Equation
///   (1) of README's notation, Softmax over each column; f is `score`, by default k . q / sqrt(d_k):
///   @f[ O = V \, Softmax(f(Q, K)) @f]
/// @par Shapes
///   Q [d_k x n], K [d_k x m], V [d_v x m], O [d_v x n]; a token a column
/// @par Options
///   masks and score biases, requests for results, a sink: in any order behind the score
/// @par Numerics
///   the same bits everywhere, and for a query the same whatever the other queries and the hidden keys are; column maximum
///   subtracted
/// @par Edge cases
///   NaN in a column of Q stays in that column of O; a query that sees no key, or whose scores are all -infinity: a zero
///   column; NaN in a hidden key or value does not leak; y must not overlap an input
/// @par Errors
///   a shape, type or option that does not fit: one sentence when compiling, see Troubleshooting in README.md
/// @par Cost
///   n m (d_k + d_v) multiply-adds and n m exp, less what masks by position skip; no allocation
template <matrix_like Q, matrix_like K, matrix_like V, matrix_like Y, class Workspace, class Score, class... Options>
constexpr void attention(const Q& q, const K& k, const V& v, Y&& y, Workspace& scratch, const Score& score,
                         const Options&... options) noexcept
{
    using query = detail::view_of<const Q>;
    using key = detail::view_of<const K>;
    using value = detail::view_of<const V>;
    using output = detail::view_of<Y>;
    using T = typename query::value_type;
    constexpr bool valid =
        query::columns > 0 && key::columns > 0
        && rule::holds<rule::query_and_key_have_d_k_rows<query::rows, key::rows>, rule::score_is_product_or_callable<Score, T>,
                       rule::one_value_per_key<key::columns, value::columns>, rule::numbers_are_float_or_double<T>,
                       rule::one_number_type<typename key::value_type, T>, rule::one_number_type<typename value::value_type, T>,
                       rule::one_number_type<typename output::value_type, T>,
                       rule::output_has_the_shape_of_the_result<output::rows, output::columns, value::rows, query::columns>,
                       rule::workspace_of_this_call<
                           Workspace, attention_workspace<T, key::rows, value::rows, query::columns, key::columns>>>
        && detail::fits_head<Score, key::rows, value::rows>
        && detail::options_serve<1, query::columns, key::columns, key::columns, Options...>
        && detail::plan_is_taken<plan_kind::direct, Options...>;
    if constexpr (valid)
        detail::with_lanes<T>([&]<class L>() {
            detail::attention_into<L>(as_view(q), as_view(k), as_view(v), as_view(y), scratch, score,
                                      detail::sorted(options...));
        });
}

/// The same with scratch memory on the stack, its result by value.
template <matrix_like Q, matrix_like K, matrix_like V, class Score = scaled_dot, class... Options>
    requires(!call_option<Score>)
[[nodiscard]] constexpr auto attention(const Q& q, const K& k, const V& v, const Score& score = {},
                                       const Options&... options) noexcept
{
    using query = detail::view_of<const Q>;
    using key = detail::view_of<const K>;
    using value = detail::view_of<const V>;
    using T = typename query::value_type;
    using workspace = attention_workspace<T, key::rows, value::rows, query::columns, key::columns>;
    constexpr std::size_t scores = matrix_score<Score> ? sizeof(T) * query::columns * key::columns : 0;
    matrix<T, value::rows, query::columns> y;
    if constexpr (rule::holds<rule::fits_the_stack<sizeof(workspace) + sizeof(y) + scores, HEADSTRONG_MAX_STACK_BYTES>>) {
        workspace scratch;
        attention(q, k, v, y, scratch, score, options...);
    }
    return y;
}

/// The same with the default score and at least one option.
template <matrix_like Q, matrix_like K, matrix_like V, call_option Option, class... Options>
[[nodiscard]] constexpr auto attention(const Q& q, const K& k, const V& v, const Option& option,
                                       const Options&... options) noexcept
{
    return attention(q, k, v, scaled_dot{}, option, options...);
}

}  // namespace headstrong::inline HEADSTRONG_TARGET

#endif
