// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_SOFTMAX_OF_QUERIES_HPP
#define HEADSTRONG_KERNEL_SOFTMAX_OF_QUERIES_HPP
/// @file
/// The exponentials of a softmax whose lanes are single numbers: two queries at a time (one where a multiply-add is a piece
/// of code), so that constants stay in registers and weights are summed before they leave theirs.
///
/// Number j of query q lies at scores[j * Queries + q]: a panel of queries, or one query whose scores lie beside each other.

#include "headstrong/exact/exp.hpp"
#include "headstrong/lanes.hpp"

#include <cstddef>
#include <utility>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// The tree of neighbours over Count numbers, a power of two, that are Stride apart.
template <std::size_t Count, std::size_t Stride, class T>
[[nodiscard]] HEADSTRONG_STEP constexpr T sum_of_tree(const T* numbers) noexcept
{
    if constexpr (Count == 1) return *numbers;
    else return sum_of(sum_of_tree<Count / 2, Stride>(numbers), sum_of_tree<Count / 2, Stride>(numbers + Count / 2 * Stride));
}

/// Replaces Rows rows of scores, a number of each query of Q, by softmax_weight(score - subtracted), and returns the sum of
/// each query by the tree.
template <std::size_t Rows, std::size_t Queries, lanes Q, class T>
HEADSTRONG_STEP constexpr Q replace_rows(T* scores, const Q& subtracted, T smallest) noexcept
{
    using L = portable_lanes<T, Rows * Q::size>;
    return [&]<std::size_t... R, std::size_t... I, std::size_t... N>(std::index_sequence<R...>, std::index_sequence<I...>,
                                                                     std::index_sequence<N...>) HEADSTRONG_STEP {
        const Q rows[] = {load_pairs<Q>(scores + R * Queries) - subtracted...};
        const L weights = softmax_weight(L{{rows[I / Q::size].lane[I % Q::size]...}}, L::broadcast(smallest));
        ((scores[I / Q::size * Queries + I % Q::size] = weights.lane[I]), ...);
        return Q{{sum_of_tree<Rows, Q::size>(weights.lane + N)...}};
    }(std::make_index_sequence<Rows>{}, std::make_index_sequence<L::size>{}, std::make_index_sequence<Q::size>{});
}

/// The same of four rows: four numbers at a time, or, where a multiply-add is a piece of code, one after another.
template <std::size_t Queries, lanes Q, class T>
[[nodiscard]] HEADSTRONG_STEP constexpr Q replace_four_rows(T* scores, const Q& subtracted, T smallest) noexcept
{
    if constexpr (!fused_in_hardware<T>) {
        T weights[4] = {};
        for (std::size_t j = 0; j < 4; ++j)
            weights[j] = replace_rows<1, Queries>(scores + j * Queries, subtracted, smallest).lane[0];
        return {{sum_of_tree<4, 1>(weights)}};
    } else if constexpr (Q::size == 1) {
        return replace_rows<4, Queries>(scores, subtracted, smallest);
    } else {
        const Q sum = replace_rows<2, Queries>(scores, subtracted, smallest);
        return sum + replace_rows<2, Queries>(scores + 2 * Queries, subtracted, smallest);
    }
}

/// The same of `count` rows of all queries from q on, summed in the order of kernel/softmax.hpp.
template <std::size_t Queries, lanes Q, class T>
[[nodiscard]] HEADSTRONG_STEP constexpr Q replace_all_rows(T* scores, std::size_t q, std::size_t count, const Q& subtracted,
                                                           T smallest) noexcept
{
    constexpr std::size_t fours = lane_count<T> / 4;  // of a group
    const Q zero = Q::broadcast(0);
    Q total = zero, half = zero, quarter = zero;
    for (std::size_t four = 0; four < count / 4; ++four, scores += 4 * Queries) {
        const Q sum = replace_four_rows<Queries>(scores + q, subtracted, smallest);
        if (four % 2 == 0) (four % fours == 0 ? half : quarter) = sum;
        else if (four % fours == fours - 1) total = total + (half + (fours == 4 ? quarter + sum : sum));
        else half = half + sum;
    }
    Q rest = zero;  // the last rows, as if zeros stood behind them: the tree adds three in order too
    for (const T* const end = scores + count % 4 * Queries; scores != end; scores += Queries)
        rest = rest + replace_rows<1, Queries>(scores + q, subtracted, smallest);
    const std::size_t last = count / 4 % fours;
    return total + (last == 0 ? rest : half + (last == 3 ? quarter + rest : rest));
}

/// Replaces scores by exp(score - subtracted[query]) and writes the sums of each query. The same for all layers: no kernel
/// takes it into itself.
template <std::size_t Queries, class T>
[[gnu::noinline]] HEADSTRONG_KERNEL constexpr void exponentials_of_queries(T* scores, std::size_t count, const T* subtracted,
                                                                           T* totals) noexcept
{
    using Q = portable_lanes<T, Queries % 2 == 0 && fused_in_hardware<T> ? 2 : 1>;
    const T smallest = held(exp_constants<T>::negligible);
    std::size_t end = Queries;
    if (!__builtin_is_constant_evaluated()) __asm__("" : "+r"(end));  // or GCC 12 writes the code of two rounds
    std::size_t q = 0;
    do {
        replace_all_rows<Queries>(scores, q, count, Q::load(subtracted + q), smallest).store(totals + q);
        q += Q::size;
    } while (q != end);
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
