// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_HELIUM_LANE_TILES_HPP
#define HEADSTRONG_KERNEL_HELIUM_LANE_TILES_HPP
/// @file
/// kernel/cortex_m/lane_tiles.hpp by the vectors of Helium; only where HEADSTRONG_HELIUM is 1.

#include "headstrong/kernel/helium/operands.hpp"

#if HEADSTRONG_HELIUM

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// 4 lanes by 4 columns, at least one such tile after another; columns of A and of C are neighbours, and so are the numbers of
/// a column of B.
[[gnu::noinline]] inline void lanes_tiles_4x4(const tile_operands& operands) noexcept
{
    register const void* x asm("r0") = &operands;
    // clang-format off
    /// Four links, A in q4 ... q7, for a column.
#define HEADSTRONG_FOUR_LINKS(c, b) \
    "ldmia " #b "!, {r0, r3, r4, r5}\n\t" \
    HEADSTRONG_VFMA(c, 4, r0) HEADSTRONG_VFMA(c, 5, r3) HEADSTRONG_VFMA(c, 6, r4) HEADSTRONG_VFMA(c, 7, r5)
    asm volatile("ldmia r0, {r1-r6, r8, r10-r12}\n\t"
                 "and r10, r5, #3\n\t"
                 "lsrs r5, r5, #2\n"
                 "1:\n\t"
                 "vmov.i32 q0, #0\n\t"
                 "vmov.i32 q1, #0\n\t"
                 "vmov.i32 q2, #0\n\t"
                 "vmov.i32 q3, #0\n\t"
                 "push {r1-r6, r8, r10}\n\t"
                 "add r10, r2, r8\n\t"  // r10, r11, r12: the other columns of B
                 "add r11, r10, r8\n\t"
                 "add r12, r11, r8\n\t"
                 "wls lr, r5, 3f\n"
                 "2:\n\t"
                 "vldrw.32 q4, [r1], #16\n\t"
                 "vldrw.32 q5, [r1], #16\n\t"
                 "vldrw.32 q6, [r1], #16\n\t"
                 "vldrw.32 q7, [r1], #16\n\t"
                 HEADSTRONG_FOUR_LINKS(0, r2) HEADSTRONG_FOUR_LINKS(1, r10) HEADSTRONG_FOUR_LINKS(2, r11) HEADSTRONG_FOUR_LINKS(3, r12)
                 "le lr, 2b\n"
                 "3:\n\t"
                 "ldr r0, [sp, #28]\n\t"  // links that are left
                 "wls lr, r0, 5f\n"
                 "4:\n\t"
                 "vldrw.32 q4, [r1], #16\n\t"
                 "ldr r3, [r2], #4\n\t"
                 "ldr r4, [r10], #4\n\t"
                 "ldr r5, [r11], #4\n\t"
                 "ldr r6, [r12], #4\n\t"
                 HEADSTRONG_VFMA(0, 4, r3) HEADSTRONG_VFMA(1, 4, r4) HEADSTRONG_VFMA(2, 4, r5) HEADSTRONG_VFMA(3, 4, r6)
                 "le lr, 4b\n"
                 "5:\n\t"
                 "pop {r1-r6, r8, r10}\n\t"
                 "cbz r6, 6f\n\t"
                 "vldrw.32 q4, [r3]\n\t"
                 "vldrw.32 q5, [r3, #16]\n\t"
                 "vldrw.32 q6, [r3, #32]\n\t"
                 "vldrw.32 q7, [r3, #48]\n\t"
                 HEADSTRONG_VADD(0, 4) HEADSTRONG_VADD(1, 5) HEADSTRONG_VADD(2, 6) HEADSTRONG_VADD(3, 7)
                 "6:\n\t"
                 "vstrw.32 q0, [r3], #16\n\t"
                 "vstrw.32 q1, [r3], #16\n\t"
                 "vstrw.32 q2, [r3], #16\n\t"
                 "vstrw.32 q3, [r3], #16\n\t"
                 "add r2, r2, r8, lsl #2\n\t"
                 "subs r4, r4, #1\n\t"
                 "bne 1b\n"
                 : "+r"(x)
                 :
                 : HEADSTRONG_ALL_REGISTERS);
#undef HEADSTRONG_FOUR_LINKS
    // clang-format on
}

// clang-format off
/// 4 lanes by some columns, at least one such tile after another, where the numbers of a row of B are neighbours: `link`(a)
/// adds the products of one row to sums that `clear` makes, `add` adds what C holds to them, `scale` multiplies them by q6.
#define HEADSTRONG_TILES_OF_ROWS(clear, link, add, scale, store, bytes) \
    "ldmia r0, {r1-r6, r8, r10-r12}\n\t" \
    "and r12, r5, #1\n\t" \
    "lsrs r5, r5, #1\n\t" \
    "cmp r11, #0\n\t" \
    "it ne\n\t" \
    "orrne r6, r6, #2\n" \
    "1:\n\t" \
    clear \
    "push {r1-r6}\n\t" \
    "wls lr, r5, 3f\n" \
    "2:\n\t" \
    link(6) link(7) \
    "le lr, 2b\n" \
    "3:\n\t" \
    "wls lr, r12, 4f\n\t" \
    link(6) \
    "4:\n\t" \
    "pop {r1-r6}\n\t" \
    "lsls r0, r6, #31\n\t"  /* negative: add, carry: factors */ \
    "bpl 5f\n\t" \
    add \
    "5:\n\t" \
    "bcc 6f\n\t" \
    "vldrw.32 q6, [r11]\n\t" \
    "mov r0, #0\n\t" \
    scale \
    "6:\n\t" \
    store \
    "add r2, r2, #" bytes "\n\t" \
    "subs r4, r4, #1\n\t" \
    "bne 1b\n"
