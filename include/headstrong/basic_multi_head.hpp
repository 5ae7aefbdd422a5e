// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_BASIC_MULTI_HEAD_HPP
#define HEADSTRONG_BASIC_MULTI_HEAD_HPP
/// @file
/// Multi-head attention, equation (2), of packed weights and runs of heads.

#include "headstrong/checks.hpp"
#include "headstrong/layer/absorbed.hpp"
#include "headstrong/layer/direct.hpp"
#include "headstrong/layer/folded.hpp"
#include "headstrong/layer/paired.hpp"
#include "headstrong/layer/streamed.hpp"
#include "headstrong/options.hpp"
#include "headstrong/plan.hpp"
#include "headstrong/weights.hpp"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// In debug builds, at run time: the output shares no memory with the inputs.
template <class Output, class... Inputs>
HEADSTRONG_INLINE constexpr void assert_apart([[maybe_unused]] Output y, [[maybe_unused]] Inputs... inputs) noexcept
{
#ifndef NDEBUG
    if (__builtin_is_constant_evaluated()) return;
    const auto end = [](auto x) { return &x(x.rows - 1, x.columns - 1) + 1; };
    const auto below = [](const void* a, const void* b) {
        return reinterpret_cast<std::uintptr_t>(a) <= reinterpret_cast<std::uintptr_t>(b);
    };
    assert(((below(end(y), inputs.data) || below(end(inputs), y.data)) && ...) && "the output must not overlap an input");
#endif
}

/// Y = b_o + sum_h W_h^O head_h, the heads' shares added to y in order.
template <lanes L, plan_kind Plan, class Runs, packed_shape S, class Q, class K, class V, class Y, class Options>
constexpr void multi_head_into(const packed_weights<typename L::value_type, S>& w, const typename Runs::kinds& kinds, Q q, K k,
                               V v, Y y, typename L::value_type* scratch, const Options& options)
{
    using T = typename L::value_type;
    using packed = packed_weights<T, S>;
    constexpr std::size_t heads = Runs::heads;
    [[maybe_unused]] const auto add_share = [&](auto o, std::size_t first, std::size_t column) HEADSTRONG_INLINE {
        project_output<L>(w.values + packed::w_o_at + column * lane_count<T>, S.o_columns * lane_count<T>,
                          bias_at<bias::o>(w, packed::b_o_at, 0), o, y, first, column == 0);
    };
    Runs::for_each(kinds, [&](auto run, const auto& own) HEADSTRONG_INLINE {
        if constexpr (Plan == plan_kind::absorbed)
            walk_absorbed<typename L::whole, heads, decltype(run)>(w, own, q, k, v, y, scratch, options);
        else if constexpr (Plan == plan_kind::streamed)
            walk_streamed<L, heads, decltype(run)>(w, own, q, k, v, scratch, options, add_share);
        else if constexpr (Plan == plan_kind::folded && S.folded())
            walk_folded<L, heads, decltype(run)>(w, own, q, k, v, scratch, options, add_share);
        else if constexpr (heads_share_lanes<L, decltype(run), Q::columns, Options>())
            walk_in_pairs<L, decltype(run)>(w, q, k, v, scratch, add_share);
        else walk_directly<L, heads, decltype(run)>(w, own, q, k, v, scratch, options, add_share);
        if constexpr (decltype(run)::kind::appended < Runs::appended && !std::is_same_v<decltype(Options::results), no_results>)
            for (std::size_t h = 0; h < decltype(run)::heads; ++h)
                show_no_keys<heads, typename L::value_type>(options.results, decltype(run)::at.head + h, Q::columns,
                                                            K::columns + decltype(run)::kind::appended,
                                                            K::columns + Runs::appended);
    });
}

