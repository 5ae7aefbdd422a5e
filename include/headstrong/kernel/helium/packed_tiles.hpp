// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_HELIUM_PACKED_TILES_HPP
#define HEADSTRONG_KERNEL_HELIUM_PACKED_TILES_HPP
/// @file
/// kernel/cortex_m/packed_tiles.hpp by the vectors of Helium; only where HEADSTRONG_HELIUM is 1.
///
/// Sums are in q0 ... q3, numbers of A in q4 ... q7, numbers of B in core registers, of which one LDM loads four. r6 holds
/// what is rare: bit 0 is `add`, above it are the links that the loops of four leave.

#include "headstrong/kernel/helium/operands.hpp"

#if HEADSTRONG_HELIUM

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
#define HEADSTRONG_LINK_8X2(b0, b1) \
    "vldrw.32 q4, [r1], #16\n\t" HEADSTRONG_VFMA(0, 4, b0) "vldrw.32 q5, [r1], #48\n\t" HEADSTRONG_VFMA(2, 4, b1) \
    HEADSTRONG_VFMA(1, 5, b0) HEADSTRONG_VFMA(3, 5, b1)
    asm volatile("push {r0-r2}\n\t"
                 "ldmia r0, {r1-r6, r8, r10-r12}\n\t"
                 HEADSTRONG_FOURS_AND_REST
                 "push {r3}\n"
                 "0:\n\t"
                 "subs r4, r4, #1\n\t"  // columns behind the next one
                 "beq 9f\n"
                 "1:\n\t"
                 "vldrw.32 q0, [r10]\n\t"
                 "vldrw.32 q1, [r10, #16]\n\t"
                 "vmov q2, q0\n\t"
                 "vmov q3, q1\n\t"
                 "push {r1-r6, r8, r10, r12}\n\t"
                 "add r3, r2, r8\n\t"  // the second column of B
                 "wls lr, r5, 3f\n"
                 "2:\n\t"
                 "ldmia r2!, {r4, r5, r6, r8}\n\t"
                 "ldmia r3!, {r0, r10, r11, r12}\n\t"
                 HEADSTRONG_LINK_8X2(r4, r0) HEADSTRONG_LINK_8X2(r5, r10) HEADSTRONG_LINK_8X2(r6, r11) HEADSTRONG_LINK_8X2(r8, r12)
                 "le lr, 2b\n"
                 "3:\n\t"
                 "pop {r1-r6, r8, r10, r12}\n\t"
                 "cbnz r6, 5f\n"
                 "4:\n\t"
                 "vstrw.32 q0, [r3]\n\t"
                 "vstrw.32 q1, [r3, #16]\n\t"
                 "add r3, r3, r12\n\t"
                 "vstrw.32 q2, [r3]\n\t"
                 "vstrw.32 q3, [r3, #16]\n\t"
                 "add r3, r3, r12\n\t"
                 "add r2, r2, r8, lsl #1\n\t"
                 HEADSTRONG_NEXT_TILE_8X2("ldr r11, [r2, #32]\n\t")
                 "5:\n\t"
                 "lsrs r0, r6, #1\n\t"
                 "beq 7f\n\t"
                 "push {r1, r2, r4, r5}\n\t"
                 "add r1, r1, r5, lsl #8\n\t"
                 "add r2, r2, r5, lsl #4\n\t"
                 "add r4, r2, r8\n\t"
                 "dls lr, r0\n"
                 "6:\n\t"
                 "ldr r0, [r2], #4\n\t"
                 "ldr r5, [r4], #4\n\t"
                 HEADSTRONG_LINK_8X2(r0, r5)
                 "le lr, 6b\n\t"
                 "pop {r1, r2, r4, r5}\n"
                 "7:\n\t"
                 "tst r6, #1\n\t"
                 "beq 4b\n\t"
                 "add r0, r3, r12\n\t"
                 "vldrw.32 q4, [r3]\n\t"
                 "vldrw.32 q5, [r3, #16]\n\t"
                 "vldrw.32 q6, [r0]\n\t"
                 "vldrw.32 q7, [r0, #16]\n\t"
                 HEADSTRONG_VADD(0, 4) HEADSTRONG_VADD(1, 5) HEADSTRONG_VADD(2, 6) HEADSTRONG_VADD(3, 7)
                 "b 4b\n"
                 "8:\n\t"
                 "add sp, sp, #4\n\t"
                 "pop {r0-r2}\n"
                 : "+r"(x), "+r"(step), "+r"(left)
                 :
                 : "cc", "memory", "r3", "r4", "r5", "r6", "r8", "r10", "r11", "r12", "lr", HEADSTRONG_VECTOR_REGISTERS);
