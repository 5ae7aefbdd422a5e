// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_ATTEND_HPP
#define HEADSTRONG_KERNEL_ATTEND_HPP
/// @file
/// Attention of one head for a block of queries: scores, softmax, weighted sum of the values.

#include "headstrong/kernel/pack.hpp"
#include "headstrong/kernel/seen_values.hpp"
#include "headstrong/kernel/softmax.hpp"
#include "headstrong/kernel/tile.hpp"
#include "headstrong/kernel/transpose.hpp"
#include "headstrong/kernel/treat.hpp"
#include "headstrong/score.hpp"
#include "headstrong/view.hpp"

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// The most panels of queries that are worked on at once.
inline constexpr std::size_t most_query_panels = 2;

/// The factor that queries are multiplied by before an inner product.
template <class T, std::size_t DK, class Score>
[[nodiscard]] constexpr T query_scale(const Score& score) noexcept
{
    if constexpr (inner_product_score<Score>) return score.template scale<T, DK>();
    else return T{1};
}

/// One panel of queries from `first` on, as a score takes them: scaled, and prepared if it asks for that.
template <lanes L, class Q, class Score>
HEADSTRONG_STEP constexpr void queries_to_lanes(Q q, std::size_t first, const Score& score, typename L::value_type* panel)
{
    tokens_to_lanes<L>(q, first, query_scale<typename L::value_type, Q::rows>(score), panel);
    if constexpr (requires { score.template prepare<L>(panel); }) score.template prepare<L>(panel);
}

/// Scores that a function of matrices, Score, gave, in its place.
template <class View, class Score>
struct given_scores {
    View scores;

    template <class T>
    [[nodiscard]] HEADSTRONG_INLINE static constexpr T cap() noexcept
        requires capped_score<Score>
    {
        return Score::template cap<T>();
    }
};
template <class Score>
inline constexpr bool are_given = false;
template <class View, class Score>
inline constexpr bool are_given<given_scores<View, Score>> = true;

/// Calls f(score) with what `attend` takes as a score: the score itself, or what a function of matrices gives for q and k.
template <class Score, class Q, class K, class F>
HEADSTRONG_INLINE constexpr void with_scores_of(const Score& score, Q q, K k, F f)
{
    if constexpr (matrix_score<Score>) {
        const auto scores = score.f(q, k);
        using view = decltype(as_view(scores));
        if constexpr (rule::holds<rule::scores_are_keys_by_queries<view::rows, view::columns, K::columns, Q::columns>>)
            f(given_scores<view, Score>{as_view(scores)});
    } else {
        f(score);
    }
}

/// scores(j, i) = f(q_i, k_j) for `queries` queries from `first` on in the lanes of panels, which inner products take scaled;
/// at least the keys of `part`.
template <lanes L, class Panels, class Score, class K, class Part, class Start = start_with_zero<L>>
HEADSTRONG_KERNEL constexpr void score_panels(lanes_at<typename L::value_type> q, Panels panels, std::size_t first,
                                              std::size_t queries, K k, typename L::value_type* scores, const Score& score,
                                              Part part, Start start = {})
{
    using T = typename L::value_type;
    constexpr std::size_t stride = K::columns * L::size;
    if constexpr (are_given<Score>) {
        for (std::size_t p = 0; p < panels; ++p)
            tokens_to_lanes<L>(score.scores, first + p * L::size, T{1}, scores + p * stride);
    } else if constexpr (inner_product_score<Score>) {
        multiply_panels<L>(q, panels, k, lanes_at<T>{scores, stride, L::size}, false, start, finish_as_it_is{}, part);
    } else if constexpr (lanes_score<Score>) {
        for (std::size_t p = 0; p < panels; ++p)
            for (std::size_t j = part.first_column; j < part.columns_of(p); ++j) {
                const lanes_of_queries<L, K::rows> query{q.data + p * q.panel_stride};
                const key_in_all_lanes<L, K::rows, K::row_stride> key{k.data + j * K::column_stride};
                const L lanes = score(query, key);
                lanes.store(scores + p * stride + j * L::size);
            }
    } else {
        for (std::size_t i = 0; i < panels * L::size; ++i) {
            const column_view<T, K::rows, L::size> query{q.data + i / L::size * q.panel_stride + i % L::size};
            T* lane = scores + i / L::size * stride + i % L::size;
            for (std::size_t j = part.first_column; j < part.columns_of(i / L::size); ++j) {
                const column_view<T, K::rows, K::row_stride> key{k.data + j * K::column_stride};
                lane[j * L::size] = i < queries ? static_cast<T>(score(query, key)) : T{0};
            }
        }
    }
}

