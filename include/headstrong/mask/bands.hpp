// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_MASK_BANDS_HPP
#define HEADSTRONG_MASK_BANDS_HPP
/// @file
/// Masks by position: causal, sliding window, prefix, valid length. Their tiles without a visible key are skipped.

#include "headstrong/checks.hpp"
#include "headstrong/mask/band.hpp"
#include "headstrong/mask/place.hpp"

#include <cstddef>

namespace headstrong {
namespace rule {

template <std::ptrdiff_t Left, std::ptrdiff_t Right>
struct window_is_not_negative : condition<(Left >= 0 && Right >= 0)> {
    static_assert(window_is_not_negative::holds, "the left and right of a window count keys beside the query's own: 0 or more");
};

}  // namespace rule

/// Query i sees keys up to its own place: j <= i (top_left) or j <= i + m - n (bottom_right).
template <corner Corner = corner::unnamed>
struct causal : detail::band_mask<causal<Corner>> {
    /// Whether it serves N queries and M keys; a rule says so if not.
    template <std::size_t Heads, std::size_t N, std::size_t M>
    static constexpr bool serves = rule::holds<rule::corner_is_named<Corner != corner::unnamed, N, M>>;

    /// The diagonals that a call with n queries and m keys leaves.
    [[nodiscard]] HEADSTRONG_INLINE constexpr auto band_of(std::size_t n, std::size_t m) const noexcept
    {
        return detail::band::around(detail::offset_of<Corner>(n, m), unbounded, 0);
    }
};

/// Query i sees keys j <= i + offset; any offset. A constant, causal_from<3>{}, or given at run time, causal_from{offset}.
template <std::ptrdiff_t Offset = at_run_time>
struct causal_from : detail::static_number<Offset>, detail::band_mask<causal_from<Offset>> {
    /// Of a constant offset.
    constexpr causal_from() noexcept
        requires(Offset != at_run_time)
    = default;
    /// Query i stands at key i + offset.
    HEADSTRONG_INLINE constexpr explicit causal_from(std::ptrdiff_t offset) noexcept
        requires(Offset == at_run_time)
        : detail::static_number<Offset>{offset}
    {
    }
    /// The diagonals that a call leaves.
    [[nodiscard]] HEADSTRONG_INLINE constexpr auto band_of(std::size_t, std::size_t) const noexcept
    {
        return detail::band::around(this->get(), unbounded, 0);
    }
};
/// A number in parentheses or braces is one given at run time.
causal_from(std::ptrdiff_t) -> causal_from<at_run_time>;

/// A query sees Left keys to the left of its place, its own, and Right to the right: window<1, 0> is two keys.
template <std::ptrdiff_t Left, std::ptrdiff_t Right, corner Corner = corner::unnamed>
struct window : detail::band_mask<window<Left, Right, Corner>> {
    static_assert(rule::checked<(rule::holds<rule::window_is_not_negative<Left, Right>>)>);
    /// Whether it serves N queries and M keys; a rule says so if not.
    template <std::size_t Heads, std::size_t N, std::size_t M>
    static constexpr bool serves = rule::holds<rule::corner_is_named<Corner != corner::unnamed, N, M>>;

    /// The diagonals that a call with n queries and m keys leaves.
    [[nodiscard]] HEADSTRONG_INLINE constexpr auto band_of(std::size_t n, std::size_t m) const noexcept
    {
        return detail::band::around(detail::offset_of<Corner>(n, m), Left, Right);
    }
};

/// The same at run time: query i sees keys i + offset - left ... i + offset + right. A negative left or right counts as 0.
struct window_from : detail::band_mask<window_from> {
    std::ptrdiff_t offset;  ///< query i stands at key i + offset
    std::ptrdiff_t left;    ///< keys that it sees before that place, 0 or more
    std::ptrdiff_t right;   ///< keys that it sees behind it, 0 or more

