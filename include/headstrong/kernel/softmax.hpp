// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_SOFTMAX_HPP
#define HEADSTRONG_KERNEL_SOFTMAX_HPP
/// @file
/// The softmax of a panel of scores: a query per lane, its keys one after another, so that nothing runs across lanes.

#include "headstrong/exact/exp.hpp"
#include "headstrong/kernel/cortex_m/softmax.hpp"
#include "headstrong/kernel/helium/softmax.hpp"
#include "headstrong/kernel/pack.hpp"
#include "headstrong/kernel/panels.hpp"
#include "headstrong/kernel/softmax_of_queries.hpp"
#include "headstrong/lanes.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

// The denominator is summed as the exactness contract orders it: keys in groups of 16 (8 of double), each group by one
// tree of neighbours (((e0 + e1) + (e2 + e3)) + ...), the groups in order. The same sum is had when the keys lie beside
// each other in a register. A group that ends early is as if filled with zeros, whose addition changes nothing.
//
// No kernel takes these functions into itself (noinline): they are the same for all layers, and where GCC knows the number of
// keys it warns of groups that are never read.

/// The tree over Count rows, a power of two.
template <std::size_t Count, lanes L>
[[nodiscard]] HEADSTRONG_STEP constexpr L sum_of_neighbours(const typename L::value_type* rows) noexcept
{
    if constexpr (Count == 1) return L::load(rows);
    else return sum_of_neighbours<Count / 2, L>(rows) + sum_of_neighbours<Count / 2, L>(rows + Count / 2 * L::size);
}

/// The same tree over the last m % (2 Count) of `m` rows, as if zeros stood behind them.
template <std::size_t Count, lanes L>
[[nodiscard]] HEADSTRONG_STEP constexpr L sum_of_last_neighbours(const typename L::value_type* rows, std::size_t m) noexcept
{
    if constexpr (Count == 0) {
        return L::broadcast(0);
    } else {
        const L sum = sum_of_last_neighbours<Count / 2, L>(rows, m);
        if (m % (2 * Count) < Count) return sum;
        return sum_of_neighbours<Count, L>(rows + m / (2 * Count) * (2 * Count) * L::size) + sum;
    }
}

/// The sum of `m` rows, none of which is below zero, in groups.
template <lanes L>
[[nodiscard]] HEADSTRONG_STEP constexpr L sum_of_groups(const typename L::value_type* rows, std::size_t m) noexcept
{
    constexpr std::size_t group = lane_count<typename L::value_type>;
    L total = L::broadcast(0);
    for (std::size_t j = 0; j + group <= m; j += group) total = total + sum_of_neighbours<group, L>(rows + j * L::size);
    return m % group == 0 ? total : total + sum_of_last_neighbours<group / 2, L>(rows, m);
}

/// The largest of `m` rows of scores and of `least`. A NaN is passed over: its own exp makes the sum NaN.
template <lanes L>
[[nodiscard]] HEADSTRONG_KERNEL constexpr L largest_score(
    const typename L::value_type* scores, std::size_t m,
    typename L::value_type least = minus_infinity<typename L::value_type>) noexcept
{
    const L lowest = L::broadcast(least);
#if HEADSTRONG_CORTEX_M
    if constexpr (are_of_cortex_m<L>)
        if (!__builtin_is_constant_evaluated()) {
            L largest;
            find_largest(scores, m, largest.lane, __builtin_bit_cast(std::uint32_t, lowest.lane[0]));
            return largest;
        }
#endif
    L maximum = lowest, other = lowest;
    L& second = of_single_numbers<L> ? maximum : other;  // vectors in two chains, to hide the latency of a comparison
    for (std::size_t j = 0; j + 1 < m; j += 2) {
        maximum = larger_number(load_pairs<L>(scores + j * L::size), maximum);
        second = larger_number(load_pairs<L>(scores + (j + 1) * L::size), second);
    }
    if (m % 2 != 0) maximum = larger_number(load_pairs<L>(scores + (m - 1) * L::size), maximum);
    if constexpr (of_single_numbers<L>) return maximum;
    else return larger_number(maximum, other);
}

/// A maximum as it is subtracted: 0 in place of -infinity, whose difference from itself would be NaN.
template <lanes L>
[[nodiscard]] HEADSTRONG_STEP constexpr L subtrahend(const L& maximum) noexcept
{
    const L lowest = L::broadcast(minus_infinity<typename L::value_type>);
    return if_less(lowest, maximum, maximum, L::broadcast(0));
}

/// Replaces rows of scores by exp(scores - subtracted).
template <lanes L>
HEADSTRONG_STEP constexpr void replace_by_weights(typename L::value_type* scores, std::size_t rows,
                                                  const L& subtracted) noexcept
{
    for (std::size_t j = 0; j < rows; ++j)
        softmax_weight(L::load(scores + j * L::size) - subtracted).store(scores + j * L::size);
}

/// Replaces `m` rows of scores, a query per lane, by exp(scores - subtracted) and returns their sum.
template <lanes L>
[[nodiscard, gnu::noinline]] HEADSTRONG_KERNEL constexpr L exponentials(typename L::value_type* scores, std::size_t m,
                                                                        const L& subtracted) noexcept
{
#if HEADSTRONG_CORTEX_M
    if constexpr (are_of_cortex_m<L>)
        if (!__builtin_is_constant_evaluated()) {
            L total = L::broadcast(0);
            replace_by_weights(scores, m, subtracted.lane);
            sum_rows(scores, m, total.lane);
            return total;
        }
#endif
    if constexpr (of_single_numbers<L>) {
        L total;
        exponentials_of_queries<L::size>(scores, m, subtracted.lane, total.lane);
        return total;
    } else {
        replace_by_weights<L>(scores, m, subtracted);
        return sum_of_groups<L>(scores, m);
    }
}

