// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_OPTIONS_HPP
#define HEADSTRONG_OPTIONS_HPP
/// @file
/// What a call takes behind its matrices, in any order: masks and biases, requests for results, a plan, a sink.

#include "headstrong/kernel/treat.hpp"
#include "headstrong/mask/combine.hpp"
#include "headstrong/mask/place.hpp"
#include "headstrong/plan.hpp"
#include "headstrong/results.hpp"

#include <cstddef>

namespace headstrong {

/// An attention sink: one more term, exp(logit), in the denominator of the softmax, without a value (Xiao et al., "Efficient
/// streaming language models with attention sinks", 2024). An option of attention(), or one of the features of a layer's heads,
/// each with its own logit.
template <class T>
struct sink {
    T logit;  ///< its score
};

namespace detail {

template <class X>
inline constexpr bool is_sink = false;
template <class T>
inline constexpr bool is_sink<sink<T>> = true;

template <class X>
inline constexpr bool is_plan = false;
template <plan_kind Kind>
inline constexpr bool is_plan<by_plan<Kind>> = true;

}  // namespace detail

/// What may stand behind the matrices of a call.
template <class X>
concept call_option = score_modifier<X> || result_request<X> || detail::is_sink<X> || detail::is_plan<X>;

namespace rule {

template <bool Known>
struct option_of_a_call : condition<Known> {
    static_assert(option_of_a_call::holds,
                  "behind its matrices a call takes masks and score biases, requests for results (weights_into, "
                  "scores_into, ...), by<plan_kind::...> and, without a layer, a sink");
};

template <bool Same>
struct plan_asked_for_is_taken : condition<Same> {
    static_assert(plan_asked_for_is_taken::holds,
                  "by<plan_kind::...> must name the plan of the workspace; attention(), the residual form and calls with a "
                  "kv_cache have one plan, direct");
};

}  // namespace rule

namespace detail::inline HEADSTRONG_TARGET {

/// All masks and biases of a call in one.
[[nodiscard]] HEADSTRONG_INLINE constexpr no_modifier modifiers_among() noexcept { return {}; }
template <class First, class... More>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto modifiers_among(const First& first, const More&... more) noexcept
{
    if constexpr (score_modifier<First>) return joined(first, modifiers_among(more...));
    else return modifiers_among(more...);
}

/// All requests of a call in one.
[[nodiscard]] HEADSTRONG_INLINE constexpr no_results results_among() noexcept { return {}; }
template <class First, class... More>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto results_among(const First& first, const More&... more) noexcept
{
    const auto others = results_among(more...);
    if constexpr (!result_request<First>) return others;
    else if constexpr (std::is_same_v<decltype(others), const no_results>) return first;
    else return both_results<First, std::remove_const_t<decltype(others)>>{first, others};
}

[[nodiscard]] HEADSTRONG_INLINE constexpr no_sink sink_among() noexcept { return {}; }
template <class First, class... More>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto sink_among(const First& first, const More&... more) noexcept
{
    if constexpr (is_sink<First>) return first;
    else return sink_among(more...);
}

template <class Option>
[[nodiscard]] constexpr plan_kind plan_of_option(plan_kind otherwise) noexcept
{
    if constexpr (is_plan<Option>) return Option::kind;
    else return otherwise;
}

/// The plan that is asked for among the options.
template <class... Options>
[[nodiscard]] constexpr plan_kind plan_among(plan_kind otherwise) noexcept
{
    plan_kind kind = otherwise;
    ((kind = plan_of_option<Options>(kind)), ...);
    return kind;
}

/// The options of a call, sorted.
template <class Modifier, class Results, class Sink>
struct call_options {
    [[no_unique_address]] Modifier modifier;
    [[no_unique_address]] Results results;
    [[no_unique_address]] Sink sink;
};
template <class Modifier, class Results, class Sink>
call_options(Modifier, Results, Sink) -> call_options<Modifier, Results, Sink>;

template <class... Options>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto sorted(const Options&... options) noexcept
{
    return call_options{modifiers_among(options...), results_among(options...), sink_among(options...)};
}

}  // namespace detail::inline HEADSTRONG_TARGET

namespace detail {

/// Whether a plan that is asked for is the one that the call takes.
template <plan_kind Taken, class... Options>
inline constexpr bool plan_is_taken = rule::holds<rule::plan_asked_for_is_taken<plan_of_option<Options>(Taken) == Taken>...>;

/// Whether all options serve a call of Heads heads, N queries and M keys, whose results have Results rows.
template <std::size_t Heads, std::size_t N, std::size_t M, std::size_t Results, class... Options>
inline constexpr bool options_serve = ([] {
    if constexpr (score_modifier<Options>) return modifier_serves<Options, Heads, N, M>;
    else if constexpr (result_request<Options>) return Options::template gives<Heads, N, Results>;
    else return rule::holds<rule::option_of_a_call<call_option<Options>>>;
}() && ...);

/// The same for a layer, whose heads have sinks of their own.
template <std::size_t Heads, std::size_t N, std::size_t M, std::size_t Results, class... Options>
inline constexpr bool options_serve_layer =
    options_serve<Heads, N, M, Results, Options...> && (rule::holds<rule::option_of_a_call<!is_sink<Options>>> && ...);

}  // namespace detail
}  // namespace headstrong

#endif
