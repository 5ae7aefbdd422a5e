// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_ATTEND_HPP
#define HEADSTRONG_KERNEL_ATTEND_HPP
/// @file
/// Attention of one head for a block of queries: scores, softmax, weighted sum of the values.

#include "headstrong/kernel/pack.hpp"
#include "headstrong/kernel/softmax.hpp"
#include "headstrong/kernel/tile.hpp"
#include "headstrong/kernel/transpose.hpp"
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

/// scores(j, i) = f(q_i, k_j) for `queries` queries in the lanes of panels, which inner products take scaled.
template <lanes L, class Panels, class Score, class K>
constexpr void score_panels(lanes_at<typename L::value_type> q, Panels panels, std::size_t queries, K k, typename L::value_type* scores,
                            const Score& score)
{
    using T = typename L::value_type;
    constexpr std::size_t m = K::columns, stride = m * L::size;
    if constexpr (inner_product_score<Score>) {
        multiply_panels<L>(q, panels, k, lanes_at<T>{scores, stride, L::size}, false, start_with_zero<L>{}, finish_as_it_is{});
    } else {
        for (std::size_t i = 0; i < panels * L::size; ++i) {
            const column_view<T, K::rows, L::size> query{q.data + i / L::size * q.panel_stride + i % L::size};
            T* lane = scores + i / L::size * stride + i % L::size;
            for (std::size_t j = 0; j < m; ++j) {
                const column_view<T, K::rows, K::row_stride> key{k.data + j * K::column_stride};
                lane[j * L::size] = i < queries ? static_cast<T>(score(query, key)) : T{0};
            }
        }
    }
}

/// o(:, i) = V softmax(f(q_i, K)) for queries first ... of q, at most `QueryPanels` panels of them, in the lanes. Row c of
/// panel p of o at o + p * o_stride + c * 16; `query_lanes` and `scores` hold QueryPanels panels of d_k and m rows.
template <lanes L, std::size_t QueryPanels, class Q, class K, class V, class Score>
constexpr void attend(Q q, std::size_t first, K k, V v, typename L::value_type* query_lanes, typename L::value_type* scores,
                      typename L::value_type* o, std::size_t o_stride, const Score& score)
{
    using T = typename L::value_type;
    constexpr std::size_t m = K::columns, q_stride = Q::rows * L::size, s_stride = m * L::size;
    const std::size_t queries = Q::columns - first < QueryPanels * L::size ? Q::columns - first : QueryPanels * L::size;
    const T scale = query_scale<T, Q::rows>(score);
    const auto attend_panels = [&](auto panels) HEADSTRONG_INLINE {
        for (std::size_t p = 0; p < panels; ++p) tokens_to_lanes<L>(q, first + p * L::size, scale, query_lanes + p * q_stride);
        score_panels<L>({query_lanes, q_stride, L::size}, panels, queries, k, scores, score);
        L factor[QueryPanels] = {};
        for (std::size_t p = 0; p < panels; ++p) factor[p] = softmax_numerators<L>(scores + p * s_stride, m);
        multiply_panels<L>(
            lanes_at<const T>{scores, s_stride, L::size}, panels, v.transposed(), lanes_at<T>{o, o_stride, L::size}, false,
            start_with_zero<L>{},
            [&](std::size_t p, std::size_t, const L& sum) HEADSTRONG_INLINE { return product(sum, factor[p]); });
    };
    if constexpr (panels_for<T>(Q::columns) % QueryPanels == 0) attend_panels(known<QueryPanels>{});
    else attend_panels(panels_for<T>(queries));
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
