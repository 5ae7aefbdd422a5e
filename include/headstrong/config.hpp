// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_CONFIG_HPP
#define HEADSTRONG_CONFIG_HPP
/// @file
/// The only header that asks for the compiler or the instruction set. What it finds out:
/// HEADSTRONG_FMA_FLOAT, HEADSTRONG_FMA_DOUBLE   the processor has a fused multiply-add of that type
/// HEADSTRONG_SIMD                               vectors that keep the exactness contract (fused, IEEE division)
/// headstrong::native_target                     a type that names the instruction set, for mangled names

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ == 1) \
    || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)
#error "headstrong cannot be compiled with -ffast-math, -Ofast or their parts: they reorder sums and drop infinities, \
so the same call would no longer give the same bits everywhere; compile this file without them"
#endif

#if !defined(__GNUC__)
#error "headstrong needs GCC 12 or Clang 14, or a later release of one of them"
#endif

#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16
#error "headstrong needs float and double arithmetic in their own precision; on 32-bit x86 compile with -msse2 -mfpmath=sse"
#endif

/// The most bytes that a call without caller-owned scratch memory may put on the stack.
#ifndef HEADSTRONG_MAX_STACK_BYTES
#define HEADSTRONG_MAX_STACK_BYTES (128 * 1024)
#endif

/// Inlines a function or, written behind its parameter list, a lambda, at every optimisation level.
#define HEADSTRONG_INLINE __attribute__((always_inline))

// A fused multiply-add in hardware. Elsewhere the exact software form of exact/fma.hpp computes the same bits, slower.
#if defined(__FMA__) || defined(__aarch64__) || defined(__riscv_d) || (defined(__ARM_FEATURE_FMA) && (__ARM_FP & 8))
#define HEADSTRONG_FMA_DOUBLE 1
#else
#define HEADSTRONG_FMA_DOUBLE 0
#endif
#if HEADSTRONG_FMA_DOUBLE || defined(__riscv_f) || (defined(__ARM_FEATURE_FMA) && (__ARM_FP & 4))
#define HEADSTRONG_FMA_FLOAT 1
#else
#define HEADSTRONG_FMA_FLOAT 0
#endif

// Vectors: x86 from AVX2 with FMA on, and AArch64. 32-bit NEON flushes denormals and has no division: not used.
#if (defined(__AVX2__) && defined(__FMA__)) || (defined(__aarch64__) && defined(__ARM_NEON))
#define HEADSTRONG_SIMD 1
#else
#define HEADSTRONG_SIMD 0
#endif
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define HEADSTRONG_AVX512 1
#else
#define HEADSTRONG_AVX512 0
#endif

namespace headstrong {

/// Names an instruction set by the features that change the code of a plain loop. Every function that does arithmetic
/// has it as a template argument, so that one program may hold builds for several processors side by side: without it
/// the linker would keep one copy of each function, and an older processor would meet an illegal instruction.
/// What is stored (matrices, weights, workspaces) never depends on it.
template <unsigned Features>
struct target {};

/// The instruction set that this translation unit is compiled for.
using native_target = target<0u
#ifdef __SSE2__
    + (1u << 0)
#endif
#ifdef __SSE3__
    + (1u << 1)
#endif
#ifdef __SSSE3__
    + (1u << 2)
#endif
#ifdef __SSE4_1__
    + (1u << 3)
#endif
#ifdef __SSE4_2__
    + (1u << 4)
#endif
#ifdef __AVX__
    + (1u << 5)
#endif
#ifdef __AVX2__
    + (1u << 6)
#endif
#ifdef __FMA__
    + (1u << 7)
#endif
#ifdef __BMI__
    + (1u << 8)
#endif
#ifdef __BMI2__
    + (1u << 9)
#endif
#ifdef __AVX512F__
    + (1u << 10)
#endif
#if HEADSTRONG_AVX512
    + (1u << 11)
#endif
#ifdef __AVX512FP16__
    + (1u << 12)
#endif
#ifdef __ARM_NEON
    + (1u << 13)
#endif
#ifdef __ARM_FEATURE_FMA
    + (1u << 14)
#endif
#ifdef __ARM_FEATURE_MVE
    + (1u << 15)
#endif
#ifdef __ARM_FEATURE_SVE
    + (1u << 16)
#endif
#if HEADSTRONG_FMA_DOUBLE
    + (1u << 17)
#endif
    >;

}  // namespace headstrong

#endif