/// The plan that a workspace is made for, `otherwise` if the type is no workspace.
template <class Workspace>
[[nodiscard]] constexpr plan_kind plan_of_workspace(plan_kind otherwise) noexcept
{
    if constexpr (requires { Workspace::plan; }) return Workspace::plan;
    else return otherwise;
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

namespace headstrong {

/// What multi_head, mixed_multi_head and folded_multi_head have in common: packed weights and the call.
template <class T, packed_shape S, class Runs>
class basic_multi_head {
public:
    using value_type = T;                      ///< the type of number: float or double
    using packed_type = packed_weights<T, S>;  ///< the weights as the layer keeps them

    /// The plan of a call with n queries and m keys, and its cost. A call with a workspace of another plan, or with
    /// by<plan_kind::...>, takes that plan: so the result of a query can be kept the same for all n.
    template <std::size_t N, std::size_t M>
    [[nodiscard]] static constexpr plan_cost plan() noexcept
    {
        constexpr plan_kind kind = detail::choose_plan<S, Runs, N, M>();
        return {kind, cost<N, M, kind>()};
    }

    /// Scratch memory of one call with n queries and m keys; its contents mean nothing between calls.
    template <std::size_t N, std::size_t M, plan_kind Plan = detail::choose_plan<S, Runs, N, M>()>
    struct workspace {
        static_assert(
            rule::checked<rule::holds<rule::plan_serves_the_scores<Plan == plan_kind::absorbed, Runs::can_be_absorbed>,
                                      rule::plan_serves_the_features<Plan == plan_kind::streamed, Runs::can_be_streamed>,
                                      rule::plan_serves_the_weights<Plan == plan_kind::folded, S.folded()>>>);
        static constexpr plan_kind plan = Plan;                              ///< the plan of every call with this workspace
        alignas(64) T values[detail::scratch_size<T, S, Runs, N, M>(Plan)];  ///< scratch memory, aligned to 64 bytes
    };

    packed_type packed;  ///< the weights
    /// What the heads' kinds keep beside weights; nothing, if their scores and features have no members.
    [[no_unique_address]] typename Runs::kinds kinds{};

    /// Multi-head attention.
    /// @par Equation
    ///   (2) of README's notation; the heads are added in order, to b_o:
    ///   @f[ Y = b_o + \sum_h W_h^O \, head_h, \quad head_h = Attention(W_h^Q Q + b_q, W_h^K K + b_k, W_h^V V + b_v) @f]
    /// @par Shapes
    ///   Q [d_model x n], K [d_key x m], V [d_value x m], Y [d_out x n]; a token a column
    /// @par Options
    ///   masks and score biases, beside those of the heads, and requests for results: in any order behind the matrices
    /// @par Numerics
    ///   the same bits everywhere, and for a query the same whatever the other queries and the hidden keys are
    /// @par Edge cases
    ///   NaN in a column of Q stays in that column of Y; a query that sees no key gets the bias b_o; NaN in a hidden key or
    ///   value does not leak; y must not overlap an input (asserted in debug builds)
    /// @par Errors
    ///   a shape, type or option that does not fit: one sentence when compiling, see Troubleshooting in README.md
    /// @par Cost
    ///   cost<n, m>(); no allocation, no branch on data but whether all values behind a mask are finite
    template <class Target = native_target, matrix_like Q, matrix_like K, matrix_like V, matrix_like Y, class Workspace,
              class... Options>
    constexpr void operator()(const Q& q, const K& k, const V& v, Y&& y, Workspace& scratch,
                              const Options&... options) const noexcept
    {
        using output = detail::view_of<Y>;
        if constexpr (inputs_are_valid<detail::view_of<const Q>, detail::view_of<const K>, detail::view_of<const V>>
                      && rule::holds<rule::one_number_type<typename output::value_type, T>>
                      && options_are_valid<detail::view_of<const Q>, detail::view_of<const K>, Options...>) {
            constexpr std::size_t n = detail::view_of<const Q>::columns, m = detail::view_of<const K>::columns;
            constexpr plan_kind plan = detail::plan_of_workspace<Workspace>(detail::choose_plan<S, Runs, n, m>());
            if constexpr (rule::holds<rule::output_has_the_shape_of_the_result<output::rows, output::columns, S.d_out, n>,
                                      rule::workspace_of_this_call<Workspace, workspace<n, m, plan>>>
                          && detail::plan_is_taken<plan, Options...>) {
                detail::assert_apart(as_view(y), as_view(q), as_view(k), as_view(v));
                detail::with_lanes<T>([&]<class L>() {
                    detail::multi_head_into<L, plan, Runs>(packed, kinds, as_view(q), as_view(k), as_view(v), as_view(y),
                                                           scratch.values, detail::sorted(options...));
                });
            }
        }
    }

    /// The same with scratch memory on the stack, at most HEADSTRONG_MAX_STACK_BYTES, and the result by value. By
    /// by<plan_kind::...> among the options the caller chooses the plan.
    template <class Target = native_target, matrix_like Q, matrix_like K, matrix_like V, class... Options>
        requires((call_option<Options> || !std::is_class_v<Options>) && ...)
    [[nodiscard]] constexpr auto operator()(const Q& q, const K& k, const V& v, const Options&... options) const noexcept
    {
        constexpr std::size_t n = detail::view_of<const Q>::columns, m = detail::view_of<const K>::columns;
        constexpr plan_kind plan = detail::plan_among<Options...>(detail::choose_plan<S, Runs, n, m>());
        matrix<T, S.d_out, n> y;
        if constexpr (inputs_are_valid<detail::view_of<const Q>, detail::view_of<const K>, detail::view_of<const V>>) {
            using memory = workspace<n, m, plan>;
            if constexpr (rule::holds<
                              rule::fits_the_stack<sizeof(memory) + sizeof(y) + Runs::template scores_on_the_stack<T, n, m>,
                                                   HEADSTRONG_MAX_STACK_BYTES>>) {
                memory scratch;
                operator()<Target>(q, k, v, y, scratch, options...);
            }
        }
        return y;
    }

    /// What a call with n queries and m keys costs.
    template <std::size_t N, std::size_t M, plan_kind Plan = detail::choose_plan<S, Runs, N, M>()>
    [[nodiscard]] static constexpr costs cost() noexcept
    {
        return {detail::multiply_adds_of<S, Runs, N, M>(Plan), N * M * Runs::heads, sizeof(packed_type),
                sizeof(workspace<N, M, Plan>)};
    }

private:
    /// @cond Doxygen cannot read these
    template <class Query, class Key, class... Options>
    static constexpr bool options_are_valid =
        Runs::template kinds_serve<Query::columns, Key::columns>
        && detail::options_serve_layer<Runs::heads, Query::columns, Key::columns, Key::columns + Runs::appended, Options...>;

    template <class Query, class Key, class Value>  // no function: Clang takes one that breaks a rule for no constant
    static constexpr bool inputs_are_valid =
        Query::columns > 0 && Key::columns > 0
        && Runs::template scores_are_valid<T>&& rule::holds<
            rule::query_has_d_model_rows<Query::rows, S.d_model>, rule::key_has_d_key_rows<Key::rows, S.d_key>,
            rule::value_has_d_value_rows<Value::rows, S.d_value>, rule::one_value_per_key<Key::columns, Value::columns>,
            rule::one_number_type<typename Query::value_type, T>, rule::one_number_type<typename Key::value_type, T>,
            rule::one_number_type<typename Value::value_type, T>>;
    /// @endcond
};

}  // namespace headstrong

#endif
