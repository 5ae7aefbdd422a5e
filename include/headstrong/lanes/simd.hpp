// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_LANES_SIMD_HPP
#define HEADSTRONG_LANES_SIMD_HPP
/// @file
/// Lanes as one to four vector registers: the only header that includes xsimd, and only where HEADSTRONG_SIMD is 1.

#include "headstrong/config.hpp"

#if HEADSTRONG_SIMD

#include "headstrong/lanes/portable.hpp"

#include <xsimd/xsimd.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#if defined(__aarch64__)
#include <arm_neon.h>
#else
#include <immintrin.h>
#endif

namespace headstrong::detail::inline HEADSTRONG_TARGET {

// What xsimd does not promise: a multiply-add that is fused (in release 8.1 it is a product and a sum on AVX-512), a
// division that is IEEE's (on NEON it iterates on a reciprocal), a root that is, and a > b ? a : b also for NaN.
#if defined(__aarch64__)
HEADSTRONG_INLINE inline float32x4_t fused(float32x4_t a, float32x4_t b, float32x4_t c) noexcept { return vfmaq_f32(c, a, b); }
HEADSTRONG_INLINE inline float64x2_t fused(float64x2_t a, float64x2_t b, float64x2_t c) noexcept { return vfmaq_f64(c, a, b); }
HEADSTRONG_INLINE inline float32x4_t quotient(float32x4_t a, float32x4_t b) noexcept { return vdivq_f32(a, b); }
HEADSTRONG_INLINE inline float64x2_t quotient(float64x2_t a, float64x2_t b) noexcept { return vdivq_f64(a, b); }
HEADSTRONG_INLINE inline float32x4_t root(float32x4_t a) noexcept { return vsqrtq_f32(a); }
HEADSTRONG_INLINE inline float64x2_t root(float64x2_t a) noexcept { return vsqrtq_f64(a); }
HEADSTRONG_INLINE inline float32x4_t greater(float32x4_t a, float32x4_t b) noexcept { return vbslq_f32(vcgtq_f32(a, b), a, b); }
HEADSTRONG_INLINE inline float64x2_t greater(float64x2_t a, float64x2_t b) noexcept { return vbslq_f64(vcgtq_f64(a, b), a, b); }
#else
HEADSTRONG_INLINE inline __m256 fused(__m256 a, __m256 b, __m256 c) noexcept { return _mm256_fmadd_ps(a, b, c); }
HEADSTRONG_INLINE inline __m256d fused(__m256d a, __m256d b, __m256d c) noexcept { return _mm256_fmadd_pd(a, b, c); }
HEADSTRONG_INLINE inline __m256 quotient(__m256 a, __m256 b) noexcept { return _mm256_div_ps(a, b); }
HEADSTRONG_INLINE inline __m256d quotient(__m256d a, __m256d b) noexcept { return _mm256_div_pd(a, b); }
HEADSTRONG_INLINE inline __m256 root(__m256 a) noexcept { return _mm256_sqrt_ps(a); }
HEADSTRONG_INLINE inline __m256d root(__m256d a) noexcept { return _mm256_sqrt_pd(a); }
HEADSTRONG_INLINE inline __m256 greater(__m256 a, __m256 b) noexcept { return _mm256_max_ps(a, b); }
HEADSTRONG_INLINE inline __m256d greater(__m256d a, __m256d b) noexcept { return _mm256_max_pd(a, b); }
#if HEADSTRONG_AVX512
// All lanes selected by a mask: behind the plain root or maximum GCC 12 warns of an uninitialised variable (GCC bug 105593).
HEADSTRONG_INLINE inline __m512 fused(__m512 a, __m512 b, __m512 c) noexcept { return _mm512_fmadd_ps(a, b, c); }
HEADSTRONG_INLINE inline __m512d fused(__m512d a, __m512d b, __m512d c) noexcept { return _mm512_fmadd_pd(a, b, c); }
HEADSTRONG_INLINE inline __m512 quotient(__m512 a, __m512 b) noexcept { return _mm512_div_ps(a, b); }
HEADSTRONG_INLINE inline __m512d quotient(__m512d a, __m512d b) noexcept { return _mm512_div_pd(a, b); }
HEADSTRONG_INLINE inline __m512 root(__m512 a) noexcept { return _mm512_maskz_sqrt_ps(0xffff, a); }
HEADSTRONG_INLINE inline __m512d root(__m512d a) noexcept { return _mm512_maskz_sqrt_pd(0xff, a); }
HEADSTRONG_INLINE inline __m512 greater(__m512 a, __m512 b) noexcept { return _mm512_maskz_max_ps(0xffff, a, b); }
HEADSTRONG_INLINE inline __m512d greater(__m512d a, __m512d b) noexcept { return _mm512_maskz_max_pd(0xff, a, b); }
#endif
#endif

// The first `count` lanes of a register alone, the others zero; memory behind them is not touched.
#if !defined(__aarch64__)
HEADSTRONG_INLINE inline __m256i first_of_8(std::size_t count) noexcept
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
HEADSTRONG_INLINE inline __m256i first_of_4(std::size_t count) noexcept
{
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(static_cast<long long>(count)), _mm256_setr_epi64x(0, 1, 2, 3));
}
HEADSTRONG_INLINE inline void load_first(const float* p, std::size_t count, __m256& a) noexcept
{
    a = _mm256_maskload_ps(p, first_of_8(count));
}
HEADSTRONG_INLINE inline void load_first(const double* p, std::size_t count, __m256d& a) noexcept
{
    a = _mm256_maskload_pd(p, first_of_4(count));
}
HEADSTRONG_INLINE inline void store_first(float* p, std::size_t count, __m256 a) noexcept
{
    _mm256_maskstore_ps(p, first_of_8(count), a);
}
HEADSTRONG_INLINE inline void store_first(double* p, std::size_t count, __m256d a) noexcept
{
    _mm256_maskstore_pd(p, first_of_4(count), a);
}
#if HEADSTRONG_AVX512
HEADSTRONG_INLINE inline unsigned first_bits(std::size_t count) noexcept { return (1u << count) - 1; }
HEADSTRONG_INLINE inline void load_first(const float* p, std::size_t count, __m512& a) noexcept
{
    a = _mm512_maskz_loadu_ps(static_cast<__mmask16>(first_bits(count)), p);
}
HEADSTRONG_INLINE inline void load_first(const double* p, std::size_t count, __m512d& a) noexcept
{
    a = _mm512_maskz_loadu_pd(static_cast<__mmask8>(first_bits(count)), p);
}
HEADSTRONG_INLINE inline void store_first(float* p, std::size_t count, __m512 a) noexcept
{
    _mm512_mask_storeu_ps(p, static_cast<__mmask16>(first_bits(count)), a);
}
HEADSTRONG_INLINE inline void store_first(double* p, std::size_t count, __m512d a) noexcept
{
    _mm512_mask_storeu_pd(p, static_cast<__mmask8>(first_bits(count)), a);
}
#endif
#else
template <class T, class Register>
HEADSTRONG_INLINE inline void load_first(const T* p, std::size_t count, Register& a) noexcept
{
    for (std::size_t i = 0; i < sizeof(a) / sizeof(T); ++i) a[i] = i < count ? p[i] : T{0};
}
template <class T, class Register>
HEADSTRONG_INLINE inline void store_first(T* p, std::size_t count, Register a) noexcept
{
    for (std::size_t i = 0; i < sizeof(a) / sizeof(T); ++i)
        if (i < count) p[i] = a[i];
}
#endif

