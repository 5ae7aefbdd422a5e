// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_MASK_PLACE_HPP
#define HEADSTRONG_MASK_PLACE_HPP
/// @file
/// What masks and other functions of position are asked, and what they answer.

#include "headstrong/lanes.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace headstrong {

/// Keys begin ... end - 1.
struct key_range {
    std::size_t begin;  ///< the first key
    std::size_t end;    ///< the one behind the last

    /// Equal ends.
    constexpr bool operator==(const key_range&) const = default;
};

/// The queries first ... last of a call with n queries and m keys.
struct query_block {
    std::size_t first;  ///< the first query
    std::size_t last;   ///< the last query
    std::size_t n;      ///< queries of the call
    std::size_t m;      ///< keys of the call
};

namespace detail {

/// 0, 1, 2, ...
template <class T>
inline constexpr std::array<T, lane_count<T>> counted = [] {
    std::array<T, lane_count<T>> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<T>(i);
    return numbers;
}();

}  // namespace detail

inline namespace HEADSTRONG_TARGET {

/// One register of scores of head `head` of Heads: its lanes are neighbouring keys from `key` on if KeysRun, else neighbouring
/// queries from `query` on. The call has n queries and m keys; lanes may lie behind the last of them, and are then ignored.
template <lanes L, bool KeysRun, std::size_t Heads>
struct score_place {
    static constexpr bool keys_run = KeysRun;    ///< whether the lanes are keys
    static constexpr std::size_t heads = Heads;  ///< the heads of the layer

    std::size_t head;   ///< whose scores they are
    std::size_t query;  ///< of the first lane
    std::size_t key;    ///< of the first lane
    std::size_t n;      ///< queries of the call
    std::size_t m;      ///< keys of the call

    /// The query of each lane, as a number: exact up to 2^24 (float).
    [[nodiscard]] HEADSTRONG_INLINE constexpr L queries() const noexcept { return from<!KeysRun>(query); }
    /// The key of each lane.
    [[nodiscard]] HEADSTRONG_INLINE constexpr L keys() const noexcept { return from<KeysRun>(key); }

    /// f(query, key) in each lane, one after another; `outside` where there is no such query or key.
    template <class F>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L gathered(F f, typename L::value_type outside) const noexcept
    {
        typename L::value_type numbers[L::size];
        for (std::size_t lane = 0; lane < L::size; ++lane) {
            const std::size_t i = query + (KeysRun ? 0 : lane), j = key + (KeysRun ? lane : 0);
            numbers[lane] = i < n && j < m ? f(i, j) : outside;
        }
        return L::load(numbers);
    }

private:
    template <bool Run>
    [[nodiscard]] HEADSTRONG_INLINE static constexpr L from(std::size_t first) noexcept
    {
        using T = typename L::value_type;
        const L start = L::broadcast(static_cast<T>(first));
        if constexpr (Run) return start + L::load(detail::counted<T>.data());
        else return start;
    }
};

/// The score of a key that a query does not see: its weight is 0.
template <lanes L>
[[nodiscard]] HEADSTRONG_INLINE constexpr L hidden() noexcept
{
    return L::broadcast(detail::minus_infinity<typename L::value_type>);
}

}  // namespace HEADSTRONG_TARGET

/// Changes scores by their place: modifier(score, place) gives the new score of each lane. It says by X::hides whether it only
/// hides keys, so that it combines with others by &. What it may have beside that:
/// - seen(queries): keys outside this range are hidden from all these queries; they are skipped. Without it: all keys.
/// - open(queries): within this range no score of these queries is changed; the modifier is not asked. Without it: none.
template <class X>
concept score_modifier = requires {
    { X::hides } -> std::convertible_to<bool>;
};

namespace detail {

template <class X>
inline constexpr bool only_hides = X::hides;

/// No change.
struct no_modifier {};

/// Whether a modifier serves a layer of Heads heads called with N queries and M keys; if not, its rule says why.
template <class X, std::size_t Heads, std::size_t N, std::size_t M>
inline constexpr bool modifier_serves = [] {
    if constexpr (requires { X::template serves<Heads, N, M>; }) return X::template serves<Heads, N, M>;
    else return true;
}();

inline namespace HEADSTRONG_TARGET {

template <class Modifier>
[[nodiscard]] HEADSTRONG_INLINE constexpr key_range seen_by(const Modifier& modifier, const query_block& queries) noexcept
{
    if constexpr (requires { modifier.seen(queries); }) return modifier.seen(queries);
    else return {0, queries.m};
}

template <class Modifier>
[[nodiscard]] HEADSTRONG_INLINE constexpr key_range open_to(const Modifier& modifier, const query_block& queries) noexcept
{
    if constexpr (requires { modifier.open(queries); }) return modifier.open(queries);
    else return {0, 0};
}

[[nodiscard]] HEADSTRONG_INLINE constexpr key_range common(key_range a, key_range b) noexcept
{
    const std::size_t begin = a.begin > b.begin ? a.begin : b.begin, end = a.end < b.end ? a.end : b.end;
    return {begin, end > begin ? end : begin};
}

}  // namespace HEADSTRONG_TARGET
}  // namespace detail
}  // namespace headstrong

#endif
