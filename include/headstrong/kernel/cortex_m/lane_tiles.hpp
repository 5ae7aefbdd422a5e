// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_CORTEX_M_LANE_TILES_HPP
#define HEADSTRONG_KERNEL_CORTEX_M_LANE_TILES_HPP
/// @file
/// Register tiles for A in lanes, queries or weights of keys: scores and sums of values; only where HEADSTRONG_CORTEX_M is 1
/// and HEADSTRONG_HELIUM is not.

#include "headstrong/kernel/cortex_m/operands.hpp"

#if HEADSTRONG_CORTEX_M && !HEADSTRONG_HELIUM

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// 4 lanes by 4 columns, at least one such tile after another; columns of A and of C are neighbours, and so are the numbers of
/// a column of B.
[[gnu::noinline]] inline void lanes_tiles_4x4(const tile_operands& operands) noexcept
{
    register const void* x asm("r0") = &operands;
    // clang-format off
    asm volatile("ldmia r0, {r1-r6, r8, r10-r12}\n"  // r11, r12, lr: the other columns of B; r0: links that are left
                 "1:\n\t"
                 "add r11, r2, r8\n\t"
                 "add r12, r11, r8\n\t"
                 "add lr, r12, r8\n\t"
                 "vldmia r10, {s16-s31}\n\t"
                 "lsrs r0, r5, #1\n\t"
                 "beq 3f\n"
                 "2:\n\t"
                 "vldmia r1!, {s0-s7}\n\t"
                 "vldmia r2!, {s8-s9}\n\t"
                 "vldmia r11!, {s10-s11}\n\t"
                 "vldmia r12!, {s12-s13}\n\t"
                 "vldmia lr!, {s14-s15}\n\t"
                 HEADSTRONG_LINK_4X4(0, 1, 2, 3, 8, 10, 12, 14) HEADSTRONG_LINK_4X4(4, 5, 6, 7, 9, 11, 13, 15)
                 "subs r0, r0, #1\n\t"
                 "bne 2b\n"
                 "3:\n\t"
                 "tst r5, #1\n\t"
                 "beq 4f\n\t"
                 "vldmia r1!, {s0-s3}\n\t"
                 "vldr s8, [r2]\n\t"
                 "vldr s9, [r11]\n\t"
                 "vldr s10, [r12]\n\t"
                 "vldmia lr!, {s11}\n\t"
                 HEADSTRONG_LINK_4X4(0, 1, 2, 3, 8, 9, 10, 11)
                 "4:\n\t"
                 "cbz r6, 5f\n\t"
                 "vldmia r3, {s0-s15}\n\t"
                 HEADSTRONG_ADD_16
                 "5:\n\t"
                 "vstmia r3!, {s16-s31}\n\t"
                 "sub r1, r1, r5, lsl #4\n\t"
                 "sub r2, lr, r5, lsl #2\n\t"
                 "add r2, r2, r8\n\t"
                 "subs r4, r4, #1\n\t"
                 "bne 1b\n"
                 : "+r"(x)
                 :
                 : HEADSTRONG_ALL_REGISTERS);
    // clang-format on
}

/// The same where the numbers of a row of B are neighbours. If factors are given, what is stored is the product of the sums
/// and these four.
[[gnu::noinline]] inline void lanes_tiles_4x4_of_rows(const tile_operands& operands) noexcept
{
    register const void* x asm("r0") = &operands;
    // clang-format off
    asm volatile("ldmia r0, {r1-r6, r8, r10-r12}\n"  // r12: the place in B; r0: links that are left
                 "1:\n\t"
                 "mov r12, r2\n\t"
                 "vldmia r10, {s16-s31}\n\t"
                 "lsrs r0, r5, #1\n\t"
                 "beq 3f\n"
                 "2:\n\t"
                 "vldmia r1!, {s0-s7}\n\t"
                 "vldmia r12, {s8-s11}\n\t"
                 "add r12, r12, r8\n\t"
                 "vldmia r12, {s12-s15}\n\t"
                 "add r12, r12, r8\n\t"
                 HEADSTRONG_LINK_4X4(0, 1, 2, 3, 8, 9, 10, 11) HEADSTRONG_LINK_4X4(4, 5, 6, 7, 12, 13, 14, 15)
                 "subs r0, r0, #1\n\t"
                 "bne 2b\n"
                 "3:\n\t"
                 "tst r5, #1\n\t"
                 "beq 4f\n\t"
                 "vldmia r1!, {s0-s3}\n\t"
                 "vldmia r12, {s8-s11}\n\t"
                 HEADSTRONG_LINK_4X4(0, 1, 2, 3, 8, 9, 10, 11)
                 "4:\n\t"
                 "cbz r6, 5f\n\t"
                 "vldmia r3, {s0-s15}\n\t"
                 HEADSTRONG_ADD_16
                 "5:\n\t"
                 "cmp r11, #0\n\t"
                 "beq 6f\n\t"
                 "vldmia r11, {s0-s3}\n\t"
                 "vldmia r10, {s8-s15}\n\t"
                 HEADSTRONG_PRODUCTS(8, 9, 10, 11, 16, 17, 18, 19) HEADSTRONG_PRODUCTS(12, 13, 14, 15, 20, 21, 22, 23)
                 "vldmia r10, {s16-s23}\n\t"
                 HEADSTRONG_PRODUCTS(16, 17, 18, 19, 24, 25, 26, 27) HEADSTRONG_PRODUCTS(20, 21, 22, 23, 28, 29, 30, 31)
                 "vstmia r3!, {s8-s23}\n\t"
                 "b 7f\n"
                 "6:\n\t"
                 "vstmia r3!, {s16-s31}\n"
                 "7:\n\t"
                 "sub r1, r1, r5, lsl #4\n\t"
                 "add r2, r2, #16\n\t"
                 "subs r4, r4, #1\n\t"
                 "bne 1b\n"
                 : "+r"(x)
                 :
                 : HEADSTRONG_ALL_REGISTERS);
    // clang-format on
}

