// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_LANES_SIMD_HPP
#define HEADSTRONG_LANES_SIMD_HPP
/// @file
/// Lanes as one to four vector registers, only where HEADSTRONG_SIMD is 1.

#include "headstrong/config.hpp"
#include "headstrong/sizes.hpp"

#if HEADSTRONG_SIMD

#include "headstrong/lanes/portable.hpp"
#include "headstrong/lanes/registers.hpp"

#include <cstddef>
#include <limits>
#include <utility>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// The lanes of one kernel step: one AVX-512 register, two of AVX2, four of NEON. Parts counts them
/// 0, 1, ..., so that an operation is one pack expansion.
template <class T, class Parts>
struct simd_lanes_in_parts;

template <class T, std::size_t... I>
struct simd_lanes_in_parts<T, std::index_sequence<I...>> {
    using value_type = T;
    using whole = simd_lanes_in_parts;
    using vector = vector_of<T>;
    using register_type = typename vector::register_type;
    using pair_register_type = typename vector_of<double>::register_type;
    static constexpr std::size_t parts = sizeof...(I);
    static constexpr std::size_t size = parts * vector::size;
    /// The register tile of the multiply kernel; its sums fill most of 32 (AVX-512, NEON) or 16 (AVX2) registers.
    static constexpr std::size_t tile_panels = parts == 1 ? 2 : 1;
    static constexpr std::size_t tile_columns = parts == 1 ? 12 : 6;
    /// The same for products of few columns.
    static constexpr std::size_t most_tile_panels = parts == 1 ? 8 : 4;
    /// Sums of one column that stay in registers beside what is added to them.
    static constexpr std::size_t most_sums = parts == 1 ? 16 : 4;

    register_type part[parts];

    [[nodiscard]] HEADSTRONG_INLINE static simd_lanes_in_parts broadcast(T x) noexcept
    {
        const register_type all = vector::broadcast(x);
        return {{(static_cast<void>(I), all)...}};
    }
    [[nodiscard]] HEADSTRONG_INLINE static simd_lanes_in_parts load(const T* p) noexcept
    {
        return {{vector::load(p + I * vector::size)...}};
    }
    /// Two neighbours in turns: p[0] in the even lanes, p[1] in the odd ones.
    [[nodiscard]] HEADSTRONG_INLINE static simd_lanes_in_parts alternate(const T* p) noexcept
        requires(sizeof(T) == 4)
    {
        double pair;
        __builtin_memcpy(&pair, p, sizeof pair);
        const auto all = __builtin_bit_cast(register_type, vector_of<double>::broadcast(pair));
        return {{(static_cast<void>(I), all)...}};
    }
    /// The first `count` numbers at p, then zeros; nothing behind them is read.
    [[nodiscard]] HEADSTRONG_INLINE static simd_lanes_in_parts load(const T* p, std::size_t count) noexcept
    {
        register_type first[] = {(static_cast<void>(I), vector::broadcast(0))...};
        ((count > I * vector::size ? load_first(p + I * vector::size, in_part(count, I), first[I]) : void()), ...);
        return {{first[I]...}};
    }
    HEADSTRONG_INLINE void store(T* p) const noexcept { (vector::store(p + I * vector::size, part[I]), ...); }
    /// The first `count` lanes; nothing behind them is written.
    HEADSTRONG_INLINE void store(T* p, std::size_t count) const noexcept
    {
        ((count > I * vector::size ? store_first(p + I * vector::size, in_part(count, I), part[I]) : void()), ...);
    }

