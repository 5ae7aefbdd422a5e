// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_CORTEX_M_PACKED_TILES_HPP
#define HEADSTRONG_KERNEL_CORTEX_M_PACKED_TILES_HPP
/// @file
/// Register tiles for A in packed weights: projections of queries, keys, values and outputs; only where HEADSTRONG_CORTEX_M
/// is 1 and HEADSTRONG_HELIUM is not.

#include "headstrong/kernel/cortex_m/operands.hpp"

#if HEADSTRONG_CORTEX_M && !HEADSTRONG_HELIUM

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// 8 lanes by 2 columns, A packed weights: such tiles one after another for 8 lanes, then for those below, `eights` times in
/// all, at least once, one below the other in C and in the bias; a_step bytes from the second 8 lanes of a panel of 16 to the
/// first of the next. Numbers of a column of B are neighbours. A last column that has no neighbour is computed twice, which
/// costs less than more code.
[[gnu::noinline]] inline void multiply_packed_pairs(const packed_operands& operands, std::size_t a_step,
                                                    std::size_t eights) noexcept
{
    register const void* x asm("r0") = &operands;
    register std::size_t step asm("r1") = a_step;
    register std::size_t left asm("r2") = eights;
    // clang-format off
#define HEADSTRONG_PACKED_LINK_8X2(b0, b1) \
    "vldmia r1, {s0-s7}\n\t" "add r1, r1, #64\n\t" \
    HEADSTRONG_FMA_4(16, 17, 18, 19, 0, 1, 2, 3, b0) HEADSTRONG_FMA_4(20, 21, 22, 23, 4, 5, 6, 7, b0) \
    HEADSTRONG_FMA_4(24, 25, 26, 27, 0, 1, 2, 3, b1) HEADSTRONG_FMA_4(28, 29, 30, 31, 4, 5, 6, 7, b1)
#define HEADSTRONG_FOUR_LINKS_8X2 \
    "vldmia r2!, {s8-s11}\n\t" "vldmia lr!, {s12-s15}\n\t" \
    HEADSTRONG_PACKED_LINK_8X2(8, 12) HEADSTRONG_PACKED_LINK_8X2(9, 13) \
    HEADSTRONG_PACKED_LINK_8X2(10, 14) HEADSTRONG_PACKED_LINK_8X2(11, 15)
    asm volatile("push {r0-r2}\n\t"
                 "ldmia r0, {r1-r6, r8, r10-r12}\n\t"  // lr: the second column of B; r0: links that are left
                 "push {r3}\n"
                 "0:\n\t"
                 "subs r4, r4, #1\n\t"  // columns behind the next one
                 "beq 9f\n"
                 "1:\n\t"
                 "add lr, r2, r8\n\t"
                 "vldmia r10, {s16-s23}\n\t"
                 "vldmia r10, {s24-s31}\n\t"
                 "lsrs r0, r5, #3\n\t"
                 "beq 3f\n"
                 "2:\n\t"
                 HEADSTRONG_FOUR_LINKS_8X2 HEADSTRONG_FOUR_LINKS_8X2
                 "subs r0, r0, #1\n\t"
                 "bne 2b\n"
                 "3:\n\t"
                 "ands r0, r5, #7\n\t"
                 "beq 5f\n"
                 "4:\n\t"
                 "vldmia r2!, {s8}\n\t"
                 "vldmia lr!, {s12}\n\t"
                 HEADSTRONG_PACKED_LINK_8X2(8, 12)
                 "subs r0, r0, #1\n\t"
                 "bne 4b\n"
                 "5:\n\t"
                 "cbz r6, 6f\n\t"
                 "vldmia r3, {s0-s7}\n\t"
                 "add r0, r3, r12\n\t"
                 "vldmia r0, {s8-s15}\n\t"
                 HEADSTRONG_ADD_16
                 "6:\n\t"
                 "vstmia r3, {s16-s23}\n\t"
                 "add r3, r3, r12\n\t"
                 "vstmia r3, {s24-s31}\n\t"
                 "add r3, r3, r12\n\t"
                 "sub r1, r1, r5, lsl #6\n\t"
                 "sub r2, lr, r5, lsl #2\n\t"
                 "add r2, r2, r8\n\t"
                 HEADSTRONG_NEXT_TILE_8X2()
                 "8:\n\t"
                 "add sp, sp, #4\n\t"
                 "pop {r0-r2}\n"
                 : "+r"(x), "+r"(step), "+r"(left)
                 :
                 : "cc", "memory", "r3", "r4", "r5", "r6", "r8", "r10", "r11", "r12", "lr", HEADSTRONG_VECTOR_REGISTERS);
#undef HEADSTRONG_PACKED_LINK_8X2
#undef HEADSTRONG_FOUR_LINKS_8X2
    // clang-format on
}

