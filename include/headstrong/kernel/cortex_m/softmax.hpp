// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_CORTEX_M_SOFTMAX_HPP
#define HEADSTRONG_KERNEL_CORTEX_M_SOFTMAX_HPP
/// @file
/// The loops of a softmax on a Cortex-M with a floating-point unit, four numbers a row; only where HEADSTRONG_CORTEX_M is 1
/// and HEADSTRONG_HELIUM is not.
///
/// The arithmetic is that of exact/exp.hpp and kernel/softmax.hpp. In assembly, because a multiply-add replaces its addend: a
/// polynomial needs a copy of each coefficient for each number, and one VLDM makes four. 21 instructions an exponential, of
/// which compilers make 28.

#include "headstrong/exact/exp.hpp"

#if HEADSTRONG_CORTEX_M && !HEADSTRONG_HELIUM

#include <cstddef>
#include <cstdint>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

// clang-format off: one instruction or one row a line
/// An instruction for each of four numbers: d_i = f(a_i, b_i), d_i = f(a_i, b), or d_i = f(a, b_i).
#define HEADSTRONG_ROW(f, d0, d1, d2, d3, a0, a1, a2, a3, b0, b1, b2, b3) \
    f " s" #d0 ", s" #a0 ", s" #b0 "\n\t" f " s" #d1 ", s" #a1 ", s" #b1 "\n\t" \
    f " s" #d2 ", s" #a2 ", s" #b2 "\n\t" f " s" #d3 ", s" #a3 ", s" #b3 "\n\t"
#define HEADSTRONG_ROW_BY(f, d0, d1, d2, d3, a0, a1, a2, a3, b) HEADSTRONG_ROW(f, d0, d1, d2, d3, a0, a1, a2, a3, b, b, b, b)
#if HEADSTRONG_FPV5
/// largest = x > largest ? x : largest
#define HEADSTRONG_LARGER(x, largest) "vmaxnm.f32 s" #largest ", s" #x ", s" #largest "\n\t"
/// x = x < bound ? other : x
#define HEADSTRONG_REPLACE_BELOW(x, bound, other) \
    "vcmp.f32 s" #bound ", s" #x "\n\t" "vmrs APSR_nzcv, fpscr\n\t" "vselgt.f32 s" #x ", s" #other ", s" #x "\n\t"
#else
#define HEADSTRONG_LARGER(x, largest) \
    "vcmp.f32 s" #x ", s" #largest "\n\t" "vmrs APSR_nzcv, fpscr\n\t" "it gt\n\t" "vmovgt.f32 s" #largest ", s" #x "\n\t"
#define HEADSTRONG_REPLACE_BELOW(x, bound, other) \
    "vcmp.f32 s" #x ", s" #bound "\n\t" "vmrs APSR_nzcv, fpscr\n\t" "it mi\n\t" "vmovmi.f32 s" #x ", s" #other "\n\t"
#endif
#define HEADSTRONG_LARGER_ROW(x0, x1, x2, x3) \
    HEADSTRONG_LARGER(x0, 16) HEADSTRONG_LARGER(x1, 17) HEADSTRONG_LARGER(x2, 18) HEADSTRONG_LARGER(x3, 19)
// clang-format on

