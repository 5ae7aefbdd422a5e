// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_LANES_PORTABLE_HPP
#define HEADSTRONG_LANES_PORTABLE_HPP
/// @file
/// Lanes as an array: in constant expressions, and on processors without vectors.

#include "headstrong/config.hpp"
#include "headstrong/exact/fma.hpp"
#include "headstrong/exact/sqrt.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace headstrong::inline HEADSTRONG_TARGET {

/// The number of lanes of every kernel: 64 bytes, 16 floats or 8 doubles, on every target, so that sums are ordered
/// alike everywhere.
template <class T>
inline constexpr std::size_t lane_count = 64 / sizeof(T);

}  // namespace headstrong::inline HEADSTRONG_TARGET

namespace headstrong::detail::inline HEADSTRONG_TARGET {
template <class T>
using bits_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

#if HEADSTRONG_PAIRS
/// Two neighbours in memory, as one double-precision register holds them.
struct pair {
    std::uint64_t bits;

    /// The first or the second: a single-precision register, half of that one.
    template <int Half>
    [[nodiscard]] HEADSTRONG_INLINE float half() const noexcept
    {
        return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits >> 32 * Half));
    }
};

/// The numbers at p. The empty assembly has GCC load them to such a register, not to two of the core. The instruction wants
/// no alignment but that of one number; said of the type, GCC would make two instructions.
[[nodiscard]] HEADSTRONG_INLINE inline pair pair_at(const float* p) noexcept
{
    using may_alias [[gnu::may_alias]] = double;
    const double both = *reinterpret_cast<const may_alias*>(p);
    __asm__("" : : "t"(both));
    return {__builtin_bit_cast(std::uint64_t, both)};
}
#endif
}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

namespace headstrong::inline HEADSTRONG_TARGET {

/// Width numbers that are computed alike, one array element each. All lane_count of them where they are summed across, in
/// constant expressions and in the lanes of a vector; four where a processor without vectors holds them in single registers:
/// what each lane computes is the same.
template <class T, std::size_t Width = lane_count<T>>
struct portable_lanes {
    using value_type = T;                       ///< float or double
    using whole = portable_lanes<T>;            ///< all lane_count lanes, as sums across them need
    static constexpr std::size_t size = Width;  ///< how many lanes
    /// The register tile of the multiply kernel, panels of lanes by columns: 4 x 6 sums leave room for the operands in 32
    /// registers, 4 x 4 for those of two links loaded in pairs. Fewer where each multiply-add is a piece of code.
    static constexpr std::size_t tile_panels = 1;
    static constexpr std::size_t tile_columns =
        Width <= 4 && HEADSTRONG_FMA_FLOAT && !HEADSTRONG_PAIRS ? 6 : 4;  ///< the columns of the tile
    /// The same for products of few columns.
    static constexpr std::size_t most_tile_panels = Width < lane_count<T> ? 4 : 1;
    /// Sums of one column that are worked on at once.
    static constexpr std::size_t most_sums = most_tile_panels;

    T lane[Width];  ///< the numbers

    /// x in every lane.
    [[nodiscard]] HEADSTRONG_INLINE static constexpr portable_lanes broadcast(T x) noexcept
    {
        return each([&](std::size_t) { return x; });
    }
    /// The numbers from p on.
    [[nodiscard]] HEADSTRONG_INLINE static constexpr portable_lanes load(const T* p) noexcept
    {
        return each([&](std::size_t i) { return p[i]; });
    }
    /// The first `count` numbers at p, then zeros; nothing behind them is read.
    [[nodiscard]] HEADSTRONG_INLINE static constexpr portable_lanes load(const T* p, std::size_t count) noexcept
    {
        return each([&](std::size_t i) { return i < count ? p[i] : T{0}; });
    }
    /// All lanes to p.
    HEADSTRONG_INLINE constexpr void store(T* p) const noexcept
    {
        if constexpr (in_registers)
            [&]<std::size_t... I>(std::index_sequence<I...>)
                HEADSTRONG_INLINE { ((p[I] = lane[I]), ...); }(std::make_index_sequence<Width>{});
        else
            for (std::size_t i = 0; i < Width; ++i) p[i] = lane[i];
    }
    /// The first `count` lanes; nothing behind them is written.
    HEADSTRONG_INLINE constexpr void store(T* p, std::size_t count) const noexcept
    {
        for (std::size_t i = 0; i < Width && i < count; ++i) p[i] = lane[i];
    }