    /// Of an offset and two distances, either of which may be unbounded.
    HEADSTRONG_INLINE constexpr window_from(std::ptrdiff_t offset_, std::ptrdiff_t left_, std::ptrdiff_t right_) noexcept
        : offset{offset_}, left{left_ < 0 ? 0 : left_}, right{right_ < 0 ? 0 : right_}
    {
    }
    /// The diagonals that a call leaves.
    [[nodiscard]] HEADSTRONG_INLINE constexpr auto band_of(std::size_t, std::size_t) const noexcept
    {
        return detail::band::around(offset, left, right);
    }
};

/// The first `length` keys are seen by all, the others causally: a prefix that may look at itself both ways.
struct prefix_causal {
    static constexpr bool hides = true;  ///< it only hides keys
    std::size_t length;                  ///< keys of the prefix
    std::ptrdiff_t offset = 0;           ///< query i stands at key i + offset

    /// Keys that some of these queries see.
    [[nodiscard]] HEADSTRONG_INLINE constexpr key_range seen(const query_block& q) const noexcept
    {
        return wider(band_of().seen(q), q);
    }
    /// Keys that all of them see.
    [[nodiscard]] HEADSTRONG_INLINE constexpr key_range open(const query_block& q) const noexcept
    {
        return wider(band_of().open(q), q);
    }
    /// The scores of the keys that are seen; hidden() for the others.
    template <lanes L, bool KeysRun, std::size_t Heads>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L operator()(const L& score,
                                                           const score_place<L, KeysRun, Heads>& at) const noexcept
    {
        return if_less(at.keys(), L::broadcast(static_cast<typename L::value_type>(length)), score, band_of()(score, at));
    }

private:
    [[nodiscard]] HEADSTRONG_INLINE constexpr detail::band band_of() const noexcept
    {
        return detail::band::around(offset, unbounded, 0);
    }
    [[nodiscard]] HEADSTRONG_INLINE constexpr key_range wider(key_range causal, const query_block& q) const noexcept
    {
        const std::size_t end = length < q.m ? length : q.m;
        return {0, causal.end > end ? causal.end : end};
    }
};

/// Only the first `count` keys exist; all, if there are no more. The others may hold anything.
struct valid_keys {
    static constexpr bool hides = true;  ///< it only hides keys
    std::size_t count;                   ///< keys that exist

    /// Keys that some of these queries see.
    [[nodiscard]] HEADSTRONG_INLINE constexpr key_range seen(const query_block& q) const noexcept
    {
        return {0, count < q.m ? count : q.m};
    }
    /// Keys that all of them see: the same.
    [[nodiscard]] HEADSTRONG_INLINE constexpr key_range open(const query_block& q) const noexcept { return seen(q); }
    /// The scores of the keys that are seen; hidden() for the others.
    template <lanes L, bool KeysRun, std::size_t Heads>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L operator()(const L& score,
                                                           const score_place<L, KeysRun, Heads>& at) const noexcept
    {
        return if_less(at.keys(), L::broadcast(static_cast<typename L::value_type>(count)), score, hidden<L>());
    }
};

/// Only the first `count` queries exist; the heads of the others are zero.
struct valid_queries {
    static constexpr bool hides = true;  ///< it only hides keys
    std::size_t count;                   ///< queries that exist

    /// Keys that some of these queries see.
    [[nodiscard]] HEADSTRONG_INLINE constexpr key_range seen(const query_block& q) const noexcept
    {
        return {0, q.first < count ? q.m : 0};
    }
    /// Keys that all of them see.
    [[nodiscard]] HEADSTRONG_INLINE constexpr key_range open(const query_block& q) const noexcept
    {
        return {0, q.last < count ? q.m : 0};
    }
    /// The scores of the queries that exist; hidden() for the others.
    template <lanes L, bool KeysRun, std::size_t Heads>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L operator()(const L& score,
                                                           const score_place<L, KeysRun, Heads>& at) const noexcept
    {
        return if_less(at.queries(), L::broadcast(static_cast<typename L::value_type>(count)), score, hidden<L>());
    }
};

}  // namespace headstrong

#endif