#if HEADSTRONG_AVX512
using simd_architecture = xsimd::avx512bw;
#elif defined(__AVX2__)
using simd_architecture = xsimd::fma3<xsimd::avx2>;
#else
using simd_architecture = xsimd::neon64;
#endif

/// The lanes of one kernel step as xsimd batches: one AVX-512 register, two of AVX2, four of NEON. Parts counts them
/// 0, 1, ..., so that an operation is one pack expansion.
template <class T, class Parts>
struct simd_lanes_in_parts;

template <class T, std::size_t... I>
struct simd_lanes_in_parts<T, std::index_sequence<I...>> {
    using value_type = T;
    using whole = simd_lanes_in_parts;
    using batch = xsimd::batch<T, simd_architecture>;
    using register_type = typename batch::register_type;
    static constexpr std::size_t parts = sizeof...(I);
    static constexpr std::size_t size = parts * batch::size;
    /// The register tile of the multiply kernel; its sums fill most of 32 (AVX-512, NEON) or 16 (AVX2) registers.
    static constexpr std::size_t tile_panels = parts == 1 ? 2 : 1;
    static constexpr std::size_t tile_columns = parts == 1 ? 12 : 6;
    /// The same for products of few columns.
    static constexpr std::size_t most_tile_panels = parts == 1 ? 8 : 4;

    batch part[parts];

    [[nodiscard]] HEADSTRONG_INLINE static simd_lanes_in_parts broadcast(T x) noexcept
    {
        const batch all(x);
        return {{(static_cast<void>(I), all)...}};
    }
    [[nodiscard]] HEADSTRONG_INLINE static simd_lanes_in_parts load(const T* p) noexcept
    {
        return {{batch::load_unaligned(p + I * batch::size)...}};
    }
    /// The first `count` numbers at p, then zeros; nothing behind them is read.
    [[nodiscard]] HEADSTRONG_INLINE static simd_lanes_in_parts load(const T* p, std::size_t count) noexcept
    {
        register_type first[] = {(static_cast<void>(I), register_type(batch(T{0})))...};
        ((count > I * batch::size ? load_first(p + I * batch::size, in_part(count, I), first[I]) : void()), ...);
        return {{batch(first[I])...}};
    }
    HEADSTRONG_INLINE void store(T* p) const noexcept { (part[I].store_unaligned(p + I * batch::size), ...); }
    /// The first `count` lanes; nothing behind them is written.
    HEADSTRONG_INLINE void store(T* p, std::size_t count) const noexcept
    {
        ((count > I * batch::size ? store_first(p + I * batch::size, in_part(count, I), register_type(part[I])) : void()), ...);
    }