/// Where the scratch memory of one block of queries lies.
template <class T>
struct attend_memory {
    T* query_lanes;  ///< panels of d_k rows
    T* scores;       ///< panels of m rows
    T* output;       ///< row c of panel p at output + p * output_stride + c * 16
    std::size_t output_stride;
};

/// o(:, i) = V softmax(f(q_i, K)) for queries first ... of q, at most `QueryPanels` panels of them, in the lanes. If not
/// `finite`, V may hold NaN or infinities in columns that a mask hides. The columns of q are queries first_of_q ...
template <lanes L, std::size_t QueryPanels, class Q, class K, class V, class Treatment>
HEADSTRONG_LARGE_KERNEL constexpr void attend(Q q, std::size_t first, K k, V v, attend_memory<typename L::value_type> at,
                                              const Treatment& t, bool finite = true, std::size_t first_of_q = 0)
{
    using T = typename L::value_type;
    constexpr std::size_t m = K::columns, q_stride = Q::rows * L::size, s_stride = m * L::size;
    const std::size_t column = first - first_of_q, left = q.columns - column;
    const std::size_t queries = left < QueryPanels * L::size ? left : QueryPanels * L::size;
    const auto attend_panels = [&](auto panels) HEADSTRONG_STEP {
        for (std::size_t p = 0; p < panels; ++p)
            queries_to_lanes<L>(q, column + p * L::size, t.score, at.query_lanes + p * q_stride);
        const lanes_at<T> query_lanes{at.query_lanes, q_stride, L::size}, output{at.output, at.output_stride, L::size};
        L factor[QueryPanels];
        const finish_by<L> finish{factor};
        const lanes_at<const T> weights{at.scores, s_stride, L::size};
        if constexpr (Treatment::plain) {
            score_panels<L>(query_lanes, panels, first, queries, k, at.scores, t.score, all_of<K>{}, start_with_any_zero<L>{});
            for (std::size_t p = 0; p < panels; ++p) factor[p] = softmax_numerators<L>(at.scores + p * s_stride, m);
            multiply_panels<L>(weights, panels, v.transposed(), output, false, start_with_any_zero<L>{}, finish);
        } else {
            const key_range keys = t.template keys_for<T>(first, queries, m);
            part_of<QueryPanels> of_scores{0, keys.begin, {}, {}}, of_values{keys.begin, 0, {}, {}};
            for (std::size_t p = 0; p < panels; ++p) {
                const std::size_t in_panel = queries - p * L::size < L::size ? queries - p * L::size : L::size;
                const key_range own = common(keys, t.template keys_for<T>(first + p * L::size, in_panel, m));
                const std::size_t last = own.begin < own.end ? own.end : keys.begin + 1;  // a key of weight 0
                of_scores.row_end[p] = K::rows, of_scores.column_end[p] = last;
                of_values.row_end[p] = last, of_values.column_end[p] = V::rows;
            }
            score_panels<L>(query_lanes, panels, first, queries, k, at.scores, t.score, of_scores);
            for (std::size_t p = 0; p < panels; ++p)
                factor[p] = treat_panel<L>(at.scores + p * s_stride, first + p * L::size, keys, m, t);
            if (finite) {
                multiply_panels<L>(weights, panels, v.transposed(), output, false, start_with_zero<L>{}, finish, of_values);
            } else {
                for (std::size_t p = 0; p < panels; ++p)
                    for (std::size_t c = 0; c < V::rows; ++c)
                        finish(p, c,
                               sum_of_seen<L>(
                                   keys, [&](std::size_t j) { return weights.template load<L>(p, j); },
                                   [&](std::size_t j) { return L::broadcast(v(c, j)); },
                                   [&](std::size_t j) { return t.template sees<L, false>(first + p * L::size, j); }))
                            .store(at.output + p * at.output_stride + c * L::size);
            }
        }
    };
    if constexpr (panels_of<L>(columns_by_type<Q>) % QueryPanels == 0) attend_panels(known<QueryPanels>{});
    else attend_panels(at_most<QueryPanels>{panels_of<L>(queries)});
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