/// One tile of 4 lanes by 2 columns, else the same: for small heads.
[[gnu::noinline]] inline void lanes_tile_4x2_of_rows(const tile_operands& operands) noexcept
{
    register const void* x asm("r0") = &operands;
    // clang-format off
#define HEADSTRONG_LINK_4X2(a0, a1, a2, a3, b0, b1) \
    HEADSTRONG_FMA_4(16, 17, 18, 19, a0, a1, a2, a3, b0) HEADSTRONG_FMA_4(20, 21, 22, 23, a0, a1, a2, a3, b1)
    asm volatile("ldmia r0, {r1-r6, r8, r10-r12}\n\t"  // r0: links that are left
                 "vldmia r10, {s16-s23}\n\t"
                 "lsrs r0, r5, #1\n\t"
                 "beq 2f\n"
                 "1:\n\t"
                 "vldmia r1!, {s0-s7}\n\t"
                 "vldmia r2, {s8-s9}\n\t"
                 "add r2, r2, r8\n\t"
                 "vldmia r2, {s10-s11}\n\t"
                 "add r2, r2, r8\n\t"
                 HEADSTRONG_LINK_4X2(0, 1, 2, 3, 8, 9) HEADSTRONG_LINK_4X2(4, 5, 6, 7, 10, 11)
                 "subs r0, r0, #1\n\t"
                 "bne 1b\n"
                 "2:\n\t"
                 "tst r5, #1\n\t"
                 "beq 3f\n\t"
                 "vldmia r1, {s0-s3}\n\t"
                 "vldmia r2, {s8-s9}\n\t"
                 HEADSTRONG_LINK_4X2(0, 1, 2, 3, 8, 9)
                 "3:\n\t"
                 "cbz r6, 4f\n\t"
                 "vldmia r3, {s0-s7}\n\t"
                 HEADSTRONG_ADD(16, 0) HEADSTRONG_ADD(17, 1) HEADSTRONG_ADD(18, 2) HEADSTRONG_ADD(19, 3)
                 HEADSTRONG_ADD(20, 4) HEADSTRONG_ADD(21, 5) HEADSTRONG_ADD(22, 6) HEADSTRONG_ADD(23, 7)
                 "4:\n\t"
                 "cmp r11, #0\n\t"
                 "beq 5f\n\t"
                 "vldmia r11, {s0-s3}\n\t"
                 "vldmia r10, {s24-s31}\n\t"
                 HEADSTRONG_PRODUCTS(24, 25, 26, 27, 16, 17, 18, 19) HEADSTRONG_PRODUCTS(28, 29, 30, 31, 20, 21, 22, 23)
                 "vstmia r3, {s24-s31}\n\t"
                 "b 6f\n"
                 "5:\n\t"
                 "vstmia r3, {s16-s23}\n"
                 "6:\n"
                 : "+r"(x)
                 :
                 : HEADSTRONG_ALL_REGISTERS);
#undef HEADSTRONG_LINK_4X2
    // clang-format on
}

/// What larger tiles leave: 4 lanes by 1 column, of any A and B. The place of c_column holds that of A.
[[gnu::noinline]] inline void tile_4x1(const tile_operands& operands) noexcept
{
    register const void* x asm("r0") = &operands;
    // clang-format off
    asm volatile("ldmia r0, {r1-r6, r8, r10-r12}\n\t"
                 "vldmia r10, {s16-s19}\n"
                 "1:\n\t"
                 "vldmia r1, {s0-s3}\n\t"
                 "vldr s8, [r2]\n\t"
                 "add r1, r1, r12\n\t"
                 "add r2, r2, r8\n\t"
                 HEADSTRONG_FMA_4(16, 17, 18, 19, 0, 1, 2, 3, 8)
                 "subs r5, r5, #1\n\t"
                 "bne 1b\n\t"
                 "cbz r6, 2f\n\t"
                 "vldmia r3, {s0-s3}\n\t"
                 HEADSTRONG_ADD(16, 0) HEADSTRONG_ADD(17, 1) HEADSTRONG_ADD(18, 2) HEADSTRONG_ADD(19, 3)
                 "2:\n\t"
                 "cmp r11, #0\n\t"
                 "beq 3f\n\t"
                 "vldmia r11, {s0-s3}\n\t"
                 "mov r0, #0\n\t"
                 "vmov s20, s21, r0, r0\n\t"
                 "vmov s22, s23, r0, r0\n\t"
                 HEADSTRONG_FMA(20, 16, 0) HEADSTRONG_FMA(21, 17, 1) HEADSTRONG_FMA(22, 18, 2) HEADSTRONG_FMA(23, 19, 3)
                 "vstmia r3, {s20-s23}\n\t"
                 "b 4f\n"
                 "3:\n\t"
                 "vstmia r3, {s16-s19}\n"
                 "4:\n"
                 : "+r"(x)
                 :
                 : HEADSTRONG_ALL_REGISTERS);
    // clang-format on
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif  // HEADSTRONG_CORTEX_M && !HEADSTRONG_HELIUM
#endif
