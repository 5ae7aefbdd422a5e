// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_HELIUM_TOKENS_HPP
#define HEADSTRONG_KERNEL_HELIUM_TOKENS_HPP
/// @file
/// kernel/cortex_m/tokens.hpp by the vectors of Helium; only where HEADSTRONG_HELIUM is 1.

#include "headstrong/kernel/helium/operands.hpp"

#if HEADSTRONG_HELIUM

#include <cstddef>
#include <cstdint>

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
                 "vmov.i32 q0, #0\n\t"
                 "vmov.i32 q1, #0\n\t"
                 "vmov.i32 q2, #0\n\t"
                 "vmov.i32 q3, #0\n\t"
                 "dls lr, r5\n"
                 "1:\n\t"
                 "ldr r0, [r3], #4\n\t"
                 "ldr r5, [r4], #4\n\t"
                 "vldrw.32 q4, [r1]\n\t"
                 HEADSTRONG_VFMA(0, 4, r0)
                 "vldrw.32 q5, [r1, #16]\n\t"
                 HEADSTRONG_VFMA(1, 5, r0)
                 "vldrw.32 q6, [r2]\n\t"
                 HEADSTRONG_VFMA(2, 6, r5)
                 "vldrw.32 q7, [r2, #16]\n\t"
                 HEADSTRONG_VFMA(3, 7, r5)
                 "add r1, r1, r6\n\t"
                 "add r2, r2, r6\n\t"
                 "le lr, 1b\n\t"
                 "cmp r8, #0\n\t"
                 "beq 2f\n\t"
                 "vldrw.32 q4, [r10]\n\t"
                 "vldrw.32 q5, [r10, #16]\n\t"
                 "vldrw.32 q6, [r10, #32]\n\t"
                 "vldrw.32 q7, [r10, #48]\n\t"
                 HEADSTRONG_VADD(0, 4) HEADSTRONG_VADD(1, 5) HEADSTRONG_VADD(2, 6) HEADSTRONG_VADD(3, 7)
                 "2:\n\t"
                 "vstrw.32 q0, [r10]\n\t"
                 "vstrw.32 q1, [r10, #16]\n\t"
                 "vstrw.32 q2, [r10, #32]\n\t"
                 "vstrw.32 q3, [r10, #48]\n"
                 : "+r"(x)
                 :
                 : HEADSTRONG_ALL_REGISTERS);
    // clang-format on
}

/// What scale_tokens works on.
struct four_tokens {
    const float* token[4];
    float* lanes;
    std::size_t rows;  ///< at least one
};

/// lanes[4 r + i] = token[i][r] factor.
[[gnu::noinline]] inline void scale_tokens(const four_tokens& operands, float factor) noexcept
{
    register const void* x asm("r0") = &operands;
    register std::uint32_t by asm("r1") = __builtin_bit_cast(std::uint32_t, factor);
    // clang-format off
    asm volatile("ldrd r2, r3, [r0, #16]\n\t"
                 "vldrw.32 q0, [r0]\n\t"  // where the four numbers of a row lie, less what is added before a load
                 "mov r0, #4\n\t"
                 "vsub.i32 q0, q0, r0\n\t"
                 "dls lr, r3\n"
                 "1:\n\t"
                 "vldrw.u32 q1, [q0, #4]!\n\t"
                 "vmul.f32 q1, q1, r1\n\t"
                 "vstrw.32 q1, [r2], #16\n\t"
                 "le lr, 1b\n"
                 : "+r"(x), "+r"(by)
                 :
                 : "memory", "r2", "r3", "lr", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7");
    // clang-format on
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif  // HEADSTRONG_HELIUM
#endif
