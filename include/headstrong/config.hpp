// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_CONFIG_HPP
#define HEADSTRONG_CONFIG_HPP
/// @file
/// The only header that asks for the compiler or the instruction set. What it finds out, 1 or 0 each:
/// - HEADSTRONG_FMA_FLOAT, HEADSTRONG_FMA_DOUBLE: the processor has a fused multiply-add of that type
/// - HEADSTRONG_SQRT_FLOAT, HEADSTRONG_SQRT_DOUBLE: a square root of that type
/// - HEADSTRONG_EXACT_DOUBLE_SUM: sums of double are rounded as IEEE says
/// - HEADSTRONG_CORTEX_M: a Cortex-M with a floating-point unit, which assembly serves
/// - HEADSTRONG_PAIRS: single-precision registers are halves of others, by which two numbers are loaded at once
/// - HEADSTRONG_FPV5: the floating-point unit of a Cortex-M with maximum and select
/// - HEADSTRONG_SIMD: vectors that keep the exactness contract (fused, IEEE division)
/// - HEADSTRONG_AVX512: those of AVX-512
///
/// And HEADSTRONG_TARGET, a name for the instruction set: the inline namespace of what computes.

// clang-format off: it would tear the sentences
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
// clang-format on

/// The most bytes that a call without caller-owned scratch memory may put on the stack: 128 KiB, if not defined before.
#ifndef HEADSTRONG_MAX_STACK_BYTES
#define HEADSTRONG_MAX_STACK_BYTES 131072
#endif

/// 1, if defined so before, has kernels compute by the vectors of Helium (Cortex-M55, M85), which flush denormal numbers to
/// zero whatever the mode of the processor is: the bits are those of everywhere else as README says of flush-to-zero modes. 0
/// otherwise; the compiler should then leave these vectors alone too (-mcpu=cortex-m55+nomve.fp).
#ifndef HEADSTRONG_HELIUM
#define HEADSTRONG_HELIUM 0
#endif

/// 0, if defined so before, has a Cortex-M with a floating-point unit compute by portable C++ alone, as RISC-V and Armv7-A do:
/// the same bits by some 30 % more instructions, without assembly. 1 otherwise.
#ifndef HEADSTRONG_ASSEMBLY
#define HEADSTRONG_ASSEMBLY 1
#endif

/// Inlines a function or, written behind its parameter list, a lambda, at every optimisation level.
#define HEADSTRONG_INLINE __attribute__((always_inline))

/// @cond what the list above says, and how kernels are inlined

// A kernel is a function of its own into which all steps that it calls are inlined, however deep. GCC does that from the
// kernel's end and compiles each step once, where always_inline would carry its code from level to level (half of the time to
// compile a layer). Clang's flatten reaches one level only. Without optimisation steps are functions.
#if !defined(__clang__)
#define HEADSTRONG_KERNEL __attribute__((flatten))
#define HEADSTRONG_STEP
#elif defined(__OPTIMIZE__)
#define HEADSTRONG_KERNEL
#define HEADSTRONG_STEP HEADSTRONG_INLINE
#else
#define HEADSTRONG_KERNEL
#define HEADSTRONG_STEP
#endif

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

// A square root in hardware that the library knows how to call.
#if defined(__SSE2__) || defined(__aarch64__)
#define HEADSTRONG_SQRT_FLOAT 1
#define HEADSTRONG_SQRT_DOUBLE 1
#elif defined(__arm__)
#define HEADSTRONG_SQRT_FLOAT HEADSTRONG_FMA_FLOAT
#define HEADSTRONG_SQRT_DOUBLE HEADSTRONG_FMA_DOUBLE
#else
#define HEADSTRONG_SQRT_FLOAT 0
#define HEADSTRONG_SQRT_DOUBLE 0
#endif

// The software sum of GCC's libgcc for Arm loses what decides the last place where 1 meets a number below 2^-32: 1 - 2^-33.2
// errs.
#if defined(__arm__) && !HEADSTRONG_FMA_DOUBLE
#define HEADSTRONG_EXACT_DOUBLE_SUM 0
#else
#define HEADSTRONG_EXACT_DOUBLE_SUM 1
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

// A Cortex-M with single-precision registers, for which kernel/cortex_m/ has the multiply kernel in assembly.
#if defined(__thumb2__) && __ARM_ARCH_PROFILE == 'M' && HEADSTRONG_FMA_FLOAT && HEADSTRONG_ASSEMBLY
#define HEADSTRONG_CORTEX_M 1
#else
#define HEADSTRONG_CORTEX_M 0
#endif

// clang-format off
#if HEADSTRONG_HELIUM && (!HEADSTRONG_CORTEX_M || !(__ARM_FEATURE_MVE & 2))
#error "headstrong needs the vectors of Helium for float where HEADSTRONG_HELIUM is 1: compile with -mcpu=cortex-m55 \
-mfloat-abi=hard, or leave it undefined"
#endif
// clang-format on