/// 16 lanes by 1 column, A packed weights, at least one such tile below another; numbers of the column of B are neighbours. The
/// place of `columns` holds the tiles, that of b_stride the bytes from the end of a chain in A to the next panel of 16.
[[gnu::noinline]] inline void packed_tiles_16x1(const packed_operands& operands) noexcept
{
    register const void* x asm("r0") = &operands;
    // clang-format off
#define HEADSTRONG_PACKED_LINK_16X1(b) \
    "vldmia r1!, {s0-s7}\n\t" \
    HEADSTRONG_FMA_4(16, 17, 18, 19, 0, 1, 2, 3, b) HEADSTRONG_FMA_4(20, 21, 22, 23, 4, 5, 6, 7, b) \
    "vldmia r1!, {s0-s7}\n\t" \
    HEADSTRONG_FMA_4(24, 25, 26, 27, 0, 1, 2, 3, b) HEADSTRONG_FMA_4(28, 29, 30, 31, 4, 5, 6, 7, b)
    asm volatile("ldmia r0, {r1-r6, r8, r10-r12}\n"  // r0: links that are left
                 "1:\n\t"
                 "vldmia r10, {s16-s31}\n\t"
                 "add r10, r10, r11\n\t"
                 "lsrs r0, r5, #1\n\t"
                 "beq 3f\n"
                 "2:\n\t"
                 "vldmia r2!, {s8-s9}\n\t"
                 HEADSTRONG_PACKED_LINK_16X1(8) HEADSTRONG_PACKED_LINK_16X1(9)
                 "subs r0, r0, #1\n\t"
                 "bne 2b\n"
                 "3:\n\t"
                 "tst r5, #1\n\t"
                 "beq 4f\n\t"
                 "vldmia r2!, {s8}\n\t"
                 HEADSTRONG_PACKED_LINK_16X1(8)
                 "4:\n\t"
                 "cbz r6, 5f\n\t"
                 "vldmia r3, {s0-s15}\n\t"
                 HEADSTRONG_ADD_16
                 "5:\n\t"
                 "vstmia r3!, {s16-s31}\n\t"
                 "add r1, r1, r8\n\t"
                 "sub r2, r2, r5, lsl #2\n\t"
                 "subs r4, r4, #1\n\t"
                 "bne 1b\n"
                 : "+r"(x)
                 :
                 : HEADSTRONG_ALL_REGISTERS);
#undef HEADSTRONG_PACKED_LINK_16X1
    // clang-format on
}

