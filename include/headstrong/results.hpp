// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_RESULTS_HPP
#define HEADSTRONG_RESULTS_HPP
/// @file
/// What a call gives beside its output, if asked: weights, scores at each stage, log-sum-exp. Asking changes no bit of the
/// output, and costs nothing where it is not done.

#include "headstrong/checks.hpp"
#include "headstrong/mask/matrices.hpp"
#include "headstrong/mask/place.hpp"
#include "headstrong/view.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <utility>

namespace headstrong {

/// The stages of a score, in the order of ONNX Attention.
enum class score_stage {
    scaled,      ///< f(q_i, k_j), before a soft cap
    capped,      ///< after it, before masks and biases
    masked,      ///< after them: -infinity where the key is hidden
    weights,     ///< after the softmax: 0 where the key is hidden
    log_sum_exp  ///< of the masked scores: a number per head and query
};

namespace rule {

template <std::size_t Rows, std::size_t Columns, std::size_t Keys, std::size_t Queries>
struct result_has_a_number_per_score : condition<Rows == Keys && Columns == Queries> {
    static_assert(result_has_a_number_per_score::holds,
                  "weights and scores are M^{m x n}: a row per key, appended keys counted, and a "
                  "column per query");
};

template <std::size_t Matrices, std::size_t Heads>
struct result_has_a_matrix_per_head : condition<Matrices == Heads> {
    static_assert(result_has_a_matrix_per_head::holds, "weights and scores of a layer are a std::array of one matrix per head");
};

template <std::size_t Rows, std::size_t Columns, std::size_t Heads, std::size_t Queries>
struct log_sum_exp_is_heads_by_queries : condition<Rows == Heads && Columns == Queries> {
    static_assert(log_sum_exp_is_heads_by_queries::holds, "log-sum-exp is M^{heads x n}: a number per head and query");
};

}  // namespace rule

namespace detail {

/// Numbers of one stage into a matrix per head.
template <score_stage Stage, class X>
struct into_matrices {
    template <score_stage Other>
    static constexpr bool wants = Other == Stage;
    per_head<X> numbers;

    template <std::size_t Heads, std::size_t N, std::size_t M>
    static constexpr bool gives =
        rule::holds<rule::result_has_a_number_per_score<per_head<X>::view::rows, per_head<X>::view::columns, M, N>,
                    rule::result_has_a_matrix_per_head<per_head<X>::count, Heads>>;

    template <score_stage, std::size_t Heads, class T>
    HEADSTRONG_INLINE constexpr void put(std::size_t head, std::size_t i, std::size_t j, T number) const noexcept
    {
        numbers(head, i, j) = number;
    }
};

/// Keys that a head does not have, since only others append some: of weight 0.
template <std::size_t Heads, class T, class Results>
constexpr void show_no_keys(const Results& results, std::size_t head, std::size_t n, std::size_t first, std::size_t end)
{
    const auto put = [&]<score_stage Stage>(std::integral_constant<score_stage, Stage>, T number) {
        if constexpr (Results::template wants<Stage>)
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = first; j < end; ++j) results.template put<Stage, Heads>(head, i, j, number);
    };
    put(std::integral_constant<score_stage, score_stage::scaled>{}, minus_infinity<T>);
    put(std::integral_constant<score_stage, score_stage::capped>{}, minus_infinity<T>);
    put(std::integral_constant<score_stage, score_stage::masked>{}, minus_infinity<T>);
    put(std::integral_constant<score_stage, score_stage::weights>{}, T{0});
}

/// Nothing is asked.
struct no_results {
    template <score_stage>
    static constexpr bool wants = false;
};

/// Two requests of one call.
template <class First, class Second>
struct both_results {
    template <score_stage Stage>
    static constexpr bool wants = First::template wants<Stage> || Second::template wants<Stage>;
    First first;
    Second second;

    template <score_stage Stage, std::size_t Heads, class T>
    HEADSTRONG_INLINE constexpr void put(std::size_t head, std::size_t i, std::size_t j, T number) const noexcept
    {
        if constexpr (First::template wants<Stage>) first.template put<Stage, Heads>(head, i, j, number);
        if constexpr (Second::template wants<Stage>) second.template put<Stage, Heads>(head, i, j, number);
    }
};

}  // namespace detail

/// The scores at one stage to x(j, i) for key j and query i: a std::array of one matrix per head, or a matrix if there is one
/// head.
template <score_stage Stage, detail::matrix_or_one_per_head X>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto scores_into(X& x) noexcept
{
    return detail::into_matrices<Stage, X>{detail::per_head<X>(x)};
}

/// The attention weights of each head, exp(score - maximum) / sum: as scores_into.
template <detail::matrix_or_one_per_head X>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto weights_into(X& x) noexcept
{
    return scores_into<score_stage::weights>(x);
}

/// The mean of the attention weights over the heads, in one matrix m x n.
template <class View>
struct mean_weights {
    template <score_stage Stage>
    static constexpr bool wants = Stage == score_stage::weights;  ///< whether it takes the numbers of a stage
    View mean;                                                    ///< where the mean goes

    /// Whether it has the shape of a call; a rule says so if not.
    template <std::size_t Heads, std::size_t N, std::size_t M>
    static constexpr bool gives = rule::holds<rule::result_has_a_number_per_score<View::rows, View::columns, M, N>>;

    /// Takes the weight of key j for query i; the heads come in order.
    template <score_stage, std::size_t Heads, class T>
    HEADSTRONG_INLINE constexpr void put(std::size_t head, std::size_t i, std::size_t j, T weight) const noexcept
    {
        const T sum = head == 0 ? weight : mean(j, i) + weight;
        mean(j, i) = head + 1 == Heads ? sum / static_cast<T>(Heads) : sum;
    }
};

/// Asks a call for the mean of the attention weights, into x of shape m x n.
template <matrix_like X>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto mean_weights_into(X&& x) noexcept
{
    return mean_weights<detail::view_of<X>>{as_view(x)};
}

/// log(sum_j exp(score_j)) of each head and query, a matrix heads x n; -infinity where a query sees no key.
template <class View>
struct log_sum_exp {
    template <score_stage Stage>
    static constexpr bool wants = Stage == score_stage::log_sum_exp;  ///< whether it takes the numbers of a stage
    View numbers;                                                     ///< where they go

    /// Whether it has the shape of a call; a rule says so if not.
    template <std::size_t Heads, std::size_t N, std::size_t M>
    static constexpr bool gives = rule::holds<rule::log_sum_exp_is_heads_by_queries<View::rows, View::columns, Heads, N>>;

    /// Takes the number of a head and query.
    template <score_stage, std::size_t Heads, class T>
    HEADSTRONG_INLINE constexpr void put(std::size_t head, std::size_t i, std::size_t, T number) const noexcept
    {
        numbers(head, i) = number;
    }
};

/// Asks a call for log-sum-exp, into x of shape heads x n.
template <matrix_like X>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto log_sum_exp_into(X&& x) noexcept
{
    return log_sum_exp<detail::view_of<X>>{as_view(x)};
}

/// What asks for a result.
template <class X>
concept result_request = requires {
    { X::template wants<score_stage::weights> } -> std::convertible_to<bool>;
};

}  // namespace headstrong

#endif
