// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_TREAT_HPP
#define HEADSTRONG_KERNEL_TREAT_HPP
/// @file
/// Scores on their way to weights: soft cap, masks and biases, softmax, and what the caller asked to see of them.

#include "headstrong/exact/log.hpp"
#include "headstrong/exact/tanh.hpp"
#include "headstrong/kernel/softmax.hpp"
#include "headstrong/mask/place.hpp"
#include "headstrong/results.hpp"
#include "headstrong/score/soft_capped.hpp"

#include <cstddef>
#include <type_traits>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// No sink.
struct no_sink {};

/// What one head of a call does to its scores.
template <class Score, std::size_t Heads, class Modifier = no_modifier, class Results = no_results, class Sink = no_sink>
struct treatment {
    /// Nothing but scale and softmax: the code is as if the rest did not exist.
    static constexpr bool plain = std::is_same_v<Modifier, no_modifier> && std::is_same_v<Results, no_results>
                                  && std::is_same_v<Sink, no_sink> && !capped_score<Score>;
    static constexpr bool has_modifier = !std::is_same_v<Modifier, no_modifier>;
    static constexpr bool has_sink = !std::is_same_v<Sink, no_sink>;
    /// Whether a number that is added to all scores of a query changes no weight.
    static constexpr bool sees_only_differences = [] {
        if constexpr (has_sink || capped_score<Score>) return false;
        else if constexpr (has_modifier) return only_hides<Modifier>;
        else return true;
    }();

    const Score& score;
    std::size_t head, n, m;  ///< keys behind the first m are appended ones, which no modifier changes
    [[no_unique_address]] Modifier modifier{};
    [[no_unique_address]] Results results{};
    [[no_unique_address]] Sink sink{};

    template <score_stage Stage>
    static constexpr bool wants = Results::template wants<Stage>;
    static constexpr bool wants_any = wants<score_stage::scaled> || wants<score_stage::capped> || wants<score_stage::masked>
                                      || wants<score_stage::weights> || wants<score_stage::log_sum_exp>;

    template <lanes L, bool KeysRun>
    [[nodiscard]] HEADSTRONG_INLINE constexpr auto place(std::size_t query, std::size_t key) const noexcept
    {
        return score_place<L, KeysRun, Heads>{head, query, key, n, m};
    }

    /// The keys among `all` whose scores queries first ... first + count - 1 need, from the begin of a group of the sum on.
    template <class T>
    [[nodiscard]] HEADSTRONG_INLINE constexpr key_range keys_for(std::size_t first, std::size_t count,
                                                                 std::size_t all) const noexcept
    {
        if constexpr (!has_modifier || wants_any) {
            return {0, all};
        } else {
            if (all != m) return {0, all};
            const key_range seen = seen_by(modifier, {first, first + count - 1, n, m});
            return seen.begin < seen.end ? key_range{seen.begin - seen.begin % lane_count<T>, seen.end} : key_range{0, 1};
        }
    }

    /// The same among the `count` keys of a block from first_key on, counted from there; may be empty.
    template <class T>
    [[nodiscard]] HEADSTRONG_INLINE constexpr key_range keys_of_block(std::size_t first, std::size_t queries,
                                                                      std::size_t first_key, std::size_t count) const noexcept
    {
        const key_range block = common(keys_for<T>(first, queries, m), {first_key, first_key + count});
        return {block.begin - first_key, block.end - first_key};
    }

    /// Whether a query sees a key, for each lane.
    template <lanes L, bool KeysRun>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L sees(std::size_t query, std::size_t key) const noexcept
    {
        const L one = L::broadcast(1), zero = L::broadcast(0);
        if constexpr (has_modifier) {
            if (key < m) return if_less(hidden<L>(), modifier(zero, place<L, KeysRun>(query, key)), one, zero);
        }
        return one;
    }