/// 4 lanes by some columns, at most four, A packed weights: tiles for `panels` panels of four lanes below each other, at least
/// one; a_step bytes from the end of 16 lanes to the next. B has four numbers a row and nothing between. Sums of columns that
/// it has not are stored in the first column of C, before those of that.
[[gnu::noinline]] inline void multiply_packed_fours(const packed_operands& operands, std::size_t a_step,
                                                    std::size_t panels) noexcept
{
    register const void* x asm("r0") = &operands;
    register std::size_t step asm("r1") = a_step;
    register std::size_t left asm("r2") = panels;
    // clang-format off
    asm volatile("push {r1, r2}\n\t"
                 "ldmia r0, {r1-r6, r8, r10-r12}\n\t"
                 "sub r11, r11, #64\n\t"
                 "push {r11}\n\t"  // from the end of 16 starts to the next
                 "add r8, r3, r12\n\t"  // r3, r8, r11, r12: the columns of C; r0: links that are left
                 "add r11, r8, r12\n\t"
                 "add r12, r11, r12\n\t"
                 "cmp r4, #3\n\t"
                 "it le\n\t"
                 "movle r12, r3\n\t"
                 "it lt\n\t"
                 "movlt r11, r3\n\t"
                 "cmp r4, #1\n\t"
                 "it eq\n\t"
                 "moveq r8, r3\n"
                 "0:\n\t"
                 "ldr r4, [sp, #8]\n\t"  // panels that are left: four at once
                 "cmp r4, #4\n\t"
                 "it hi\n\t"
                 "movhi r4, #4\n"
                 "1:\n\t"
                 "vldmia r10, {s16-s19}\n\t"
                 "vldmia r10, {s20-s23}\n\t"
                 "vldmia r10, {s24-s27}\n\t"
                 "vldmia r10!, {s28-s31}\n\t"
                 "lsrs r0, r5, #1\n\t"
                 "beq 3f\n"
                 "2:\n\t"
                 "vldmia r2!, {s8-s15}\n\t"
                 "vldmia r1, {s0-s3}\n\t"
                 "add r1, r1, #64\n\t"
                 "vldmia r1, {s4-s7}\n\t"
                 "add r1, r1, #64\n\t"
                 HEADSTRONG_LINK_4X4(0, 1, 2, 3, 8, 9, 10, 11) HEADSTRONG_LINK_4X4(4, 5, 6, 7, 12, 13, 14, 15)
                 "subs r0, r0, #1\n\t"
                 "bne 2b\n"
                 "3:\n\t"
                 "tst r5, #1\n\t"
                 "beq 4f\n\t"
                 "vldmia r2!, {s8-s11}\n\t"
                 "vldmia r1, {s0-s3}\n\t"
                 "add r1, r1, #64\n\t"
                 HEADSTRONG_LINK_4X4(0, 1, 2, 3, 8, 9, 10, 11)
                 "4:\n\t"
                 "cbz r6, 5f\n\t"
                 "vldmia r3, {s0-s3}\n\t"
                 "vldmia r8, {s4-s7}\n\t"
                 "vldmia r11, {s8-s11}\n\t"
                 "vldmia r12, {s12-s15}\n\t"
                 HEADSTRONG_ADD_16
                 "5:\n\t"
                 "vstmia r12!, {s28-s31}\n\t"
                 "vstmia r11!, {s24-s27}\n\t"
                 "vstmia r8!, {s20-s23}\n\t"
                 "vstmia r3!, {s16-s19}\n\t"
                 "sub r1, r1, r5, lsl #6\n\t"
                 "add r1, r1, #16\n\t"
                 "sub r2, r2, r5, lsl #4\n\t"
                 "subs r4, r4, #1\n\t"
                 "bne 1b\n\t"
                 "ldmia sp, {r0, r4, lr}\n\t"
                 "add r10, r10, r0\n\t"
                 "add r1, r1, r4\n\t"
                 "subs lr, lr, #4\n\t"
                 "str lr, [sp, #8]\n\t"
                 "bhi 0b\n\t"
                 "pop {r1-r3}\n"
                 : "+r"(x), "+r"(step), "+r"(left)
                 :
                 : "cc", "memory", "r3", "r4", "r5", "r6", "r8", "r10", "r11", "r12", "lr", HEADSTRONG_VECTOR_REGISTERS);
    // clang-format on
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif  // HEADSTRONG_CORTEX_M && !HEADSTRONG_HELIUM
#endif