/// sum = sum q6 + 0
#define HEADSTRONG_SCALE(sum) "vfmas.f32 q" #sum ", q6, r0\n\t"
#define HEADSTRONG_ADD_C(sum, bytes) "vldrw.32 q7, [r3, #" #bytes "]\n\t" HEADSTRONG_VADD(sum, 7)
#define HEADSTRONG_CLEAR(sum) "vmov.i32 q" #sum ", #0\n\t"
#define HEADSTRONG_STORE(sum) "vstrw.32 q" #sum ", [r3], #16\n\t"
// clang-format on

/// Such tiles of 4 columns; columns of A and of C are neighbours. If factors are given, what is stored is the product of the
/// sums and these four.
[[gnu::noinline]] inline void lanes_tiles_4x4_of_rows(const tile_operands& operands) noexcept
{
    register const void* x asm("r0") = &operands;
    // clang-format off
#define HEADSTRONG_LINK_4X4_OF_ROWS(a) \
    "ldmia r2, {r0, r3, r4, r6}\n\t" "vldrw.32 q" #a ", [r1], #16\n\t" "add r2, r2, r8\n\t" \
    HEADSTRONG_VFMA(0, a, r0) HEADSTRONG_VFMA(1, a, r3) HEADSTRONG_VFMA(2, a, r4) HEADSTRONG_VFMA(3, a, r6)
    asm volatile(HEADSTRONG_TILES_OF_ROWS(
                     HEADSTRONG_CLEAR(0) HEADSTRONG_CLEAR(1) HEADSTRONG_CLEAR(2) HEADSTRONG_CLEAR(3),
                     HEADSTRONG_LINK_4X4_OF_ROWS,
                     HEADSTRONG_ADD_C(0, 0) HEADSTRONG_ADD_C(1, 16) HEADSTRONG_ADD_C(2, 32) HEADSTRONG_ADD_C(3, 48),
                     HEADSTRONG_SCALE(0) HEADSTRONG_SCALE(1) HEADSTRONG_SCALE(2) HEADSTRONG_SCALE(3),
                     HEADSTRONG_STORE(0) HEADSTRONG_STORE(1) HEADSTRONG_STORE(2) HEADSTRONG_STORE(3), "16")
                 : "+r"(x)
                 :
                 : HEADSTRONG_ALL_REGISTERS);
#undef HEADSTRONG_LINK_4X4_OF_ROWS
    // clang-format on
}

/// The same of 2 columns: for small heads, and what is left.
[[gnu::noinline]] inline void lanes_tile_4x2_of_rows(const tile_operands& operands) noexcept
{
    register const void* x asm("r0") = &operands;
    // clang-format off
#define HEADSTRONG_LINK_4X2(a) \
    "ldrd r0, r3, [r2]\n\t" "vldrw.32 q" #a ", [r1], #16\n\t" "add r2, r2, r8\n\t" \
    HEADSTRONG_VFMA(0, a, r0) HEADSTRONG_VFMA(1, a, r3)
    asm volatile(HEADSTRONG_TILES_OF_ROWS(HEADSTRONG_CLEAR(0) HEADSTRONG_CLEAR(1),
                                          HEADSTRONG_LINK_4X2,
                                          HEADSTRONG_ADD_C(0, 0) HEADSTRONG_ADD_C(1, 16),
                                          HEADSTRONG_SCALE(0) HEADSTRONG_SCALE(1),
                                          HEADSTRONG_STORE(0) HEADSTRONG_STORE(1),
                                          "8")
                 : "+r"(x)
                 :
                 : HEADSTRONG_ALL_REGISTERS);
#undef HEADSTRONG_LINK_4X2
    // clang-format on
}

#undef HEADSTRONG_TILES_OF_ROWS
#undef HEADSTRONG_CLEAR
#undef HEADSTRONG_STORE

/// What larger tiles leave: 4 lanes by 1 column, of any A and B. The place of c_column holds that of A.
[[gnu::noinline]] inline void tile_4x1(const tile_operands& operands) noexcept
{
    register const void* x asm("r0") = &operands;
    // clang-format off
    asm volatile("ldmia r0, {r1-r6, r8, r10-r12}\n\t"
                 "vldrw.32 q0, [r10]\n\t"
                 "dls lr, r5\n"
                 "1:\n\t"
                 "ldr r0, [r2]\n\t"
                 "vldrw.32 q4, [r1]\n\t"
                 "add r1, r1, r12\n\t"
                 "add r2, r2, r8\n\t"
                 HEADSTRONG_VFMA(0, 4, r0)
                 "le lr, 1b\n\t"
                 "cbz r6, 2f\n\t"
                 HEADSTRONG_ADD_C(0, 0)
                 "2:\n\t"
                 "cmp r11, #0\n\t"
                 "beq 3f\n\t"
                 "vldrw.32 q6, [r11]\n\t"
                 "mov r0, #0\n\t"
                 HEADSTRONG_SCALE(0)
                 "3:\n\t"
                 "vstrw.32 q0, [r3]\n"
                 : "+r"(x)
                 :
                 : HEADSTRONG_ALL_REGISTERS);
    // clang-format on
}

#undef HEADSTRONG_SCALE
#undef HEADSTRONG_ADD_C

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif  // HEADSTRONG_HELIUM
#endif
