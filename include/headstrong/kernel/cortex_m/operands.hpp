// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_CORTEX_M_OPERANDS_HPP
#define HEADSTRONG_KERNEL_CORTEX_M_OPERANDS_HPP
/// @file
/// What the register tiles of the multiply kernel have in common on a Cortex-M with 32 single-precision registers; only where
/// HEADSTRONG_CORTEX_M is 1.
///
/// GCC and Clang load these registers one at a time, which makes 1.5 instructions a multiply-add and more. VLDM, which loads
/// many at once, is to be had in assembly only: 1.19 to 1.22. Sums are in s16 ... s31, operands below. The multiply-adds are
/// those of kernel/tile.hpp, in the same order for each sum.

#include "headstrong/config.hpp"

#if HEADSTRONG_CORTEX_M

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

// clang-format off: one instruction or one step a line
#define HEADSTRONG_FMA(c, a, b) "vfma.f32 s" #c ", s" #a ", s" #b "\n\t"
#define HEADSTRONG_ADD(c, a) "vadd.f32 s" #c ", s" #a ", s" #c "\n\t"
/// Sums of four lanes and one column.
#define HEADSTRONG_FMA_4(c0, c1, c2, c3, a0, a1, a2, a3, b) \
    HEADSTRONG_FMA(c0, a0, b) HEADSTRONG_FMA(c1, a1, b) HEADSTRONG_FMA(c2, a2, b) HEADSTRONG_FMA(c3, a3, b)
/// One link of the chains of 4 lanes by 4 columns.
#define HEADSTRONG_LINK_4X4(a0, a1, a2, a3, b0, b1, b2, b3) \
    HEADSTRONG_FMA_4(16, 17, 18, 19, a0, a1, a2, a3, b0) HEADSTRONG_FMA_4(20, 21, 22, 23, a0, a1, a2, a3, b1) \
    HEADSTRONG_FMA_4(24, 25, 26, 27, a0, a1, a2, a3, b2) HEADSTRONG_FMA_4(28, 29, 30, 31, a0, a1, a2, a3, b3)
/// s16 ... s31 += s0 ... s15.
#define HEADSTRONG_ADD_16 \
    HEADSTRONG_ADD(16, 0) HEADSTRONG_ADD(17, 1) HEADSTRONG_ADD(18, 2) HEADSTRONG_ADD(19, 3) \
    HEADSTRONG_ADD(20, 4) HEADSTRONG_ADD(21, 5) HEADSTRONG_ADD(22, 6) HEADSTRONG_ADD(23, 7) \
    HEADSTRONG_ADD(24, 8) HEADSTRONG_ADD(25, 9) HEADSTRONG_ADD(26, 10) HEADSTRONG_ADD(27, 11) \
    HEADSTRONG_ADD(28, 12) HEADSTRONG_ADD(29, 13) HEADSTRONG_ADD(30, 14) HEADSTRONG_ADD(31, 15)
#define HEADSTRONG_ALL_REGISTERS \
    "cc", "memory", "r1", "r2", "r3", "r4", "r5", "r6", "r8", "r10", "r11", "r12", "lr", HEADSTRONG_VECTOR_REGISTERS
#define HEADSTRONG_VECTOR_REGISTERS \
    "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14", "s15", \
    "s16", "s17", "s18", "s19", "s20", "s21", "s22", "s23", "s24", "s25", "s26", "s27", "s28", "s29", "s30", "s31"
/// The four sums c times the factors in s0 ... s3, added to t.
#define HEADSTRONG_PRODUCTS(t0, t1, t2, t3, c0, c1, c2, c3) \
    HEADSTRONG_FMA(t0, c0, 0) HEADSTRONG_FMA(t1, c1, 1) HEADSTRONG_FMA(t2, c2, 2) HEADSTRONG_FMA(t3, c3, 3)
// clang-format on

/// What sums begin with that do not begin with a bias.
alignas(8) inline constexpr float zeros[16] = {};

/// What the tiles of one call work on. They load it into r1 ... r6, r8, r10, r11, r12, in this order: named operands would be
/// more than GCC finds registers for at -O0.
struct tile_operands {
    const float* a;
    const float* b;
    float* c;
    std::size_t tiles;
    std::size_t links;     ///< of a chain, at least one
    std::size_t add;       ///< whether the sums are added to what C holds
    std::size_t b_stride;  ///< bytes from column to column of B, or from row to row
    const float* start;    ///< what sums begin with; zeros where A is not packed
    const float* factors;  ///< or null
    std::size_t c_column;  ///< bytes from column to column of C
};

/// The same where A is packed weights.
struct packed_operands {
    const float* a;
    const float* b;
    float* c;
    std::size_t columns;     ///< of B, at least one
    std::size_t links;       ///< of a chain, at least one
    std::size_t add;         ///< whether the sums are added to what C holds
    std::size_t b_stride;    ///< bytes from column to column of B
    const float* start;      ///< what sums begin with
    std::size_t start_step;  ///< bytes from there to what those of the next 16 lanes begin with: 64, or 0 where it is zeros
    std::size_t c_column;    ///< bytes from column to column of C
};

// clang-format off
// Behind a tile of 8 lanes by 2 columns: to the next two columns (1), the last one twice (9), the next 8 lanes (0) or the end (8).
// On the stack lie C, the packed_operands, a_step and the 8 lanes that are left; `start_step` loads r11, where a loop has used it.
#define HEADSTRONG_NEXT_TILE_8X2(start_step) \
    "subs r4, r4, #2\n\t" "bhi 1b\n\t" "beq 9f\n\t" \
    "ldmia sp, {r0, r2, r3, r4}\n\t" "subs r4, r4, #1\n\t" "beq 8f\n\t" "str r4, [sp, #12]\n\t" \
    start_step "add r10, r10, r11, lsr #1\n\t" \
    "lsls r4, r4, #31\n\t" "it mi\n\t" "movmi r3, #32\n\t" "add r1, r1, r3\n\t" "add r3, r0, #32\n\t" "str r3, [sp]\n\t" \
    "ldr r4, [r2, #12]\n\t" "ldr r8, [r2, #24]\n\t" "ldr r12, [r2, #36]\n\t" "ldr r2, [r2, #4]\n\t" "b 0b\n" \
    "9:\n\t" "mov r8, r4\n\t" "mov r12, r4\n\t" "b 1b\n"
// clang-format on

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif  // HEADSTRONG_CORTEX_M
#endif