    /// The numbers of one stage to the results: lane l of scores[r] is that of query first_query + l and key first_key + r, or,
    /// if KeysRun, of query first_query and key first_key + r 16 + l.
    template <score_stage Stage, lanes L, bool KeysRun>
    HEADSTRONG_INLINE constexpr void show(const typename L::value_type* scores, std::size_t query, key_range keys,
                                          const L& factor, std::size_t first_key = 0) const
    {
        using T = typename L::value_type;
        if constexpr (wants<Stage>) {
            T factors[L::size];
            factor.store(factors);
            for (std::size_t j = keys.begin; j < keys.end; ++j)
                for (std::size_t lane = 0; lane < (KeysRun ? 1 : L::size) && query + lane < n; ++lane) {
                    const T number = scores[KeysRun ? j : j * L::size + lane];
                    results.template put<Stage, Heads>(
                        head, query + lane, first_key + j,
                        Stage == score_stage::weights ? fma(number, factors[lane], T{0}) : number);
                }
        }
    }
};

/// The treatment of one head by the options of a call.
template <std::size_t Heads, class Score, class Options>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto treated(const Score& score, std::size_t head, std::size_t n, std::size_t m,
                                                       const Options& options) noexcept
{
    return treatment<Score, Heads, decltype(options.modifier), decltype(options.results), decltype(options.sink)>{
        score, head, n, m, options.modifier, options.results, options.sink};
}

/// cap tanh(score / cap).
template <class Score, lanes L>
[[nodiscard]] HEADSTRONG_STEP constexpr L capped(const L& score) noexcept
{
    const L cap = L::broadcast(Score::template cap<typename L::value_type>());
    return product(tanh(score / cap), cap);
}

/// Up to masks and biases: scores of one panel of queries and the keys `keys` of a block from first_key on. If `seen` is
/// no_results, the stages are not shown.
template <lanes L, class Treatment, class Seen>
HEADSTRONG_STEP constexpr void change_scores(typename L::value_type* scores, std::size_t first, key_range keys,
                                             std::size_t first_key, const Treatment& t, const Seen&)
{
    const auto change = [&](std::size_t begin, std::size_t end, auto f) HEADSTRONG_STEP {
        for (std::size_t j = begin; j < end; ++j) f(L::load(scores + j * L::size), j).store(scores + j * L::size);
    };
    const auto show = [&]<score_stage Stage>(std::integral_constant<score_stage, Stage>) HEADSTRONG_STEP {
        if constexpr (!std::is_same_v<Seen, no_results>)
            t.template show<Stage, L, false>(scores, first, keys, L::broadcast(1), first_key);
    };
    show(std::integral_constant<score_stage, score_stage::scaled>{});
    if constexpr (capped_score<std::remove_cvref_t<decltype(t.score)>>)
        change(keys.begin, keys.end,
               [](const L& s, std::size_t) HEADSTRONG_STEP { return capped<std::remove_cvref_t<decltype(t.score)>>(s); });
    show(std::integral_constant<score_stage, score_stage::capped>{});
    if constexpr (Treatment::has_modifier) {
        const std::size_t last = first + L::size < t.n ? first + L::size - 1 : t.n - 1;
        const key_range all = common({first_key + keys.begin, first_key + keys.end}, {0, t.m});
        const key_range open = common(open_to(t.modifier, {first, last, t.n, t.m}), all);
        const auto modify = [&](const L& s, std::size_t j)
                                HEADSTRONG_STEP { return t.modifier(s, t.template place<L, false>(first, first_key + j)); };
        const bool some = open.begin < open.end;
        change(keys.begin, (some ? open.begin : all.end) - first_key, modify);
        if (some) change(open.end - first_key, all.end - first_key, modify);
    }
    show(std::integral_constant<score_stage, score_stage::masked>{});
}

template <lanes L, class Treatment>
HEADSTRONG_STEP constexpr void show_log_sum_exp(const L& subtracted, const L& total, std::size_t first, const Treatment& t)
{
    if constexpr (Treatment::template wants<score_stage::log_sum_exp>) {
        typename L::value_type numbers[L::size];
        (subtracted + log(total)).store(numbers);
        t.template show<score_stage::log_sum_exp, L, false>(numbers, first, {0, 1}, L::broadcast(1));
    }
}