    /// round(a b + c), lane by lane: see headstrong::fma.
    [[nodiscard]] HEADSTRONG_INLINE friend constexpr portable_lanes fma(const portable_lanes& a, const portable_lanes& b,
                                                                        const portable_lanes& c) noexcept
    {
        if constexpr (in_registers)
            return each([&](std::size_t i) { return headstrong::fma(a.lane[i], b.lane[i], c.lane[i]); });
        portable_lanes r{};  // not by each(): constant evaluation spends most of its steps here
        for (std::size_t i = 0; i < Width; ++i) r.lane[i] = headstrong::fma(a.lane[i], b.lane[i], c.lane[i]);
        return r;
    }
    /// The sum, lane by lane.
    [[nodiscard]] HEADSTRONG_INLINE friend constexpr portable_lanes operator+(const portable_lanes& a,
                                                                              const portable_lanes& b) noexcept
    {
        return each([&](std::size_t i) { return detail::sum_of(a.lane[i], b.lane[i]); });
    }
    /// The difference, lane by lane.
    [[nodiscard]] HEADSTRONG_INLINE friend constexpr portable_lanes operator-(const portable_lanes& a,
                                                                              const portable_lanes& b) noexcept
    {
        return each([&](std::size_t i) { return detail::difference_of(a.lane[i], b.lane[i]); });
    }
    /// A rounded product. It must never meet a plain + or -, which the compiler could contract: see product().
    [[nodiscard]] HEADSTRONG_INLINE friend constexpr portable_lanes operator*(const portable_lanes& a,
                                                                              const portable_lanes& b) noexcept
    {
        return each([&](std::size_t i) { return a.lane[i] * b.lane[i]; });
    }
    /// The quotient, lane by lane, rounded as IEEE says.
    [[nodiscard]] HEADSTRONG_INLINE friend constexpr portable_lanes operator/(const portable_lanes& a,
                                                                              const portable_lanes& b) noexcept
    {
        return each([&](std::size_t i) { return a.lane[i] / b.lane[i]; });
    }
    /// The square root, lane by lane, rounded as IEEE says.
    [[nodiscard]] HEADSTRONG_INLINE friend constexpr portable_lanes sqrt(const portable_lanes& a) noexcept
    {
        return each([&](std::size_t i) { return headstrong::sqrt(a.lane[i]); });
    }
    /// a < b ? x : y in each lane; y where a or b is NaN.
    [[nodiscard]] HEADSTRONG_INLINE friend constexpr portable_lanes if_less(const portable_lanes& a, const portable_lanes& b,
                                                                            const portable_lanes& x,
                                                                            const portable_lanes& y) noexcept
    {
        return each([&](std::size_t i) { return a.lane[i] < b.lane[i] ? x.lane[i] : y.lane[i]; });
    }
    /// The larger number in each lane; b where one is NaN.
    [[nodiscard]] HEADSTRONG_INLINE friend constexpr portable_lanes larger(const portable_lanes& a,
                                                                           const portable_lanes& b) noexcept
    {
        return each([&](std::size_t i) { return a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]; });
    }
    /// The largest number of all lanes; lanes with NaN do not count. Which of 0 and -0 it is is not said.
    [[nodiscard]] HEADSTRONG_INLINE friend constexpr T largest_of(const portable_lanes& a) noexcept
    {
        constexpr T lowest = -std::numeric_limits<T>::infinity();
        T largest = lowest;
        for (const T x : a.lane) largest = x > largest ? x : largest;
        return largest;
    }
    /// The sum of all lanes by the tree of neighbours, ((x0 + x1) + (x2 + x3)) + ...
    [[nodiscard]] HEADSTRONG_INLINE friend constexpr T sum_of_neighbours(portable_lanes a) noexcept
    {
        for (std::size_t step = 1; step < Width; step *= 2)
            for (std::size_t i = 0; i < Width; i += 2 * step) a.lane[i] = detail::sum_of(a.lane[i], a.lane[i + step]);
        return a.lane[0];
    }
    /// The bit pattern of each lane shifted left by the width of the fraction: an integer in the lowest bits becomes a
    /// biased exponent.
    [[nodiscard]] HEADSTRONG_INLINE friend constexpr portable_lanes shifted_into_exponent(const portable_lanes& a) noexcept
    {
        using bits = detail::bits_of<T>;
        constexpr int fraction = sizeof(T) == 4 ? 23 : 52;
        return each([&](std::size_t i) {
            return __builtin_bit_cast(T, static_cast<bits>(__builtin_bit_cast(bits, a.lane[i]) << fraction));
        });
    }
    /// The exponent e of each lane, |a| = 2^e m with 1 <= m < 2. Of what is no normal number as the bit pattern has it: one
    /// below the smallest for 0 and denormals, one above the largest for infinity and NaN.
    [[nodiscard]] HEADSTRONG_INLINE friend constexpr portable_lanes exponent_of(const portable_lanes& a) noexcept
    {
        using bits = detail::bits_of<T>;
        constexpr int fraction = sizeof(T) == 4 ? 23 : 52, largest = std::numeric_limits<T>::max_exponent - 1;
        return each([&](std::size_t i) {
            const bits biased = (__builtin_bit_cast(bits, a.lane[i]) >> fraction) & bits{2 * largest + 1};
            return static_cast<T>(static_cast<int>(biased) - largest);
        });
    }

private:
    static constexpr bool in_registers = Width <= 4;

    template <class F>
    [[nodiscard]] HEADSTRONG_INLINE static constexpr portable_lanes each(F f) noexcept
    {
        if constexpr (in_registers)  // constant indices, so that no lane is ever in memory
            return [&]<std::size_t... I>(std::index_sequence<I...>)
                       HEADSTRONG_INLINE { return portable_lanes{{f(I)...}}; }(std::make_index_sequence<Width>{});
        portable_lanes r{};
        for (std::size_t i = 0; i < Width; ++i) r.lane[i] = f(i);
        return r;
    }
};

}  // namespace headstrong::inline HEADSTRONG_TARGET

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// L::load of numbers that are read, not replaced, by half of the instructions where HEADSTRONG_PAIRS is 1: registers that hold
/// two at once are copied before one of them is replaced.
template <class L>
[[nodiscard]] HEADSTRONG_INLINE constexpr L load_pairs(const typename L::value_type* p) noexcept
{
#if HEADSTRONG_PAIRS
    if constexpr (sizeof(*p) == sizeof(float) && (L::size == 2 || L::size == 4))
        if (!__builtin_is_constant_evaluated()) {
            const pair first = pair_at(p);
            if constexpr (L::size == 2) {
                return {{first.template half<0>(), first.template half<1>()}};
            } else {
                const pair second = pair_at(p + 2);
                return {
                    {first.template half<0>(), first.template half<1>(), second.template half<0>(), second.template half<1>()}};
            }
        }
#endif
    return L::load(p);
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