/// 1 / total; 0 for 0, the sum of a query whose scores are all -infinity.
template <lanes L>
[[nodiscard]] HEADSTRONG_STEP constexpr L reciprocal_of_sum(const L& total) noexcept
{
    const L zero = L::broadcast(0), one = L::broadcast(1);
    return if_less(zero, total, one / if_less(zero, total, total, one), total);  // no division by 0, which is no constant
}

/// 1 / total of one number; 0 for 0.
template <class T>
[[nodiscard]] HEADSTRONG_STEP constexpr T reciprocal_or_zero(T total) noexcept
{
    return total > 0 ? 1 / total : total;
}

/// softmax_numerators below, of any lanes.
template <lanes L>
[[nodiscard, gnu::noinline]] constexpr L softmax_numerators_of_lanes(typename L::value_type* scores, std::size_t m) noexcept
{
    using T = typename L::value_type;
    if constexpr (of_single_numbers<L>) {
        // The lowest finite number takes the place of a maximum of -infinity: its difference from -infinity is -infinity.
        const L largest = largest_score<L>(scores, m, std::numeric_limits<T>::lowest());
        L factors;
        exponentials_of_queries<L::size>(scores, m, largest.lane, factors.lane);
#pragma GCC unroll 1
        for (T& factor : factors.lane) factor = reciprocal_or_zero(factor);
        return factors;
    } else {
        return reciprocal_of_sum(exponentials<L>(scores, m, subtrahend(largest_score<L>(scores, m))));
    }
}

#if HEADSTRONG_CORTEX_M
/// The same by loops in assembly. The lowest finite number takes the place of a maximum of -infinity: its difference from
/// -infinity is -infinity.
[[gnu::noinline]] inline void softmax_numerators_of_rows(float* rows, std::size_t count, float* factors) noexcept
{
    find_largest(rows, count, factors, 0xff7fffff);
    replace_by_weights(rows, count, factors);
    sum_rows(rows, count, factors);
#pragma GCC unroll 1
    for (std::size_t i = 0; i < 4; ++i) factors[i] = reciprocal_or_zero(factors[i]);
}
#endif

/// Replaces `m` rows of scores, a query per lane, by exp(scores - column maximum) and returns 1 / their sum: the factor
/// that makes them a softmax. A column whose scores are all -infinity becomes zeros with the factor 0.
template <lanes L>
[[nodiscard]] HEADSTRONG_STEP constexpr L softmax_numerators(typename L::value_type* scores, std::size_t m) noexcept
{
#if HEADSTRONG_CORTEX_M
    if constexpr (are_of_cortex_m<L>)
        if (!__builtin_is_constant_evaluated()) {
            L factors;
            softmax_numerators_of_rows(scores, m, factors.lane);
            return factors;
        }
#endif
    return softmax_numerators_of_lanes<L>(scores, m);
}

/// The largest of the `m` scores of one query that lie beside each other, the keys in the lanes; the places up to whole panels
/// are filled with -infinity.
template <lanes L>
[[nodiscard]] HEADSTRONG_KERNEL constexpr typename L::value_type largest_score_of_row(typename L::value_type* scores,
                                                                                      std::size_t m) noexcept
{
    using T = typename L::value_type;
    constexpr T lowest = minus_infinity<T>;
    const std::size_t end = padded<T>(m);
    for (std::size_t j = m; j < end; ++j) scores[j] = lowest;

    L largest = L::broadcast(lowest);
#if HEADSTRONG_CORTEX_M
    if constexpr (are_of_cortex_m<L>)
        if (!__builtin_is_constant_evaluated()) {
            find_largest(scores, end / L::size, largest.lane, __builtin_bit_cast(std::uint32_t, lowest));
            return largest_of(largest);
        }
#endif
    for (std::size_t j = 0; j < end; j += L::size) largest = larger_number(load_pairs<L>(scores + j), largest);
    return largest_of(largest);
}

/// Replaces the scores, in whole panels, by exp(scores - maximum) and returns their sum.
template <lanes L>
[[nodiscard]] HEADSTRONG_KERNEL constexpr typename L::value_type exponentials_of_row(typename L::value_type* scores,
                                                                                     std::size_t m,
                                                                                     typename L::value_type maximum) noexcept
{
    using T = typename L::value_type;
    const L subtracted = L::broadcast(maximum > minus_infinity<T> ? maximum : T{0});
#if HEADSTRONG_CORTEX_M
    if constexpr (are_of_cortex_m<L>)
        if (!__builtin_is_constant_evaluated()) {
            replace_by_weights(scores, padded<T>(m) / L::size, subtracted.lane);
            return m > 0 ? sum_groups(scores, panels_for<T>(m)) : 0;
        }
#endif
    T total = 0;
    if constexpr (of_single_numbers<L>) {
        exponentials_of_queries<1>(scores, padded<T>(m), subtracted.lane, &total);
    } else {
        for (std::size_t j = 0; j < padded<T>(m); j += lane_count<T>) {
            replace_by_weights<L>(scores + j, 1, subtracted);
            total = sum_of(total, sum_of_neighbours(L::load(scores + j)));
        }
    }
    return total;
}

/// softmax_numerators of such a row.
template <lanes L>
[[nodiscard, gnu::noinline]] constexpr typename L::value_type softmax_numerators_of_row(typename L::value_type* scores,
                                                                                        std::size_t m) noexcept
{
    return reciprocal_or_zero(exponentials_of_row<L>(scores, m, largest_score_of_row<L>(scores, m)));
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
