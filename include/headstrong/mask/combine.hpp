// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_MASK_COMBINE_HPP
#define HEADSTRONG_MASK_COMBINE_HPP
/// @file
/// Masks together: a & b sees what both see; mask + bias adds to the scores that the mask leaves.

#include "headstrong/checks.hpp"
#include "headstrong/mask/place.hpp"

#include <cstddef>

namespace headstrong {
namespace rule {

template <bool FirstHides, bool SecondHides>
struct masks_are_joined_by_and : condition<FirstHides || SecondHides> {
    static_assert(masks_are_joined_by_and::holds,
                  "& joins masks (causal, window, keep, ...): what changes scores is added by +");
};

template <bool FirstHides, bool SecondHides>
struct biases_are_added_by_plus : condition<!FirstHides || !SecondHides> {
    static_assert(biases_are_added_by_plus::holds,
                  "+ adds what changes scores (score_bias, alibi, ...) to a mask or to another: two "
                  "masks are joined by &");
};

}  // namespace rule

namespace detail {

/// First one, then the other. What hides comes last, so that no sum meets a hidden score.
template <class First, class Second>
struct in_turn {
    static constexpr bool hides = only_hides<First> && only_hides<Second>;
    [[no_unique_address]] First first;
    [[no_unique_address]] Second second;

    template <std::size_t Heads, std::size_t N, std::size_t M>
    static constexpr bool serves = [] {
        if constexpr (!modifier_serves<First, Heads, N, M>) return false;
        else return modifier_serves<Second, Heads, N, M>;
    }();

    [[nodiscard]] HEADSTRONG_INLINE constexpr key_range seen(const query_block& q) const noexcept
    {
        return common(seen_by(first, q), seen_by(second, q));
    }
    [[nodiscard]] HEADSTRONG_INLINE constexpr key_range open(const query_block& q) const noexcept
    {
        return common(open_to(first, q), open_to(second, q));
    }
    template <lanes L, bool KeysRun, std::size_t Heads>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L operator()(const L& score,
                                                           const score_place<L, KeysRun, Heads>& at) const noexcept
    {
        return second(first(score, at), at);
    }
};

inline namespace HEADSTRONG_TARGET {

/// What hides in a modifier, and what changes scores; no_modifier if there is no such part.
template <class X>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto hiding_part(const X& x) noexcept
{
    if constexpr (!score_modifier<X>) return no_modifier{};
    else if constexpr (only_hides<X>) return x;
    else return no_modifier{};
}
template <class First, class Second>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto hiding_part(const in_turn<First, Second>& x) noexcept
{
    if constexpr (only_hides<First>) return x;
    else return hiding_part(x.second);
}
template <class X>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto changing_part(const X& x) noexcept
{
    if constexpr (!score_modifier<X>) return no_modifier{};
    else if constexpr (only_hides<X>) return no_modifier{};
    else return x;
}
template <class First, class Second>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto changing_part(const in_turn<First, Second>& x) noexcept
{
    if constexpr (!only_hides<Second>) return x;
    else return changing_part(x.first);
}

template <class A, class B>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto one_after_another(const A& a, const B& b) noexcept
{
    if constexpr (std::is_same_v<A, no_modifier>) return b;
    else if constexpr (std::is_same_v<B, no_modifier>) return a;
    else return in_turn<A, B>{a, b};
}

/// a and b in one, neither or both of which may be no_modifier. Whatever is joined in whatever order, all that changes scores
/// comes before all that hides.
template <class A, class B>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto joined(const A& a, const B& b) noexcept
{
    return one_after_another(one_after_another(changing_part(a), changing_part(b)),
                             one_after_another(hiding_part(a), hiding_part(b)));
}

}  // namespace HEADSTRONG_TARGET
}  // namespace detail

inline namespace HEADSTRONG_TARGET {

/// Keys that both see.
template <score_modifier A, score_modifier B>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto operator&(const A& a, const B& b) noexcept
{
    static_assert(rule::checked<(rule::holds<rule::masks_are_joined_by_and<detail::only_hides<A>, detail::only_hides<B>>>)>);
    return detail::joined(a, b);
}

/// A score bias beside a mask or another bias, in any order.
template <score_modifier A, score_modifier B>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto operator+(const A& a, const B& b) noexcept
{
    static_assert(rule::checked<(rule::holds<rule::biases_are_added_by_plus<detail::only_hides<A>, detail::only_hides<B>>>)>);
    return detail::joined(a, b);
}

}  // namespace HEADSTRONG_TARGET
}  // namespace headstrong

#endif
