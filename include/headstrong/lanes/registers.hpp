// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_LANES_REGISTERS_HPP
#define HEADSTRONG_LANES_REGISTERS_HPP
/// @file
/// Single vector registers and operations on them; the only header that includes xsimd, and only where HEADSTRONG_SIMD is 1.
///
/// xsimd names the registers. Its batches are not used: they make half of the time that all headers take to compile, and
/// promise less than the lanes do (see below).

#include "headstrong/config.hpp"

#if HEADSTRONG_SIMD

#include <cstddef>  // which the next one needs and does not include
#include <utility>

#include <xsimd/types/xsimd_all_registers.hpp>

#if defined(__aarch64__)
#include <arm_neon.h>
#else
#include <immintrin.h>
#endif

namespace headstrong::detail::inline HEADSTRONG_TARGET {

#if HEADSTRONG_AVX512
using simd_architecture = xsimd::avx512bw;
#elif defined(__AVX2__)
using simd_architecture = xsimd::fma3<xsimd::avx2>;
#else
using simd_architecture = xsimd::neon64;
#endif

/// A vector register full of numbers; + - * < are the compilers' own.
template <class T>
struct vector_of {
    using register_type = typename xsimd::types::simd_register<T, simd_architecture>::register_type;
    static constexpr std::size_t size = sizeof(register_type) / sizeof(T);

    [[nodiscard]] HEADSTRONG_INLINE static register_type broadcast(T x) noexcept
    {
        return [&]<std::size_t... I>(std::index_sequence<I...>)
                   HEADSTRONG_INLINE { return register_type{(static_cast<void>(I), x)...}; }(std::make_index_sequence<size>{});
    }
    [[nodiscard]] HEADSTRONG_INLINE static register_type load(const T* p) noexcept
    {
        return *reinterpret_cast<const in_memory*>(p);
    }
    HEADSTRONG_INLINE static void store(T* p, register_type a) noexcept { *reinterpret_cast<in_memory*>(p) = a; }

private:
    using in_memory [[gnu::vector_size(sizeof(register_type)), gnu::aligned(alignof(T)), gnu::may_alias]] = T;
};

// What xsimd's batches do not promise: a multiply-add that is fused (in release 8.1 it is a product and a sum on AVX-512), a
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

/// Has the compiler hold a number that it has loaded: GCC 12 would load it again for each multiply-add.
template <class Register>
HEADSTRONG_INLINE inline void keep_in_register(Register& a) noexcept
{
#if defined(__aarch64__)
    __asm__("" : "+w"(a));
#else
    __asm__("" : "+v"(a));
#endif
}

/// Two registers of W numbers dealt like cards, a0 b0 a1 b1 ..., from number From of each on. Where the second is the first
/// itself, Apart says how far into it the other cards lie.
template <std::size_t From, std::size_t Apart = 0, class Register, std::size_t... I>
[[nodiscard]] HEADSTRONG_INLINE inline Register dealt(Register a, Register b, std::index_sequence<I...>) noexcept
{
    constexpr std::size_t distance = Apart > 0 ? Apart : sizeof...(I);
    return __builtin_shufflevector(a, b, (From + I / 2 + I % 2 * distance)...);
}

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

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif  // HEADSTRONG_SIMD
#endif