// A kernel whose sums fill the registers. Where single numbers do so, it is no part of its caller, for whose numbers GCC 12
// would take sums to memory.
#if HEADSTRONG_SIMD || HEADSTRONG_CORTEX_M
#define HEADSTRONG_LARGE_KERNEL HEADSTRONG_KERNEL
#else
#define HEADSTRONG_LARGE_KERNEL __attribute__((noinline)) HEADSTRONG_KERNEL
#endif

// GCC for Arm, whose single-precision registers are halves of double-precision ones: one instruction loads two numbers, if the
// compiler is shown how (load_pairs of lanes/portable.hpp). Not tried with Clang.
#if defined(__arm__) && !defined(__clang__) && HEADSTRONG_FMA_FLOAT && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define HEADSTRONG_PAIRS 1
#else
#define HEADSTRONG_PAIRS 0
#endif

// The floating-point unit of Cortex-M7, M33 and M55, with its maximum and select. (A Cortex-M7 without double is taken for a
// Cortex-M4: no macro tells.)
#if __ARM_ARCH_PROFILE == 'M' && HEADSTRONG_FMA_FLOAT && ((__ARM_FP & 8) || __ARM_ARCH >= 8)
#define HEADSTRONG_FPV5 1
#else
#define HEADSTRONG_FPV5 0
#endif

// The name of the instruction set has a digit for each feature that changes the code of a plain loop: 1 for a macro that
// is 1 (MVE: or 3), 0 for one that is something else or unknown.
#define HEADSTRONG_IS_1 0, 1
#define HEADSTRONG_IS_3 0, 1
#define HEADSTRONG_SECOND(first, second, ...) second
#define HEADSTRONG_SECOND_OF(...) HEADSTRONG_SECOND(__VA_ARGS__, 0, 0)
#define HEADSTRONG_DIGIT_OF(value) HEADSTRONG_SECOND_OF(HEADSTRONG_IS_##value)
#define HEADSTRONG_DIGIT(macro) HEADSTRONG_DIGIT_OF(macro)
#define HEADSTRONG_JOIN_VALUES(name, a, b, c, d) name##_##a##b##c##d
#define HEADSTRONG_JOIN(name, a, b, c, d) HEADSTRONG_JOIN_VALUES(name, a, b, c, d)
#define HEADSTRONG_WITH(name, a, b, c, d) \
    HEADSTRONG_JOIN(name, HEADSTRONG_DIGIT(a), HEADSTRONG_DIGIT(b), HEADSTRONG_DIGIT(c), HEADSTRONG_DIGIT(d))

#if defined(__x86_64__) || defined(__i386__)
#define HEADSTRONG_X86_1 HEADSTRONG_WITH(x86, __SSE2__, __SSE3__, __SSSE3__, __SSE4_1__)
#define HEADSTRONG_X86_2 HEADSTRONG_WITH(HEADSTRONG_X86_1, __SSE4_2__, __POPCNT__, __LZCNT__, __MOVBE__)
#define HEADSTRONG_X86_3 HEADSTRONG_WITH(HEADSTRONG_X86_2, __AVX__, __AVX2__, __FMA__, __F16C__)
#define HEADSTRONG_X86_4 HEADSTRONG_WITH(HEADSTRONG_X86_3, __BMI__, __BMI2__, __AVX512F__, HEADSTRONG_AVX512)
#define HEADSTRONG_TARGET HEADSTRONG_WITH(HEADSTRONG_X86_4, __AVX512VBMI__, __AVX512FP16__, __AVXVNNI__, __APX_F__)
#else
#if HEADSTRONG_HELIUM
#define HEADSTRONG_FAMILY helium
#elif HEADSTRONG_CORTEX_M
#define HEADSTRONG_FAMILY cortex_m
#else
#define HEADSTRONG_FAMILY other
#endif
#define HEADSTRONG_OTHER HEADSTRONG_WITH(HEADSTRONG_FAMILY, __ARM_NEON, HEADSTRONG_FPV5, __ARM_FEATURE_MVE, __ARM_FEATURE_SVE)
#define HEADSTRONG_TARGET \
    HEADSTRONG_WITH(HEADSTRONG_OTHER, HEADSTRONG_FMA_FLOAT, HEADSTRONG_FMA_DOUBLE, __ARM_FEATURE_DSP, __riscv_vector)
#endif

/// @endcond

// Every function that computes lies in this namespace, or has native_target as a template argument, so that one program may
// hold builds for several processors side by side: without it the linker would keep one copy of each function, and an
// older processor would meet an illegal instruction. What is stored (matrices, weights, workspaces) never depends on it.
namespace headstrong::inline HEADSTRONG_TARGET {

/// Stands for the instruction set that this translation unit is compiled for.
struct native_target {};

}  // namespace headstrong::inline HEADSTRONG_TARGET

#endif