/// Writes to `largest` the largest of each place of the rows and of the number whose bits `lowest` are; NaN is passed over.
[[gnu::noinline]] inline void find_largest(const float* rows, std::size_t count, float* largest, std::uint32_t lowest) noexcept
{
    std::size_t twos = count / 2;
    // clang-format off
    asm volatile("vmov s16, s17, %[lowest], %[lowest]\n\t"
                 "vmov s18, s19, %[lowest], %[lowest]\n\t"
                 "cmp %[twos], #0\n\t"
                 "beq 2f\n"
                 "1:\n\t"
                 "vldmia %[rows]!, {s0-s7}\n\t"
                 HEADSTRONG_LARGER_ROW(0, 1, 2, 3) HEADSTRONG_LARGER_ROW(4, 5, 6, 7)
                 "subs %[twos], %[twos], #1\n\t"
                 "bne 1b\n"
                 "2:\n\t"
                 "lsls %[count], %[count], #31\n\t"
                 "beq 3f\n\t"
                 "vldmia %[rows], {s0-s3}\n\t"
                 HEADSTRONG_LARGER_ROW(0, 1, 2, 3)
                 "3:\n\t"
                 "vstmia %[largest], {s16-s19}\n"
                 : [rows] "+&r"(rows), [twos] "+&r"(twos), [count] "+&r"(count)
                 : [largest] "r"(largest), [lowest] "r"(lowest)
                 : "cc", "memory", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s16", "s17", "s18", "s19");
    // clang-format on
}

/// Constants of softmax_weight: single ones, then rows of four.
struct softmax_constants {
    using c = exp_constants<float>;
    float negligible = c::negligible, log2_e = c::log2_e, minus_ln2_high = -c::ln2_high, minus_ln2_low = -c::ln2_low;
    float magic = c::magic, last = c::c[4];
    float nothing = -127 * c::ln2_high;  ///< in place of what is negligible: 2^k below is then 0
    float rows[7][4] = {{c::magic, c::magic, c::magic, c::magic},
                        {c::c[3], c::c[3], c::c[3], c::c[3]},
                        {c::c[2], c::c[2], c::c[2], c::c[2]},
                        {c::c[1], c::c[1], c::c[1], c::c[1]},
                        {c::c[0], c::c[0], c::c[0], c::c[0]},
                        {1, 1, 1, 1},
                        {1, 1, 1, 1}};
};
inline constexpr softmax_constants constants_of_softmax{};

/// Replaces rows of scores by softmax_weight(score - subtracted).
[[gnu::noinline]] inline void replace_by_weights(float* rows, std::size_t count, const float* subtracted) noexcept
{
    if (count == 0) return;
    const float* constants = &constants_of_softmax.negligible;
    std::size_t k0, k1, k2, k3;
    // clang-format off
    asm volatile("vldmia %[subtracted], {s16-s19}\n\t"
                 "vldmia %[constants]!, {s20-s26}\n"  // the rows are next
                 "1:\n\t"
                 "vldmia %[rows], {s0-s3}\n\t"
                 HEADSTRONG_ROW("vsub.f32", 0, 1, 2, 3, 0, 1, 2, 3, 16, 17, 18, 19)
                 HEADSTRONG_REPLACE_BELOW(0, 20, 26) HEADSTRONG_REPLACE_BELOW(1, 20, 26)
                 HEADSTRONG_REPLACE_BELOW(2, 20, 26) HEADSTRONG_REPLACE_BELOW(3, 20, 26)
                 "vldmia %[constants]!, {s4-s7}\n\t"  // shifted = x log2 e + magic
                 HEADSTRONG_ROW_BY("vfma.f32", 4, 5, 6, 7, 0, 1, 2, 3, 21)
                 HEADSTRONG_ROW_BY("vsub.f32", 8, 9, 10, 11, 4, 5, 6, 7, 24)  // k
                 HEADSTRONG_ROW_BY("vfma.f32", 0, 1, 2, 3, 8, 9, 10, 11, 22)  // r
                 HEADSTRONG_ROW_BY("vfma.f32", 0, 1, 2, 3, 8, 9, 10, 11, 23)
                 "vmov %[k0], %[k1], s4, s5\n\t"
                 "vmov %[k2], %[k3], s6, s7\n\t"
                 "vldmia %[constants]!, {s8-s11}\n\t"
                 HEADSTRONG_ROW_BY("vfma.f32", 8, 9, 10, 11, 0, 1, 2, 3, 25)
                 "vldmia %[constants]!, {s12-s15}\n\t"
                 HEADSTRONG_ROW("vfma.f32", 12, 13, 14, 15, 8, 9, 10, 11, 0, 1, 2, 3)
                 "lsl %[k0], %[k0], #23\n\t"
                 "lsl %[k1], %[k1], #23\n\t"
                 "vldmia %[constants]!, {s8-s11}\n\t"
                 HEADSTRONG_ROW("vfma.f32", 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3)
                 "lsl %[k2], %[k2], #23\n\t"
                 "lsl %[k3], %[k3], #23\n\t"
                 "vldmia %[constants]!, {s12-s15}\n\t"
                 HEADSTRONG_ROW("vfma.f32", 12, 13, 14, 15, 8, 9, 10, 11, 0, 1, 2, 3)
                 "vmov s4, s5, %[k0], %[k1]\n\t"  // 2^k
                 "vmov s6, s7, %[k2], %[k3]\n\t"
                 "vldmia %[constants]!, {s8-s11}\n\t"
                 HEADSTRONG_ROW("vfma.f32", 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3)
                 "vldmia %[constants]!, {s12-s15}\n\t"
                 HEADSTRONG_ROW("vfma.f32", 12, 13, 14, 15, 8, 9, 10, 11, 0, 1, 2, 3)
                 HEADSTRONG_ROW("vmul.f32", 12, 13, 14, 15, 12, 13, 14, 15, 4, 5, 6, 7)
                 "sub %[constants], %[constants], #112\n\t"
                 "vstmia %[rows]!, {s12-s15}\n\t"
                 "subs %[count], %[count], #1\n\t"
                 "bne 1b\n"
                 : [rows] "+&r"(rows), [count] "+&r"(count), [constants] "+&r"(constants), [k0] "=&r"(k0), [k1] "=&r"(k1),
                   [k2] "=&r"(k2), [k3] "=&r"(k3)
                 : [subtracted] "r"(subtracted)
                 : "cc", "memory", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14",
                   "s15", "s16", "s17", "s18", "s19", "s20", "s21", "s22", "s23", "s24", "s25", "s26");
    // clang-format on
}

/// Writes to `totals` the sums of each place of the rows: groups of 16 by the tree of neighbours, the groups in order.
[[gnu::noinline]] inline void sum_rows(const float* rows, std::size_t count, float* totals) noexcept
{
    float sums[16];  // of the last group: those of 2^l rows whose neighbours are still to come
    float* top = sums;
    std::size_t groups = count / 16, row = 0, carry;
    // clang-format off
    /// Four rows by the tree.
#define HEADSTRONG_FOUR_ROWS(d0, d1, d2, d3) \
    "vldmia %[rows]!, {s0-s15}\n\t" \
    HEADSTRONG_ROW("vadd.f32", 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7) \
    HEADSTRONG_ROW("vadd.f32", 8, 9, 10, 11, 8, 9, 10, 11, 12, 13, 14, 15) \
    HEADSTRONG_ROW("vadd.f32", d0, d1, d2, d3, 0, 1, 2, 3, 8, 9, 10, 11)
#define HEADSTRONG_ADD_TOP \
    "vldmdb %[top]!, {s4-s7}\n\t" HEADSTRONG_ROW("vadd.f32", 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3)
    asm volatile("vmov s28, s29, %[row], %[row]\n\t"
                 "vmov s30, s31, %[row], %[row]\n\t"
                 "cmp %[groups], #0\n\t"
                 "beq 2f\n"
                 "1:\n\t"
                 HEADSTRONG_FOUR_ROWS(16, 17, 18, 19) HEADSTRONG_FOUR_ROWS(20, 21, 22, 23)
                 HEADSTRONG_ROW("vadd.f32", 16, 17, 18, 19, 16, 17, 18, 19, 20, 21, 22, 23)
                 HEADSTRONG_FOUR_ROWS(20, 21, 22, 23) HEADSTRONG_FOUR_ROWS(24, 25, 26, 27)
                 HEADSTRONG_ROW("vadd.f32", 20, 21, 22, 23, 20, 21, 22, 23, 24, 25, 26, 27)
                 HEADSTRONG_ROW("vadd.f32", 16, 17, 18, 19, 16, 17, 18, 19, 20, 21, 22, 23)
                 HEADSTRONG_ROW("vadd.f32", 28, 29, 30, 31, 28, 29, 30, 31, 16, 17, 18, 19)
                 "subs %[groups], %[groups], #1\n\t"
                 "bne 1b\n"
                 "2:\n\t"
                 "ands %[count], %[count], #15\n\t"
                 "beq 8f\n"
                 "3:\n\t"  // the last group, as if filled with zeros
                 "vldmia %[rows]!, {s0-s3}\n\t"
                 "mov %[carry], %[row]\n"
                 "4:\n\t"
                 "lsrs %[carry], %[carry], #1\n\t"
                 "bcc 5f\n\t"
                 HEADSTRONG_ADD_TOP
                 "b 4b\n"
                 "5:\n\t"
                 "vstmia %[top]!, {s0-s3}\n\t"
                 "add %[row], %[row], #1\n\t"
                 "cmp %[row], %[count]\n\t"
                 "bne 3b\n\t"
                 "vldmdb %[top]!, {s0-s3}\n"
                 "6:\n\t"
                 "cmp %[top], %[sums]\n\t"
                 "beq 7f\n\t"
                 HEADSTRONG_ADD_TOP
                 "b 6b\n"
                 "7:\n\t"
                 HEADSTRONG_ROW("vadd.f32", 28, 29, 30, 31, 28, 29, 30, 31, 0, 1, 2, 3)
                 "8:\n\t"
                 "vstmia %[totals], {s28-s31}\n"
                 : [rows] "+&r"(rows), [count] "+&r"(count), [groups] "+&r"(groups), [row] "+&r"(row), [top] "+&r"(top),
                   [carry] "=&r"(carry)
                 : [sums] "r"(sums), [totals] "r"(totals)
                 : "cc", "memory", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14",
                   "s15", "s16", "s17", "s18", "s19", "s20", "s21", "s22", "s23", "s24", "s25", "s26", "s27", "s28", "s29", "s30",
                   "s31");
#undef HEADSTRONG_FOUR_ROWS
#undef HEADSTRONG_ADD_TOP
    // clang-format on
}

/// The sum of groups of 16 numbers, at least one, each by the tree of neighbours, in order.
[[nodiscard, gnu::noinline]] inline float sum_groups(const float* numbers, std::size_t groups) noexcept
{
    register float total asm("s16") = 0;
    // clang-format off
    asm volatile("1:\n\t"
                 "vldmia %[numbers]!, {s0-s15}\n\t"
                 HEADSTRONG_ROW("vadd.f32", 0, 2, 4, 6, 0, 2, 4, 6, 1, 3, 5, 7)
                 HEADSTRONG_ROW("vadd.f32", 8, 10, 12, 14, 8, 10, 12, 14, 9, 11, 13, 15)
                 HEADSTRONG_ROW("vadd.f32", 0, 4, 8, 12, 0, 4, 8, 12, 2, 6, 10, 14)
                 "vadd.f32 s0, s0, s4\n\t"
                 "vadd.f32 s8, s8, s12\n\t"
                 "vadd.f32 s0, s0, s8\n\t"
                 "vadd.f32 s16, s16, s0\n\t"
                 "subs %[groups], %[groups], #1\n\t"
                 "bne 1b\n"
                 : [numbers] "+&r"(numbers), [groups] "+&r"(groups), "+t"(total)
                 :
                 : "cc", "memory", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14",
                   "s15");
    // clang-format on
    return total;
}

#undef HEADSTRONG_ROW
#undef HEADSTRONG_ROW_BY
#undef HEADSTRONG_LARGER
#undef HEADSTRONG_REPLACE_BELOW
#undef HEADSTRONG_LARGER_ROW

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif  // HEADSTRONG_CORTEX_M && !HEADSTRONG_HELIUM
#endif
