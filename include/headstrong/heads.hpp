// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_HEADS_HPP
#define HEADSTRONG_HEADS_HPP
/// @file
/// The heads of a layer as a tuple of types, walked when compiling: the only header that includes Hana.
///
/// Neighbouring heads of one kind form a run. The tuple holds runs and its walk is static, so that kinds may differ in
/// everything; within a run the same code serves each head, so that 64 equal heads cost the code and compile time of one.

#include "headstrong/checks.hpp"
#include "headstrong/kernel/pack.hpp"
#include "headstrong/score.hpp"

#include <boost/hana/for_each.hpp>
#include <boost/hana/tuple.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace headstrong {

/// One kind of head: d_k, d_v and the score function f, an empty type.
template <std::size_t DK, std::size_t DV, class Score = scaled_dot>
struct head {
    static constexpr std::size_t d_k = DK;
    static constexpr std::size_t d_v = DV;
    using score = Score;
};

namespace detail {

/// The first rows and columns of a run in the packed weights: rows in whole panels, columns of W^O without gaps.
struct run_place {
    std::size_t q_row = 0, k_row = 0, v_row = 0, o_column = 0;
};

/// Heads query heads of one kind that share KvHeads key/value heads, evenly.
template <class Head, std::size_t Heads, std::size_t KvHeads, run_place At = run_place{}>
struct run {
    static constexpr std::size_t heads = Heads;
    static constexpr std::size_t kv_heads = KvHeads;
    static constexpr std::size_t d_k = Head::d_k;
    static constexpr std::size_t d_v = Head::d_v;
    using score = typename Head::score;
    static constexpr run_place at = At;
    static_assert(std::is_empty_v<score>, "the score of a layer's heads is an empty type: its constants are part of the type");

    /// The place of the run behind this one.
    template <class T>
    [[nodiscard]] static constexpr run_place next(run_place here) noexcept
    {
        return {here.q_row + padded<T>(Heads * d_k), here.k_row + padded<T>(KvHeads * d_k), here.v_row + padded<T>(KvHeads * d_v),
                here.o_column + Heads * d_v};
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

    static constexpr bool can_be_absorbed = (inner_product_score<typename Runs::score> && ...);

    template <class U>
    static constexpr bool scores_are_valid = (rule::holds<rule::score_is_product_or_callable<typename Runs::score, U>> && ...);

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
};

}  // namespace detail
}  // namespace headstrong

#endif