    [[nodiscard]] HEADSTRONG_INLINE friend simd_lanes_in_parts fma(const simd_lanes_in_parts& a, const simd_lanes_in_parts& b,
                                                                   const simd_lanes_in_parts& c) noexcept
    {
        return {{batch(fused(register_type(a.part[I]), register_type(b.part[I]), register_type(c.part[I])))...}};
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
        return {{batch(quotient(register_type(a.part[I]), register_type(b.part[I])))...}};
    }
    [[nodiscard]] HEADSTRONG_INLINE friend simd_lanes_in_parts sqrt(const simd_lanes_in_parts& a) noexcept
    {
        return {{batch(root(register_type(a.part[I])))...}};
    }
    /// a < b ? x : y in each lane; y where a or b is NaN.
    [[nodiscard]] HEADSTRONG_INLINE friend simd_lanes_in_parts if_less(const simd_lanes_in_parts& a,
                                                                       const simd_lanes_in_parts& b,
                                                                       const simd_lanes_in_parts& x,
                                                                       const simd_lanes_in_parts& y) noexcept
    {
        return {{xsimd::select(a.part[I] < b.part[I], x.part[I], y.part[I])...}};
    }
    /// The larger number in each lane; b where one is NaN.
    [[nodiscard]] HEADSTRONG_INLINE friend simd_lanes_in_parts larger(const simd_lanes_in_parts& a,
                                                                      const simd_lanes_in_parts& b) noexcept
    {
        return {{batch(greater(register_type(a.part[I]), register_type(b.part[I])))...}};
    }
    /// The largest number of all lanes; lanes with NaN do not count. Which of 0 and -0 it is is not said.
    [[nodiscard]] HEADSTRONG_INLINE friend T largest_of(const simd_lanes_in_parts& a) noexcept
    {
        constexpr T lowest = -std::numeric_limits<T>::infinity();
        const T of_parts[] = {largest_of_part(greater(register_type(a.part[I]), register_type(batch(lowest))),
                                              std::make_index_sequence<batch::size>{})...};
        T largest = of_parts[0];
        for (const T x : of_parts) largest = x > largest ? x : largest;
        return largest;
    }
    /// The sum of all lanes by the tree of neighbours, ((x0 + x1) + (x2 + x3)) + ...
    [[nodiscard]] HEADSTRONG_INLINE friend T sum_of_neighbours(const simd_lanes_in_parts& a) noexcept
    {
        T sums[] = {sum_of_part(register_type(a.part[I]), std::make_index_sequence<batch::size>{})...};
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
        return std::min(count - index * batch::size, batch::size);
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

    // The compilers' own vectors: xsimd's bitwise_cast changed its meaning between releases, and the intrinsic behind its
    // shift makes GCC 12 warn of an uninitialised variable on AVX-512 (GCC bug 105593).
    [[nodiscard]] HEADSTRONG_INLINE static batch shifted(const batch& a) noexcept
    {
        using bits [[gnu::vector_size(sizeof(register_type))]] = bits_of<T>;
        constexpr int fraction = sizeof(T) == 4 ? 23 : 52;
        return batch(__builtin_bit_cast(register_type, __builtin_bit_cast(bits, register_type(a)) << fraction));
    }

    /// The biased exponent is put into the fraction of 2^23 (2^52 for double), whose last place is 1.
    [[nodiscard]] HEADSTRONG_INLINE static batch exponent(const batch& a) noexcept
    {
        using bits [[gnu::vector_size(sizeof(register_type))]] = bits_of<T>;
        constexpr int fraction = sizeof(T) == 4 ? 23 : 52, largest = std::numeric_limits<T>::max_exponent - 1;
        constexpr T shift{sizeof(T) == 4 ? 0x1p23 : 0x1p52};
        const bits biased = (__builtin_bit_cast(bits, register_type(a)) >> fraction) & bits_of<T>{2 * largest + 1};
        return batch(__builtin_bit_cast(register_type, biased | __builtin_bit_cast(bits_of<T>, shift)))
               - batch(shift + largest);
    }
};

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

namespace headstrong::inline HEADSTRONG_TARGET {

/// 16 floats or 8 doubles in vector registers.
template <class T>
using simd_lanes =
    detail::simd_lanes_in_parts<T, std::make_index_sequence<lane_count<T> / xsimd::batch<T, detail::simd_architecture>::size>>;

}  // namespace headstrong::inline HEADSTRONG_TARGET

#endif  // HEADSTRONG_SIMD
#endif