    [[nodiscard]] HEADSTRONG_INLINE friend simd_lanes_in_parts fma(const simd_lanes_in_parts& a, const simd_lanes_in_parts& b,
                                                                   const simd_lanes_in_parts& c) noexcept
    {
        return {{fused(a.part[I], b.part[I], c.part[I])...}};
    }
    [[nodiscard]] HEADSTRONG_INLINE friend simd_lanes_in_parts operator+(const simd_lanes_in_parts& a,
                                                                         const simd_lanes_in_parts& b) noexcept
    {
        return {{(a.part[I] + b.part[I])...}};
    }
    [[nodiscard]] HEADSTRONG_INLINE friend simd_lanes_in_parts operator-(const simd_lanes_in_parts& a,
                                                                         const simd_lanes_in_parts& b) noexcept
    {
        return {{(a.part[I] - b.part[I])...}};
    }
    /// A rounded product. It must never meet a plain + or -, which the compiler could contract: see product().
    [[nodiscard]] HEADSTRONG_INLINE friend simd_lanes_in_parts operator*(const simd_lanes_in_parts& a,
                                                                         const simd_lanes_in_parts& b) noexcept
    {
        return {{(a.part[I] * b.part[I])...}};
    }
    [[nodiscard]] HEADSTRONG_INLINE friend simd_lanes_in_parts operator/(const simd_lanes_in_parts& a,
                                                                         const simd_lanes_in_parts& b) noexcept
    {
        return {{quotient(a.part[I], b.part[I])...}};
    }
    [[nodiscard]] HEADSTRONG_INLINE friend simd_lanes_in_parts sqrt(const simd_lanes_in_parts& a) noexcept
    {
        return {{root(a.part[I])...}};
    }
    /// a < b ? x : y in each lane; y where a or b is NaN.
    [[nodiscard]] HEADSTRONG_INLINE friend simd_lanes_in_parts if_less(const simd_lanes_in_parts& a,
                                                                       const simd_lanes_in_parts& b,
                                                                       const simd_lanes_in_parts& x,
                                                                       const simd_lanes_in_parts& y) noexcept
    {
        return {{(a.part[I] < b.part[I] ? x.part[I] : y.part[I])...}};
    }
    /// The larger number in each lane; b where one is NaN.
    [[nodiscard]] HEADSTRONG_INLINE friend simd_lanes_in_parts larger(const simd_lanes_in_parts& a,
                                                                      const simd_lanes_in_parts& b) noexcept
    {
        return {{greater(a.part[I], b.part[I])...}};
    }
    /// The first half of the lanes and the second, dealt like cards: a0 a8 a1 a9 ...
    [[nodiscard]] HEADSTRONG_INLINE friend simd_lanes_in_parts halves_dealt(const simd_lanes_in_parts& a) noexcept
    {
        constexpr auto of_part = std::make_index_sequence<vector::size>{};
        if constexpr (parts == 1) return {{dealt<0, vector::size / 2>(a.part[0], a.part[0], of_part)}};
        else return {{dealt<I % 2 * vector::size / 2>(a.part[I / 2], a.part[parts / 2 + I / 2], of_part)...}};
    }
    /// The largest number of all lanes; lanes with NaN do not count. Which of 0 and -0 it is is not said.
    [[nodiscard]] HEADSTRONG_INLINE friend T largest_of(const simd_lanes_in_parts& a) noexcept
    {
        constexpr T lowest = -std::numeric_limits<T>::infinity();
        const T of_parts[] = {
            largest_of_part(greater(a.part[I], vector::broadcast(lowest)), std::make_index_sequence<vector::size>{})...};
        T largest = of_parts[0];
        for (const T x : of_parts) largest = x > largest ? x : largest;
        return largest;
    }
    /// The sum of all lanes by the tree of neighbours, ((x0 + x1) + (x2 + x3)) + ...
    [[nodiscard]] HEADSTRONG_INLINE friend T sum_of_neighbours(const simd_lanes_in_parts& a) noexcept
    {
        T sums[] = {sum_of_part(a.part[I], std::make_index_sequence<vector::size>{})...};
        for (std::size_t step = 1; step < parts; step *= 2)
            for (std::size_t i = 0; i < parts; i += 2 * step) sums[i] = sums[i] + sums[i + step];
        return sums[0];
    }
    /// The bit pattern of each lane shifted left by the width of the fraction: an integer in the lowest bits becomes a
    /// biased exponent.
    [[nodiscard]] HEADSTRONG_INLINE friend simd_lanes_in_parts shifted_into_exponent(const simd_lanes_in_parts& a) noexcept
    {
        return {{shifted(a.part[I])...}};
    }
    /// The exponent e of each lane, |a| = 2^e m with 1 <= m < 2. Of what is no normal number as the bit pattern has it: one
    /// below the smallest for 0 and denormals, one above the largest for infinity and NaN.
    [[nodiscard]] HEADSTRONG_INLINE friend simd_lanes_in_parts exponent_of(const simd_lanes_in_parts& a) noexcept
    {
        return {{exponent(a.part[I])...}};
    }

private:
    /// How many of the first `count` lanes lie in a part that holds some of them.
    [[nodiscard]] HEADSTRONG_INLINE static std::size_t in_part(std::size_t count, std::size_t index) noexcept
    {
        return smaller_of(count - index * vector::size, vector::size);
    }

    template <std::size_t Step = 1, std::size_t... J>
    [[nodiscard]] HEADSTRONG_INLINE static T largest_of_part(register_type a, std::index_sequence<J...> indices) noexcept
    {
        if constexpr (Step == sizeof...(J)) return a[0];
        else return largest_of_part<2 * Step>(greater(a, register_type(__builtin_shufflevector(a, a, (J ^ Step)...))), indices);
    }

    /// Each round adds to every lane the one that is `Step` away in its pair: afterwards all lanes hold the sum.
    template <std::size_t Step = 1, std::size_t... J>
    [[nodiscard]] HEADSTRONG_INLINE static T sum_of_part(register_type a, std::index_sequence<J...> indices) noexcept
    {
        if constexpr (Step == sizeof...(J)) return a[0];
        else return sum_of_part<2 * Step>(a + __builtin_shufflevector(a, a, (J ^ Step)...), indices);
    }

    // By the compilers' operators: the intrinsic of the shift makes GCC 12 warn of an uninitialised variable on AVX-512 (GCC
    // bug 105593).
    [[nodiscard]] HEADSTRONG_INLINE static register_type shifted(register_type a) noexcept
    {
        using bits [[gnu::vector_size(sizeof(register_type))]] = bits_of<T>;
        constexpr int fraction = sizeof(T) == 4 ? 23 : 52;
        return __builtin_bit_cast(register_type, __builtin_bit_cast(bits, a) << fraction);
    }

    /// The biased exponent is put into the fraction of 2^23 (2^52 for double), whose last place is 1.
    [[nodiscard]] HEADSTRONG_INLINE static register_type exponent(register_type a) noexcept
    {
        using bits [[gnu::vector_size(sizeof(register_type))]] = bits_of<T>;
        constexpr int fraction = sizeof(T) == 4 ? 23 : 52, largest = std::numeric_limits<T>::max_exponent - 1;
        constexpr T shift{sizeof(T) == 4 ? 0x1p23 : 0x1p52};
        const bits biased = (__builtin_bit_cast(bits, a) >> fraction) & bits_of<T>{2 * largest + 1};
        return __builtin_bit_cast(register_type, biased | __builtin_bit_cast(bits_of<T>, shift))
               - vector::broadcast(shift + largest);
    }
};

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

namespace headstrong::inline HEADSTRONG_TARGET {

/// 16 floats or 8 doubles in vector registers.
template <class T>
using simd_lanes = detail::simd_lanes_in_parts<T, std::make_index_sequence<lane_count<T> / detail::vector_of<T>::size>>;

}  // namespace headstrong::inline HEADSTRONG_TARGET

#endif  // HEADSTRONG_SIMD
#endif
