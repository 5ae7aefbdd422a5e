// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_HELIUM_OUTPUT_TILES_HPP
#define HEADSTRONG_KERNEL_HELIUM_OUTPUT_TILES_HPP
/// @file
/// Register tiles for A in packed weights and B in lanes, the outputs of a head; only where HEADSTRONG_HELIUM is 1.
/// Registers are those of packed_tiles.hpp.

#include "headstrong/kernel/helium/operands.hpp"

#if HEADSTRONG_HELIUM

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

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
#define HEADSTRONG_LINK_OF_FOUR(a) \
    "ldmia r2!, {r0, r4, r6, r8}\n\t" "vldrw.32 q" #a ", [r1], #64\n\t" \
    HEADSTRONG_VFMA(0, a, r0) HEADSTRONG_VFMA(1, a, r4) HEADSTRONG_VFMA(2, a, r6) HEADSTRONG_VFMA(3, a, r8)
#define HEADSTRONG_IF_MORE_THAN(columns, place) \
    "cmp r4, #" #columns "\n\t" "it le\n\t" "movle " #place ", r3\n\t"
    asm volatile("push {r1, r2}\n\t"
                 "ldmia r0, {r1-r6, r8, r10-r12}\n\t"
                 "sub r11, r11, #64\n\t"
                 "push {r11}\n\t"  // from the end of 16 starts to the next
                 HEADSTRONG_FOURS_AND_REST
                 "mov r8, r10\n\t"  // start
                 "add r0, r3, r12\n\t"  // r3, r12, r11, r10: the columns of C
                 "add r11, r0, r12\n\t"
                 "add r10, r11, r12\n\t"
                 "mov r12, r0\n\t"
                 HEADSTRONG_IF_MORE_THAN(1, r12) HEADSTRONG_IF_MORE_THAN(2, r11) HEADSTRONG_IF_MORE_THAN(3, r10)
                 "0:\n\t"
                 "ldr r4, [sp, #8]\n\t"  // panels that are left: four at once
                 "cmp r4, #4\n\t"
                 "it hi\n\t"
                 "movhi r4, #4\n"
                 "1:\n\t"
                 "vldrw.32 q0, [r8], #16\n\t"
                 "vmov q1, q0\n\t"
                 "vmov q2, q0\n\t"
                 "vmov q3, q0\n\t"
                 "push {r1, r2, r4, r6, r8}\n\t"
                 "wls lr, r5, 3f\n"
                 "2:\n\t"
                 HEADSTRONG_LINK_OF_FOUR(4) HEADSTRONG_LINK_OF_FOUR(5) HEADSTRONG_LINK_OF_FOUR(6) HEADSTRONG_LINK_OF_FOUR(7)
                 "le lr, 2b\n"
                 "3:\n\t"
                 "pop {r1, r2, r4, r6, r8}\n\t"
                 "lsrs r0, r6, #1\n\t"  // links that are left; carry: add
                 "bne 6f\n"
                 "4:\n\t"
                 "bcc 5f\n\t"
                 "vldrw.32 q4, [r3]\n\t"
                 "vldrw.32 q5, [r12]\n\t"
                 "vldrw.32 q6, [r11]\n\t"
                 "vldrw.32 q7, [r10]\n\t"
                 HEADSTRONG_VADD(0, 4) HEADSTRONG_VADD(1, 5) HEADSTRONG_VADD(2, 6) HEADSTRONG_VADD(3, 7)
                 "5:\n\t"
                 "vstrw.32 q3, [r10], #16\n\t"
                 "vstrw.32 q2, [r11], #16\n\t"
                 "vstrw.32 q1, [r12], #16\n\t"
                 "vstrw.32 q0, [r3], #16\n\t"
                 "add r1, r1, #16\n\t"
                 "subs r4, r4, #1\n\t"
                 "bne 1b\n\t"
                 "ldmia sp, {r0, r4, lr}\n\t"
                 "add r8, r8, r0\n\t"
                 "add r1, r1, r4\n\t"
                 "subs lr, lr, #4\n\t"
                 "str lr, [sp, #8]\n\t"
                 "bhi 0b\n\t"
                 "b 8f\n"
                 "6:\n\t"
                 "push {r1, r2, r4, r6, r8}\n\t"
                 "add r1, r1, r5, lsl #8\n\t"
                 "add r2, r2, r5, lsl #6\n\t"
                 "dls lr, r0\n"
                 "7:\n\t"
                 HEADSTRONG_LINK_OF_FOUR(4)
                 "le lr, 7b\n\t"
                 "pop {r1, r2, r4, r6, r8}\n\t"
                 "b 4b\n"
                 "8:\n\t"
                 "pop {r1-r3}\n"
                 : "+r"(x), "+r"(step), "+r"(left)
                 :
                 : "cc", "memory", "r3", "r4", "r5", "r6", "r8", "r10", "r11", "r12", "lr", HEADSTRONG_VECTOR_REGISTERS);
#undef HEADSTRONG_LINK_OF_FOUR
#undef HEADSTRONG_IF_MORE_THAN
    // clang-format on
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif  // HEADSTRONG_HELIUM
#endif
