// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_CORTEX_M_TILES_HPP
#define HEADSTRONG_KERNEL_CORTEX_M_TILES_HPP
/// @file
/// Register tiles of the multiply kernel for a Cortex-M with 32 single-precision registers; only where HEADSTRONG_CORTEX_M
/// is 1.
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
    "cc", "memory", "r1", "r2", "r3", "r4", "r5", "r6", "r8", "r10", "r11", "r12", "lr", \
    "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14", "s15", \
    "s16", "s17", "s18", "s19", "s20", "s21", "s22", "s23", "s24", "s25", "s26", "s27", "s28", "s29", "s30", "s31"
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

/// 8 lanes by 2 columns, A packed weights, at least one such tile after another for the first 8 lanes of a panel, then for the
/// others; numbers of a column of B are neighbours.
[[gnu::noinline]] inline void packed_tiles_8x2(const tile_operands& operands) noexcept
{
    register const void* x asm("r0") = &operands;
    // clang-format off
#define HEADSTRONG_PACKED_LINK_8X2(b0, b1) \
    "vldmia r1, {s0-s7}\n\t" "add r1, r1, #64\n\t" \
    HEADSTRONG_FMA_4(16, 17, 18, 19, 0, 1, 2, 3, b0) HEADSTRONG_FMA_4(20, 21, 22, 23, 4, 5, 6, 7, b0) \
    HEADSTRONG_FMA_4(24, 25, 26, 27, 0, 1, 2, 3, b1) HEADSTRONG_FMA_4(28, 29, 30, 31, 4, 5, 6, 7, b1)
    asm volatile("push {r0}\n\t"
                 "ldmia r0, {r1-r6, r8, r10-r12}\n\t"  // lr: the second column of B; r0: links that are left
                 "mov r11, #0\n"                       // which 8 lanes
                 "1:\n\t"
                 "add lr, r2, r8\n\t"
                 "vldmia r10, {s16-s23}\n\t"
                 "vldmia r10, {s24-s31}\n\t"
                 "lsrs r0, r5, #2\n\t"
                 "beq 3f\n"
                 "2:\n\t"
                 "vldmia r2!, {s8-s11}\n\t"
                 "vldmia lr!, {s12-s15}\n\t"
                 HEADSTRONG_PACKED_LINK_8X2(8, 12) HEADSTRONG_PACKED_LINK_8X2(9, 13)
                 HEADSTRONG_PACKED_LINK_8X2(10, 14) HEADSTRONG_PACKED_LINK_8X2(11, 15)
                 "subs r0, r0, #1\n\t"
                 "bne 2b\n"
                 "3:\n\t"
                 "ands r0, r5, #3\n\t"
                 "beq 5f\n"
                 "4:\n\t"
                 "vldmia r2!, {s8}\n\t"
                 "vldmia lr!, {s12}\n\t"
                 HEADSTRONG_PACKED_LINK_8X2(8, 12)
                 "subs r0, r0, #1\n\t"
                 "bne 4b\n"
                 "5:\n\t"
                 "cmp r6, #0\n\t"
                 "beq 6f\n\t"
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
                 "subs r4, r4, #1\n\t"
                 "bne 1b\n\t"
                 "cmp r11, #0\n\t"
                 "bne 7f\n\t"
                 "ldr r0, [sp]\n\t"
                 "ldmia r0, {r1-r4}\n\t"
                 "add r1, r1, #32\n\t"
                 "add r3, r3, #32\n\t"
                 "add r10, r10, #32\n\t"
                 "mov r11, #1\n\t"
                 "b 1b\n"
                 "7:\n\t"
                 "pop {r0}\n"
                 : "+r"(x)
                 :
                 : HEADSTRONG_ALL_REGISTERS);
#undef HEADSTRONG_PACKED_LINK_8X2
    // clang-format on
}

/// 16 lanes by 1 column, A packed weights, at least one such tile below another; numbers of a column of B are neighbours. The
/// place of b_stride holds the bytes from the end of a chain in A to the next panel of 16, that of c_column those from start to
/// start.
[[gnu::noinline]] inline void packed_tiles_16x1(const tile_operands& operands) noexcept
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
                 "add r10, r10, r12\n\t"
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
                 "cmp r6, #0\n\t"
                 "beq 5f\n\t"
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

/// 4 lanes by 4 columns, A packed weights, 1 to 4 such tiles below each other; B has four numbers a row and nothing between.
[[gnu::noinline]] inline void packed_tiles_4x4(const tile_operands& operands) noexcept
{
    register const void* x asm("r0") = &operands;
    // clang-format off
    asm volatile("ldmia r0, {r1-r6, r8, r10-r12}\n"  // r0: links that are left, then columns of C
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
                 "cmp r6, #0\n\t"
                 "beq 5f\n\t"
                 "mov r0, r3\n\t"
                 "vldmia r0, {s0-s3}\n\t"
                 "add r0, r0, r12\n\t"
                 "vldmia r0, {s4-s7}\n\t"
                 "add r0, r0, r12\n\t"
                 "vldmia r0, {s8-s11}\n\t"
                 "add r0, r0, r12\n\t"
                 "vldmia r0, {s12-s15}\n\t"
                 HEADSTRONG_ADD_16
                 "5:\n\t"
                 "mov r0, r3\n\t"
                 "vstmia r0, {s16-s19}\n\t"
                 "add r0, r0, r12\n\t"
                 "vstmia r0, {s20-s23}\n\t"
                 "add r0, r0, r12\n\t"
                 "vstmia r0, {s24-s27}\n\t"
                 "add r0, r0, r12\n\t"
                 "vstmia r0, {s28-s31}\n\t"
                 "add r3, r3, #16\n\t"
                 "sub r1, r1, r5, lsl #6\n\t"
                 "add r1, r1, #16\n\t"
                 "sub r2, r2, r5, lsl #4\n\t"
                 "subs r4, r4, #1\n\t"
                 "bne 1b\n"
                 : "+r"(x)
                 :
                 : HEADSTRONG_ALL_REGISTERS);
    // clang-format on
}

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
                 "cmp r6, #0\n\t"
                 "beq 5f\n\t"
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
#define HEADSTRONG_PRODUCTS(t0, t1, t2, t3, c0, c1, c2, c3) \
    HEADSTRONG_FMA(t0, c0, 0) HEADSTRONG_FMA(t1, c1, 1) HEADSTRONG_FMA(t2, c2, 2) HEADSTRONG_FMA(t3, c3, 3)
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
                 "cmp r6, #0\n\t"
                 "beq 5f\n\t"
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
                 "cmp r6, #0\n\t"
                 "beq 4f\n\t"
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
                 "cmp r6, #0\n\t"
                 "beq 2f\n\t"
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

#undef HEADSTRONG_PRODUCTS
#undef HEADSTRONG_FMA
#undef HEADSTRONG_ADD
#undef HEADSTRONG_FMA_4
#undef HEADSTRONG_LINK_4X4
#undef HEADSTRONG_ADD_16

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif  // HEADSTRONG_CORTEX_M
#endif
