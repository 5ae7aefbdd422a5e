// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_MASK_POSITION_BIAS_HPP
#define HEADSTRONG_MASK_POSITION_BIAS_HPP
/// @file
/// Score biases by position: ALiBi, relative buckets, and any function of the user's.

#include "headstrong/checks.hpp"
#include "headstrong/exact/exp.hpp"
#include "headstrong/mask/band.hpp"
#include "headstrong/mask/matrices.hpp"
#include "headstrong/mask/place.hpp"

#include <array>
#include <bit>
#include <cstddef>

namespace headstrong {

/// The two formulas in use for the slopes of ALiBi, which agree where the number of heads is a power of two.
enum class slopes {
    geometric,    ///< 2^(-8 (h+1) / H) for every H
    interleaved,  ///< those of the power of two P below H, then every second one of 2 P: the authors' code
};

namespace rule {

template <std::size_t Buckets, bool BothWays, std::size_t Farthest>
struct t5_buckets_are_even : condition<(Buckets >= (BothWays ? 4 : 2) && Buckets % 2 == 0 && Farthest > Buckets / 2)> {
    static_assert(t5_buckets_are_even::holds,
                  "T5 needs an even number of buckets, at least 2 (both ways 4), and a farthest distance beyond "
                  "half of them");
};

}  // namespace rule

namespace detail {

/// 2^(-numerator / denominator), exact where the exponent is whole, else correct to one last place of double.
[[nodiscard]] constexpr double power_of_half(std::size_t numerator, std::size_t denominator) noexcept
{
    constexpr double ln_2 = 0x1.62e42fefa39efp-1;
    double power = 1;
    for (std::size_t whole = numerator / denominator; whole > 0; --whole) power /= 2;
    const std::size_t rest = numerator % denominator;
    return rest == 0 ? power : power * exp(-ln_2 * static_cast<double>(rest) / static_cast<double>(denominator));
}

template <slopes Formula, std::size_t Heads>
inline constexpr std::array<double, Heads> slopes_of_heads = [] {
    std::array<double, Heads> slope{};
    constexpr std::size_t below = Formula == slopes::geometric ? Heads : std::bit_floor(Heads);
    for (std::size_t h = 0; h < Heads; ++h)
        slope[h] = h < below ? power_of_half(8 * (h + 1), below) : power_of_half(8 * (2 * (h - below) + 1), 2 * below);
    return slope;
}();

}  // namespace detail

/// ALiBi (Press, Smith and Lewis, "Train short, test long", 2022): adds -slope_h |i + offset - j|, where offset is that of the
/// corner. Combine it with causal for the form of the paper.
template <slopes Formula, corner Corner = corner::unnamed>
struct alibi {
    static constexpr bool hides = false;  ///< it changes scores

    /// Whether it serves N queries and M keys; a rule says so if not.
    template <std::size_t Heads, std::size_t N, std::size_t M>
    static constexpr bool serves = rule::holds<rule::corner_is_named<Corner != corner::unnamed, N, M>>;

    /// The scores less slope times distance.
    template <lanes L, bool KeysRun, std::size_t Heads>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L operator()(const L& score,
                                                           const score_place<L, KeysRun, Heads>& at) const noexcept
    {
        using T = typename L::value_type;
        const L offset = L::broadcast(static_cast<T>(detail::offset_of<Corner>(at.n, at.m)));
        const L right = at.keys() - (at.queries() + offset), left = L::broadcast(0) - right;
        return fma(larger(left, right), L::broadcast(static_cast<T>(-detail::slopes_of_heads<Formula, Heads>[at.head])), score);
    }
};

namespace detail {

/// The bucket of a distance of 0 or more among `buckets`: the first half one each, the others in a geometric series up to
/// `farthest`, which falls in the last one.
[[nodiscard]] constexpr std::size_t bucket_of_distance(std::size_t distance, std::size_t buckets, std::size_t farthest) noexcept
{
    const std::size_t near = buckets / 2, steps = buckets - near;
    if (distance < near) return distance;
    // The largest b with near (farthest / near)^(b / steps) <= distance, as (distance / near)^steps >= (farthest / near)^b.
    const double ratio = static_cast<double>(distance) / static_cast<double>(near);
    const double whole = static_cast<double>(farthest) / static_cast<double>(near);
    double power = 1 + 1e-12;  // a distance on the border falls in the higher bucket
    for (std::size_t i = 0; i < steps; ++i) power *= ratio;
    std::size_t b = 0;
    for (double border = whole; b + 1 < steps && power >= border; border *= whole) ++b;
    return near + b;
}

}  // namespace detail

/// T5's relative positions (Raffel et al., "Exploring the limits of transfer learning", 2020): adds table[bucket][h], the
/// layout of `relative_attention_bias.weight`, for the bucket of j - (i + offset). Both ways, keys to the right have the second
/// half of the buckets; otherwise they count as distance 0. The table is not copied and must outlive the call.
template <class T, std::size_t Buckets, std::size_t Heads, bool BothWays, std::size_t Farthest = 128>
struct t5_bias {
    static_assert(rule::checked<(rule::holds<rule::t5_buckets_are_even<Buckets, BothWays, Farthest>>)>);
    static constexpr bool hides = false;  ///< it changes scores
    const T (&table)[Buckets][Heads];     ///< the learned biases, read where they lie
    std::ptrdiff_t offset = 0;            ///< query i stands at key i + offset

