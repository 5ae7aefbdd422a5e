// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_LANES_HPP
#define HEADSTRONG_LANES_HPP
/// @file
/// The one vector type that kernels know: 16 lanes of float or 8 of double, whatever the machine.

#include "headstrong/lanes/portable.hpp"
#include "headstrong/lanes/simd.hpp"

#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

namespace headstrong::detail {
template <class T>
inline constexpr T minus_infinity = -std::numeric_limits<T>::infinity();
}

namespace headstrong::inline HEADSTRONG_TARGET {

/// What a kernel may do with its lanes. All operations are IEEE's, lane by lane, so every model gives the same bits.
template <class L>
concept lanes = requires(L a, const typename L::value_type* in, typename L::value_type* out, std::size_t count) {
    { L::broadcast(*in) } -> std::same_as<L>;
    { L::load(in) } -> std::same_as<L>;
    { L::load(in, count) } -> std::same_as<L>;
    a.store(out);
    a.store(out, count);
    { fma(a, a, a) } -> std::same_as<L>;
    { a + a } -> std::same_as<L>;
    { a - a } -> std::same_as<L>;
    { a* a } -> std::same_as<L>;
    { a / a } -> std::same_as<L>;
    { sqrt(a) } -> std::same_as<L>;
    { if_less(a, a, a, a) } -> std::same_as<L>;
    { larger(a, a) } -> std::same_as<L>;
    { largest_of(a) } -> std::same_as<typename L::value_type>;
    { sum_of_neighbours(a) } -> std::same_as<typename L::value_type>;
    { shifted_into_exponent(a) } -> std::same_as<L>;
    { exponent_of(a) } -> std::same_as<L>;
    typename L::whole;
    L::tile_panels;
    L::tile_columns;
    L::most_tile_panels;
    L::most_sums;
};

#if HEADSTRONG_SIMD
template <class T>
using native_lanes = simd_lanes<T>;
#else
/// The lanes of this processor: its vectors, or four numbers at a time where it has none that keep the contract.
template <class T>
using native_lanes = portable_lanes<T, 4>;
#endif

static_assert(lanes<portable_lanes<float>> && lanes<native_lanes<float>> && lanes<native_lanes<double>>);

/// round(a b), safe beside any + of the caller: a compiler may contract a plain product with a later sum, this one not.
/// (A product of -0 becomes +0.)
template <lanes L>
[[nodiscard]] HEADSTRONG_INLINE constexpr L product(const L& a, const L& b) noexcept
{
    return fma(a, b, L::broadcast(0));
}

}  // namespace headstrong::inline HEADSTRONG_TARGET

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// Whether lanes are single numbers in registers of their own, not vectors.
template <class L>
inline constexpr bool of_single_numbers = L::size < lane_count<typename L::value_type>;

/// Whether a multiply-add of T is one instruction, not a piece of code of which there had better be few.
template <class T>
inline constexpr bool fused_in_hardware = sizeof(T) == sizeof(float) ? HEADSTRONG_FMA_FLOAT : HEADSTRONG_FMA_DOUBLE;

/// larger(a, b) where b is no NaN and which of 0 and -0 it is does not matter: one instruction of FPv5. (RISC-V has one too,
/// but GCC 12 calls the C library instead.)
template <lanes L>
[[nodiscard]] HEADSTRONG_INLINE constexpr L larger_number(const L& a, const L& b) noexcept
{
    if constexpr (HEADSTRONG_FPV5 && of_single_numbers<L> && sizeof(typename L::value_type) == sizeof(float))
        if (!__builtin_is_constant_evaluated())
            return [&]<std::size_t... I>(std::index_sequence<I...>) HEADSTRONG_INLINE {
                return L{{__builtin_fmaxf(a.lane[I], b.lane[I])...}};
            }(std::make_index_sequence<L::size>{});
    return larger(a, b);
}

/// A constant in a register. Where GCC 12 knows it, it compares with it on the right, and the select of FPv5 does not know
/// that order of the two.
template <class T>
[[nodiscard]] HEADSTRONG_INLINE constexpr T held(T x) noexcept
{
#if HEADSTRONG_FPV5  // Clang for other processors refuses the constraint even where it is not used
    if constexpr (sizeof(T) == sizeof(float))
        if (!__builtin_is_constant_evaluated()) __asm__("" : "+t"(x));
#endif
    return x;
}

/// Whether kernels have loops of their own for L, in kernel/cortex_m/ or kernel/helium/, outside constant expressions.
template <class L>
inline constexpr bool are_of_cortex_m = HEADSTRONG_CORTEX_M && std::is_same_v<L, portable_lanes<float, 4>>;

/// Runs f<Lanes>() with the lanes of this evaluation: the array inside a constant expression, the registers elsewhere. (The
/// builtin, because GCC optimises the branch behind std::is_constant_evaluated() before it finds out that it is dead.)
template <class T, class F>
HEADSTRONG_INLINE constexpr decltype(auto) with_lanes(F&& f)
{
    if (__builtin_is_constant_evaluated()) return f.template operator()<portable_lanes<T>>();
    return f.template operator()<native_lanes<T>>();
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
