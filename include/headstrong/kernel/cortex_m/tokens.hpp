// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_CORTEX_M_TOKENS_HPP
#define HEADSTRONG_KERNEL_CORTEX_M_TOKENS_HPP
/// @file
/// Loops over single tokens beside the tiles: the sum of the values of a cache, and queries into lanes; only where
/// HEADSTRONG_CORTEX_M is 1 and HEADSTRONG_HELIUM is not.

#include "headstrong/kernel/cortex_m/operands.hpp"

#if HEADSTRONG_CORTEX_M && !HEADSTRONG_HELIUM

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// What sum_two_parts works on, loaded into r1 ... r6, r8, r10 in this order.
struct two_parts {
    const float* v0;
    const float* v1;
    const float* p0;
    const float* p1;
    std::size_t links;   ///< of a chain, at least one
    std::size_t v_step;  ///< bytes from key to key
    std::size_t add;     ///< whether the sums are added to what is there
    float* sums;
};

/// Two parts of 8 numbers of the outputs of one query: sums[i] = sum_j v0(i, j) p0[j], and sums[8 + i] the same of v1 and p1.
[[gnu::noinline]] inline void sum_two_parts(const two_parts& operands) noexcept
{
    register const void* x asm("r0") = &operands;
    // clang-format off
    asm volatile("ldmia r0, {r1-r6, r8, r10}\n\t"
                 "mov r0, #0\n\t"
                 "vmov s16, s17, r0, r0\n\t" "vmov s18, s19, r0, r0\n\t" "vmov s20, s21, r0, r0\n\t" "vmov s22, s23, r0, r0\n\t"
                 "vmov s24, s25, r0, r0\n\t" "vmov s26, s27, r0, r0\n\t" "vmov s28, s29, r0, r0\n\t" "vmov s30, s31, r0, r0\n"
                 "1:\n\t"
                 "vldmia r1, {s0-s7}\n\t"
                 "vldmia r3!, {s8}\n\t"
                 "add r1, r1, r6\n\t"
                 HEADSTRONG_FMA_4(16, 17, 18, 19, 0, 1, 2, 3, 8) HEADSTRONG_FMA_4(20, 21, 22, 23, 4, 5, 6, 7, 8)
                 "vldmia r2, {s0-s7}\n\t"
                 "vldmia r4!, {s8}\n\t"
                 "add r2, r2, r6\n\t"
                 HEADSTRONG_FMA_4(24, 25, 26, 27, 0, 1, 2, 3, 8) HEADSTRONG_FMA_4(28, 29, 30, 31, 4, 5, 6, 7, 8)
                 "subs r5, r5, #1\n\t"
                 "bne 1b\n\t"
                 "cmp r8, #0\n\t"
                 "beq 2f\n\t"
                 "vldmia r10, {s0-s15}\n\t"
                 HEADSTRONG_ADD_16
                 "2:\n\t"
                 "vstmia r10, {s16-s31}\n"
                 : "+r"(x)
                 :
                 : HEADSTRONG_ALL_REGISTERS);
    // clang-format on
}

/// What scale_tokens works on, loaded into r1 ... r6 in this order.
struct four_tokens {
    const float* token[4];
    float* lanes;
    std::size_t rows;  ///< at least one
};

/// lanes[4 r + i] = token[i][r] factor.
[[gnu::noinline]] inline void scale_tokens(const four_tokens& operands, float factor) noexcept
{
    register const void* x asm("r0") = &operands;
    register float by asm("s20") = factor;
    // clang-format off
#define HEADSTRONG_SCALE(to, from) "vmul.f32 s" #to ", s" #from ", s20\n\t"
    asm volatile("ldmia r0, {r1-r6}\n\t"
                 "lsrs r0, r6, #2\n\t"
                 "beq 2f\n"
                 "1:\n\t"
                 "vldmia r1!, {s0-s3}\n\t"
                 "vldmia r2!, {s4-s7}\n\t"
                 "vldmia r3!, {s8-s11}\n\t"
                 "vldmia r4!, {s12-s15}\n\t"
                 HEADSTRONG_SCALE(16, 0) HEADSTRONG_SCALE(17, 4) HEADSTRONG_SCALE(18, 8) HEADSTRONG_SCALE(19, 12)
                 "vstmia r5!, {s16-s19}\n\t"
                 HEADSTRONG_SCALE(16, 1) HEADSTRONG_SCALE(17, 5) HEADSTRONG_SCALE(18, 9) HEADSTRONG_SCALE(19, 13)
                 "vstmia r5!, {s16-s19}\n\t"
                 HEADSTRONG_SCALE(16, 2) HEADSTRONG_SCALE(17, 6) HEADSTRONG_SCALE(18, 10) HEADSTRONG_SCALE(19, 14)
                 "vstmia r5!, {s16-s19}\n\t"
                 HEADSTRONG_SCALE(16, 3) HEADSTRONG_SCALE(17, 7) HEADSTRONG_SCALE(18, 11) HEADSTRONG_SCALE(19, 15)
                 "vstmia r5!, {s16-s19}\n\t"
                 "subs r0, r0, #1\n\t"
                 "bne 1b\n"
                 "2:\n\t"
                 "ands r6, r6, #3\n\t"
                 "beq 4f\n"
                 "3:\n\t"
                 "vldmia r1!, {s0}\n\t"
                 "vldmia r2!, {s4}\n\t"
                 "vldmia r3!, {s8}\n\t"
                 "vldmia r4!, {s12}\n\t"
                 HEADSTRONG_SCALE(16, 0) HEADSTRONG_SCALE(17, 4) HEADSTRONG_SCALE(18, 8) HEADSTRONG_SCALE(19, 12)
                 "vstmia r5!, {s16-s19}\n\t"
                 "subs r6, r6, #1\n\t"
                 "bne 3b\n"
                 "4:\n"
                 : "+r"(x), "+t"(by)
                 :
                 : "cc", "memory", "r1", "r2", "r3", "r4", "r5", "r6", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9",
                   "s10", "s11", "s12", "s13", "s14", "s15", "s16", "s17", "s18", "s19");
#undef HEADSTRONG_SCALE
    // clang-format on
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif  // HEADSTRONG_CORTEX_M && !HEADSTRONG_HELIUM
#endif