/// Scores of one panel of queries, `all` keys, to the numerators of a softmax; returns its factor. Scores of keys outside
/// `rows` are not read; weights within `rows` are written, zeros among them.
template <lanes L, class Treatment>
[[nodiscard]] HEADSTRONG_KERNEL constexpr L treat_panel(typename L::value_type* scores, std::size_t first, key_range rows,
                                                        std::size_t all, const Treatment& t)
{
    using T = typename L::value_type;
    const std::size_t count = t.n - first < L::size ? t.n - first : L::size;
    const key_range keys = common(rows, t.template keys_for<T>(first, count, all));
    change_scores<L>(scores, first, keys, 0, t, t.results);

    T* const used = scores + keys.begin * L::size;
    const std::size_t used_count = keys.end - keys.begin;
    L maximum = largest_score<L>(used, used_count);
    if constexpr (Treatment::has_sink) maximum = larger(maximum, L::broadcast(static_cast<T>(t.sink.logit)));
    const L subtracted = subtrahend(maximum);
    L total = exponentials<L>(used, used_count, subtracted);
    if constexpr (Treatment::has_sink) total = total + softmax_weight(L::broadcast(static_cast<T>(t.sink.logit)) - subtracted);
    const L factor = reciprocal_of_sum(total);
    for (std::size_t j = rows.begin; j < keys.begin; ++j) L::broadcast(0).store(scores + j * L::size);
    for (std::size_t j = keys.end; j < rows.end; ++j) L::broadcast(0).store(scores + j * L::size);
    t.template show<score_stage::weights, L, false>(scores, first, keys, factor);
    show_log_sum_exp<L>(subtracted, total, first, t);
    return factor;
}

/// The same for one query, whose `all` scores lie beside each other; places up to whole panels become 0.
template <lanes L, class Treatment>
[[nodiscard]] HEADSTRONG_KERNEL constexpr typename L::value_type treat_row(typename L::value_type* scores, std::size_t query,
                                                                           std::size_t all, const Treatment& t)
{
    using T = typename L::value_type;
    const key_range keys{0, all};
    const L one = L::broadcast(1);
    const auto change = [&](auto f) HEADSTRONG_STEP {
        for (std::size_t j = 0; j < all; j += L::size) f(L::load(scores + j), j).store(scores + j);
    };
    for (std::size_t j = all; j < padded<T>(all); ++j) scores[j] = minus_infinity<T>;
    t.template show<score_stage::scaled, L, true>(scores, query, keys, one);
    if constexpr (capped_score<std::remove_cvref_t<decltype(t.score)>>)
        change([](const L& s, std::size_t) HEADSTRONG_STEP { return capped<std::remove_cvref_t<decltype(t.score)>>(s); });
    t.template show<score_stage::capped, L, true>(scores, query, keys, one);
    if constexpr (Treatment::has_modifier)
        change([&](const L& s, std::size_t j) HEADSTRONG_STEP { return t.modifier(s, t.template place<L, true>(query, j)); });
    t.template show<score_stage::masked, L, true>(scores, query, keys, one);

    T maximum = largest_score_of_row<L>(scores, all);
    if constexpr (Treatment::has_sink)
        maximum = static_cast<T>(t.sink.logit) > maximum ? static_cast<T>(t.sink.logit) : maximum;
    T total = exponentials_of_row<L>(scores, all, maximum);
    const T subtracted = maximum > minus_infinity<T> ? maximum : T{0};
    if constexpr (Treatment::has_sink) {
        using one_lane = portable_lanes<T, 1>;
        total = sum_of(total, softmax_weight(one_lane{{difference_of(static_cast<T>(t.sink.logit), subtracted)}}).lane[0]);
    }
    const T factor = reciprocal_or_zero(total);
    t.template show<score_stage::weights, L, true>(scores, query, keys, L::broadcast(factor));
    if constexpr (Treatment::template wants<score_stage::log_sum_exp>) {
        const T number = sum_of(subtracted, log(total));
        t.template show<score_stage::log_sum_exp, L, true>(&number, query, {0, 1}, one);
    }
    return factor;
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
