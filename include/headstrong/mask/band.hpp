// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_MASK_BAND_HPP
#define HEADSTRONG_MASK_BAND_HPP
/// @file
/// Where the queries of a call stand among the keys, and masks that leave a band of diagonals around that place.

#include "headstrong/checks.hpp"
#include "headstrong/mask/place.hpp"

#include <cstddef>
#include <limits>

namespace headstrong {

/// Which corner of the scores the diagonal starts from, if n differs from m: query 0 stands at key 0 (top_left), or the last
/// query at the last key (bottom_right), as if the queries were the last of the sequence.
enum class corner {
    unnamed,      ///< of a mask that serves n = m alone, where both corners are one
    top_left,     ///< query i stands at key i
    bottom_right  ///< query i stands at key i + m - n
};

/// A distance without bound.
inline constexpr std::ptrdiff_t unbounded = std::numeric_limits<std::ptrdiff_t>::max();
/// In place of a constant: the number is a member, given at run time.
inline constexpr std::ptrdiff_t at_run_time = std::numeric_limits<std::ptrdiff_t>::min();

namespace rule {

template <bool Named, std::size_t Queries, std::size_t Keys>
struct corner_is_named : condition<Named || Queries == Keys> {
    static_assert(corner_is_named::holds,
                  "with n != m a causal mask, window or distance needs its corner: corner::top_left (query i "
                  "stands at key i) or corner::bottom_right (the last query stands at the last key)");
};

}  // namespace rule

namespace detail {

/// A number that is a constant or, for at_run_time, a member.
template <std::ptrdiff_t Value>
struct static_number {
    [[nodiscard]] HEADSTRONG_INLINE static constexpr std::ptrdiff_t get() noexcept { return Value; }
};
template <>
struct static_number<at_run_time> {
    std::ptrdiff_t value;
    [[nodiscard]] HEADSTRONG_INLINE constexpr std::ptrdiff_t get() const noexcept { return value; }
};

inline namespace HEADSTRONG_TARGET {

/// The key that query 0 stands at.
template <corner Corner>
[[nodiscard]] HEADSTRONG_INLINE constexpr std::ptrdiff_t offset_of(std::size_t n, std::size_t m) noexcept
{
    return Corner == corner::bottom_right ? static_cast<std::ptrdiff_t>(m) - static_cast<std::ptrdiff_t>(n) : 0;
}

/// Query i sees keys i + lowest ... i + highest.
struct band {
    static constexpr std::ptrdiff_t far = unbounded / 8;  ///< beyond any key
    std::ptrdiff_t lowest, highest;

    /// Query 0 stands at `offset`; left and right may be unbounded. What is beyond any key is brought near, so that no sum
    /// overflows.
    [[nodiscard]] HEADSTRONG_INLINE static constexpr band around(std::ptrdiff_t offset, std::ptrdiff_t left,
                                                                 std::ptrdiff_t right) noexcept
    {
        const std::ptrdiff_t at = offset < -far ? -far : offset > far ? far : offset;
        return {left >= far ? -2 * far : at - left, right >= far ? 2 * far : at + right};
    }

    /// i + distance + more as a number of keys from 0 to m.
    [[nodiscard]] HEADSTRONG_INLINE static constexpr std::size_t key_at(std::size_t i, std::ptrdiff_t distance,
                                                                        std::size_t m) noexcept
    {
        const std::ptrdiff_t key = static_cast<std::ptrdiff_t>(i) + distance, last = static_cast<std::ptrdiff_t>(m);
        return static_cast<std::size_t>(key < 0 ? 0 : key > last ? last : key);
    }
    [[nodiscard]] HEADSTRONG_INLINE constexpr key_range seen(const query_block& q) const noexcept
    {
        const std::size_t begin = key_at(q.first, lowest, q.m), end = key_at(q.last, highest + 1, q.m);
        return {begin, end > begin ? end : begin};
    }
    [[nodiscard]] HEADSTRONG_INLINE constexpr key_range open(const query_block& q) const noexcept
    {
        const std::size_t begin = key_at(q.last, lowest, q.m), end = key_at(q.first, highest + 1, q.m);
        return {begin, end > begin ? end : begin};
    }
    template <lanes L, bool KeysRun, std::size_t Heads>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L operator()(const L& score,
                                                           const score_place<L, KeysRun, Heads>& at) const noexcept
    {
        using T = typename L::value_type;
        const L distance = at.keys() - at.queries();
        const L left = lowest > -far ? if_less(distance, L::broadcast(static_cast<T>(lowest)), hidden<L>(), score) : score;
        return highest < far ? if_less(L::broadcast(static_cast<T>(highest)), distance, hidden<L>(), left) : left;
    }
};

}  // namespace HEADSTRONG_TARGET

/// The members of a mask that is a band: Mask has band_of(n, m).
template <class Mask>
struct band_mask {
    static constexpr bool hides = true;

    [[nodiscard]] HEADSTRONG_INLINE constexpr key_range seen(const query_block& q) const noexcept
    {
        return of(q.n, q.m).seen(q);
    }
    [[nodiscard]] HEADSTRONG_INLINE constexpr key_range open(const query_block& q) const noexcept
    {
        return of(q.n, q.m).open(q);
    }
    template <lanes L, bool KeysRun, std::size_t Heads>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L operator()(const L& score,
                                                           const score_place<L, KeysRun, Heads>& at) const noexcept
    {
        return of(at.n, at.m)(score, at);
    }

private:
    [[nodiscard]] HEADSTRONG_INLINE constexpr auto of(std::size_t n, std::size_t m) const noexcept
    {
        return static_cast<const Mask&>(*this).band_of(n, m);
    }
};

}  // namespace detail

}  // namespace headstrong

#endif