    /// Whether it serves a layer of so many heads; a rule says so if not.
    template <std::size_t HeadsOfLayer, std::size_t N, std::size_t M>
    static constexpr bool serves = rule::holds<rule::mask_is_shared_or_per_head<Heads, HeadsOfLayer>>;

    /// The scores with the biases of their buckets added.
    template <lanes L, bool KeysRun, std::size_t HeadsOfLayer>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L operator()(const L& score,
                                                           const score_place<L, KeysRun, HeadsOfLayer>& at) const noexcept
    {
        using U = typename L::value_type;
        const std::ptrdiff_t start =
            detail::band::around(offset, 0, 0).lowest;  // the offset, brought near if it is beyond any key
        return score
               + at.gathered(
                   [&](std::size_t i, std::size_t j) {
                       return static_cast<U>(table[bucket(static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(i)
                                                          - start)][Heads == 1 ? 0 : at.head]);
                   },
                   U{0});
    }

    /// The bucket of a key that lies `distance` to the right of its query.
    [[nodiscard]] HEADSTRONG_INLINE static constexpr std::size_t bucket(std::ptrdiff_t distance) noexcept
    {
        constexpr std::size_t side = BothWays ? Buckets / 2 : Buckets;
        const std::size_t far = static_cast<std::size_t>(distance < 0 ? -distance : distance);
        const std::size_t length = BothWays || distance < 0 ? far : 0;
        return near_buckets[length < Farthest ? length : Farthest] + (BothWays && distance > 0 ? side : 0);
    }

private:
    static constexpr std::array<std::size_t, Farthest + 1> near_buckets = [] {
        std::array<std::size_t, Farthest + 1> all{};
        for (std::size_t i = 0; i <= Farthest; ++i)
            all[i] = detail::bucket_of_distance(i, BothWays ? Buckets / 2 : Buckets, Farthest);
        return all;
    }();
};
/// A t5_bias of a table: `t5<true>(table)` for an encoder, `t5<false>(table)` for a decoder.
template <bool BothWays, class T, std::size_t Buckets, std::size_t Heads>
[[nodiscard]] HEADSTRONG_INLINE constexpr t5_bias<T, Buckets, Heads, BothWays> t5(const T (&table)[Buckets][Heads],
                                                                                  std::ptrdiff_t offset = 0) noexcept
{
    return {table, offset};
}

/// Any function of a score and its place: f(score, head, query, key) -> score, where score, query and key are lanes. Written
/// once, with + - / fma product exp larger if_less of lanes, it serves every machine; beside a mask it is added by +.
/// @code
///   hs::modify([](auto s, std::size_t head, auto i, auto j) { return fma(j - i, decltype(s)::broadcast(0.1f), s); })
/// @endcode
template <class F>
struct modify {
    static constexpr bool hides = false;  ///< it changes scores
    [[no_unique_address]] F f;            ///< the function

    /// Of a function.
    HEADSTRONG_INLINE constexpr explicit modify(F function) noexcept : f{function} {}

    /// What the function makes of the scores.
    template <lanes L, bool KeysRun, std::size_t Heads>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L operator()(const L& score,
                                                           const score_place<L, KeysRun, Heads>& at) const noexcept
    {
        return f(score, at.head, at.queries(), at.keys());
    }
};

}  // namespace headstrong

#endif