#undef HEADSTRONG_LINK_8X2
    // clang-format on
}

/// 16 lanes by 1 column, A packed weights, at least one such tile below another; numbers of the column of B are neighbours. The
/// place of `columns` holds the tiles, that of b_stride the bytes from the end of a chain in A to the next panel of 16.
[[gnu::noinline]] inline void packed_tiles_16x1(const packed_operands& operands) noexcept
{
    register const void* x asm("r0") = &operands;
    // clang-format off
#define HEADSTRONG_LINK_16X1(b) \
    "vldrw.32 q4, [r1], #16\n\t" HEADSTRONG_VFMA(0, 4, b) "vldrw.32 q5, [r1], #16\n\t" HEADSTRONG_VFMA(1, 5, b) \
    "vldrw.32 q6, [r1], #16\n\t" HEADSTRONG_VFMA(2, 6, b) "vldrw.32 q7, [r1], #16\n\t" HEADSTRONG_VFMA(3, 7, b)
    asm volatile("ldmia r0, {r1-r6, r8, r10-r12}\n\t"
                 HEADSTRONG_FOURS_AND_REST
                 "1:\n\t"
                 "vldrw.32 q0, [r10]\n\t"
                 "vldrw.32 q1, [r10, #16]\n\t"
                 "vldrw.32 q2, [r10, #32]\n\t"
                 "vldrw.32 q3, [r10, #48]\n\t"
                 "add r10, r10, r11\n\t"
                 "push {r2, r4, r6}\n\t"
                 "wls lr, r5, 3f\n"
                 "2:\n\t"
                 "ldmia r2!, {r0, r4, r6, r12}\n\t"
                 HEADSTRONG_LINK_16X1(r0) HEADSTRONG_LINK_16X1(r4) HEADSTRONG_LINK_16X1(r6) HEADSTRONG_LINK_16X1(r12)
                 "le lr, 2b\n"
                 "3:\n\t"
                 "pop {r2, r4, r6}\n\t"
                 "cbnz r6, 5f\n"
                 "4:\n\t"
                 "vstrw.32 q0, [r3], #16\n\t"
                 "vstrw.32 q1, [r3], #16\n\t"
                 "vstrw.32 q2, [r3], #16\n\t"
                 "vstrw.32 q3, [r3], #16\n\t"
                 "add r1, r1, r8\n\t"
                 "subs r4, r4, #1\n\t"
                 "bne 1b\n\t"
                 "b 8f\n"
                 "5:\n\t"
                 "lsrs r0, r6, #1\n\t"
                 "beq 7f\n\t"
                 "add r12, r2, r5, lsl #4\n\t"
                 "dls lr, r0\n"
                 "6:\n\t"
                 "ldr r0, [r12], #4\n\t"
                 HEADSTRONG_LINK_16X1(r0)
                 "le lr, 6b\n"
                 "7:\n\t"
                 "tst r6, #1\n\t"
                 "beq 4b\n\t"
                 "vldrw.32 q4, [r3]\n\t"
                 "vldrw.32 q5, [r3, #16]\n\t"
                 "vldrw.32 q6, [r3, #32]\n\t"
                 "vldrw.32 q7, [r3, #48]\n\t"
                 HEADSTRONG_VADD(0, 4) HEADSTRONG_VADD(1, 5) HEADSTRONG_VADD(2, 6) HEADSTRONG_VADD(3, 7)
                 "b 4b\n"
                 "8:\n"
                 : "+r"(x)
                 :
                 : HEADSTRONG_ALL_REGISTERS);
#undef HEADSTRONG_LINK_16X1
    // clang-format on
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif  // HEADSTRONG_HELIUM
#endif
