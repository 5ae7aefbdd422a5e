// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_ATTEND_HPP
#define HEADSTRONG_KERNEL_ATTEND_HPP
/// @file
/// Attention of one head for a block of queries: scores, softmax, weighted sum of the values.

#include "headstrong/kernel/softmax.hpp"
#include "headstrong/kernel/tile.hpp"
#include "headstrong/score.hpp"
#include "headstrong/view.hpp"

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// The most panels of queries that are worked on at once.
inline constexpr std::size_t most_query_panels = 2;

/// Queries in the lanes: `panels` panels, panel p at data + p * stride, number c of its 16 queries at c * 16. Only the
/// first `queries` lanes hold queries.
template <class T>
struct query_block {
    const T* data;
    std::size_t stride;
    std::size_t panels;
    std::size_t queries;
};

/// The factor that queries are multiplied by before an inner product.
template <class T, std::size_t DK, class Score>
[[nodiscard]] constexpr T query_scale(const Score& score) noexcept
{
    if constexpr (inner_product_score<Score>) return score.template scale<T, DK>();
    else return T{1};
}

/// scores(j, i) = f(q_i, k_j), a query per lane; inner products take queries that are scaled already.
template <lanes L, class Score, class K>
constexpr void score_panels(query_block<typename L::value_type> q, K k, typename L::value_type* scores, const Score& score)
{
    using T = typename L::value_type;
    constexpr std::size_t m = K::columns, stride = m * L::size;
    if constexpr (inner_product_score<Score>) {
        multiply_panels<L, m, K::row_stride, K::column_stride>(
            q.data, q.stride, q.panels, k.data, K::rows,
            [](std::size_t, std::size_t) HEADSTRONG_INLINE { return L::broadcast(0); },
            [&](std::size_t p, std::size_t j, const L& sum) HEADSTRONG_INLINE { sum.store(scores + p * stride + j * L::size); });
    } else {
        for (std::size_t i = 0; i < q.panels * L::size; ++i) {
            const column_view<T, K::rows, L::size> query{q.data + i / L::size * q.stride + i % L::size};
            T* lane = scores + i / L::size * stride + i % L::size;
            for (std::size_t j = 0; j < m; ++j) {
                const column_view<T, K::rows, K::row_stride> key{k.data + j * K::column_stride};
                lane[j * L::size] = i < q.queries ? static_cast<T>(score(query, key)) : T{0};
            }
        }
    }
}

/// o(:, i) = V softmax(scores(:, i)) for the queries of the block; row c of panel p of o at o + p * o_stride + c * 16.
template <lanes L, class Score, class K, class V>
constexpr void attend(query_block<typename L::value_type> q, K k, V v, typename L::value_type* scores,
                      typename L::value_type* o, std::size_t o_stride, const Score& score)
{
    constexpr std::size_t m = K::columns, stride = m * L::size;
    score_panels<L>(q, k, scores, score);
    L factor[most_query_panels] = {};
    for (std::size_t p = 0; p < q.panels; ++p) factor[p] = softmax_numerators<L>(scores + p * stride, m);
    multiply_panels<L, V::rows, V::column_stride, V::row_stride>(
        scores, stride, q.panels, v.data, m, [](std::size_t, std::size_t) HEADSTRONG_INLINE { return L::broadcast(0); },
        [&](std::size_t p, std::size_t c, const L& sum) HEADSTRONG_INLINE {
            product(sum, factor[p]).store(o + p * o_stride + c * L::size);
        });
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
