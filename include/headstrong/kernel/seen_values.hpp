// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_SEEN_VALUES_HPP
#define HEADSTRONG_KERNEL_SEEN_VALUES_HPP
/// @file
/// Values that are not finite behind a mask: 0 times NaN would be NaN, so a hidden value must not be read into a sum.

#include "headstrong/kernel/pack.hpp"
#include "headstrong/kernel/tile.hpp"
#include "headstrong/kernel/treat.hpp"
#include "headstrong/view.hpp"

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// found, or NaN in each lane that is not finite.
template <lanes L>
[[nodiscard]] HEADSTRONG_INLINE constexpr L mark_not_finite(const L& x, const L& found) noexcept
{
    if (!__builtin_is_constant_evaluated()) return fma(x, L::broadcast(0), found);
    const L highest = L::broadcast(-minus_infinity<typename L::value_type>);  // no constant expression multiplies infinity by 0
    return if_less(hidden<L>(), x, if_less(x, highest, found, highest), highest);
}

/// Whether no number of x is NaN or infinite.
template <lanes L, class X>
[[nodiscard]] constexpr bool all_finite(X x) noexcept
{
    constexpr std::size_t chains = 4;  // to hide the latency
    const rows_of<X> rows{x, 0, 0};
    L found[chains] = {};
    for (std::size_t p = 0; p < panels_of<L>(X::rows); ++p) {
        for (std::size_t j = 0; j + chains <= X::columns; j += chains)
            for (std::size_t i = 0; i < chains; ++i) found[i] = mark_not_finite(rows.template load<L>(p, j + i), found[i]);
        for (std::size_t j = X::columns - X::columns % chains; j < X::columns; ++j)
            found[0] = mark_not_finite(rows.template load<L>(p, j), found[0]);
    }
    return sum_of_neighbours((found[0] + found[1]) + (found[2] + found[3])) == 0;
}

/// The sum of weights[j] v(c, j) over the keys that a query sees, in the order of the multiply kernel: what it
/// would give if the hidden values were finite. weight(j), value(j) and sees(j) are lanes.
template <lanes L, class Weight, class Value, class Sees>
[[nodiscard]] constexpr L sum_of_seen(key_range keys, Weight weight, Value value, Sees sees)
{
    const L half = L::broadcast(typename L::value_type{0.5});
    L total = L::broadcast(0);
    for (std::size_t chain = keys.begin / longest_chain * longest_chain; chain < keys.end; chain += longest_chain) {
        L sum = L::broadcast(0);
        for (std::size_t j = chain < keys.begin ? keys.begin : chain; j < keys.end && j < chain + longest_chain; ++j)
            sum = if_less(half, sees(j), fma(weight(j), value(j), sum), sum);
        total = chain <= keys.begin ? sum : total + sum;
    }
    return total;
}

/// out = V p, times factor, for one query whose weights p lie beside each other, without the values that it does not see; out
/// in whole panels of the rows of v.
template <lanes L, class V, class Treatment>
constexpr void sum_seen_rows(const typename L::value_type* p, typename L::value_type factor, V v, key_range keys,
                             std::size_t query, const Treatment& t, typename L::value_type* out)
{
    using T = typename L::value_type;
    for (std::size_t panel = 0; panel < panels_of<L>(V::rows); ++panel)
        product(sum_of_seen<L>(
                    keys, [&](std::size_t j) { return L::broadcast(p[j]); },
                    [&](std::size_t j) { return rows_of<V>{v, 0, 0}.template load<L>(panel, j); },
                    [&](std::size_t j) { return L::broadcast(t.template sees<portable_lanes<T, 1>, true>(query, j).lane[0]); }),
                L::broadcast(factor))
            .store(out + panel * L::size);
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
