// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_HEADS_HPP
#define HEADSTRONG_HEADS_HPP
/// @file
/// The heads of a layer as a tuple of types, walked when compiling: the only header that includes Hana.
///
/// Neighbouring heads of one kind form a run. The tuple holds runs and its walk is static, so that kinds may differ in
/// everything; within a run the same code serves each head, so that 64 equal heads cost the code and compile time of one.

#include "headstrong/checks.hpp"
#include "headstrong/feature.hpp"
#include "headstrong/kernel/pack.hpp"
#include "headstrong/score.hpp"
#include "headstrong/sizes.hpp"

#include <boost/hana/at.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/tuple.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace headstrong {

/// One kind of head: d_k, d_v, the score function f, and features (see feature.hpp): masks, score biases, sinks, appended
/// tokens, rotations, norms.
template <std::size_t DK, std::size_t DV, class Score = scaled_dot, class... Features>
struct head {
    static_assert(rule::checked<(detail::fits_head<Score, DK, DV> && ... && detail::fits_head<Features, DK, DV>)>);
    static constexpr std::size_t d_k = DK;       ///< rows of W_h^Q and W_h^K
    static constexpr std::size_t d_v = DV;       ///< rows of W_h^V, columns of W_h^O
    using kind = head_kind<Score, Features...>;  ///< its score and features as one object
};

namespace detail {

/// The first rows and columns of a run in the packed weights: rows in whole panels, columns of W^O without gaps. And its first
/// head.
struct run_place {
    std::size_t q_row = 0, k_row = 0, v_row = 0, o_column = 0, head = 0;
};

/// Heads query heads of one kind that share KvHeads key/value heads, evenly.
template <class Head, std::size_t Heads, std::size_t KvHeads, run_place At = run_place{}>
struct run {
    static constexpr std::size_t heads = Heads;
    static constexpr std::size_t kv_heads = KvHeads;
    static constexpr std::size_t d_k = Head::d_k;
    static constexpr std::size_t d_v = Head::d_v;
    using kind = typename Head::kind;
    using score = typename kind::score;
    static constexpr run_place at = At;

    /// The place of the run behind this one.
    template <class T>
    [[nodiscard]] static constexpr run_place next(run_place here) noexcept
    {
        return {here.q_row + padded<T>(Heads * d_k), here.k_row + padded<T>(KvHeads * d_k),
                here.v_row + padded<T>(KvHeads * d_v), here.o_column + Heads * d_v, here.head + Heads};
    }
};

/// Runs one behind the other: their tuple, and where the last one ends.
template <class T, class... Runs>
struct runs {
    static constexpr std::size_t count = sizeof...(Runs);
    static constexpr std::array<run_place, count + 1> places = [] {
        std::array<run_place, count + 1> at{};
        std::size_t i = 0;
        ((at[i + 1] = Runs::template next<T>(at[i]), ++i), ...);
        return at;
    }();
    static constexpr run_place end = places[count];
    static constexpr std::size_t heads = (Runs::heads + ...);

    static constexpr bool can_be_absorbed = (Runs::kind::can_be_absorbed && ...);
    static constexpr bool can_be_streamed = (Runs::kind::can_be_streamed && ...);
    static constexpr bool have_kinds = !(std::is_empty_v<typename Runs::kind> && ...);
    static constexpr std::size_t appended = [] {
        std::size_t most = 0;
        ((most = larger_of(most, Runs::kind::appended)), ...);
        return most;
    }();

    template <class U>
    static constexpr bool scores_are_valid = (rule::holds<rule::score_is_product_or_callable<typename Runs::score, U>> && ...);

    template <std::size_t N, std::size_t M>
    static constexpr bool kinds_serve = (Runs::kind::template serves<heads, N, M> && ...);

    /// The bytes that functions of matrices among the scores give.
    template <class U, std::size_t N, std::size_t M>
    static constexpr std::size_t scores_on_the_stack =
        (matrix_score<typename Runs::score> || ...) ? sizeof(U) * N * (M + appended) : 0;

    /// What the heads keep beside weights, one object of each run: kinds[h] is that of its head h.
    using kinds = std::conditional_t<have_kinds, boost::hana::tuple<kept_kinds<typename Runs::kind, Runs::heads>...>, no_kind>;

    template <std::size_t I>
    [[nodiscard]] HEADSTRONG_INLINE static constexpr decltype(auto) kinds_of_run(const kinds& all) noexcept
    {
        if constexpr (have_kinds) return boost::hana::at_c<I>(all);
        else
            return std::remove_cvref_t<decltype(boost::hana::at_c<I>(
                std::declval<boost::hana::tuple<kept_kinds<typename Runs::kind, Runs::heads>...>&>()))>{};
    }

    template <class Run, std::size_t I>
    struct placed;
    template <class Head, std::size_t Heads, std::size_t KvHeads, run_place At, std::size_t I>
    struct placed<run<Head, Heads, KvHeads, At>, I> {
        using type = run<Head, Heads, KvHeads, places[I]>;
    };
    template <class Index>
    struct tuple_of;
    template <std::size_t... I>
    struct tuple_of<std::index_sequence<I...>> {
        using type = boost::hana::tuple<typename placed<Runs, I>::type...>;
    };
    using tuple = typename tuple_of<std::make_index_sequence<count>>::type;

    /// f(run) for each run, in order; each run is an empty object of its own type.
    template <class F>
    HEADSTRONG_INLINE static constexpr void for_each(F&& f)
    {
        boost::hana::for_each(tuple{}, f);
    }
    /// f(run, its kinds) for each run.
    template <class F>
    HEADSTRONG_INLINE static constexpr void for_each(const kinds& all, F&& f)
    {
        [&]<std::size_t... I>(std::index_sequence<I...>) HEADSTRONG_INLINE {
            (f(typename placed<Runs, I>::type{}, kinds_of_run<I>(all)), ...);
        }(std::make_index_sequence<count>{});
    }
};

}  // namespace detail
}  // namespace headstrong

#endif
