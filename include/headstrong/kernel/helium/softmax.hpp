// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_HELIUM_SOFTMAX_HPP
#define HEADSTRONG_KERNEL_HELIUM_SOFTMAX_HPP
/// @file
/// kernel/cortex_m/softmax.hpp by the vectors of Helium, a row a register; only where HEADSTRONG_HELIUM is 1.
///
/// The arithmetic is that of exact/exp.hpp and kernel/softmax.hpp. In assembly, so that all constants stay in registers: five
/// instructions an exponential.

#include "headstrong/exact/exp.hpp"
#include "headstrong/kernel/helium/operands.hpp"

#if HEADSTRONG_HELIUM

#include <cstddef>
#include <cstdint>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// Writes to `largest` the largest of each place of the rows and of the number whose bits `lowest` are; NaN is passed over.
[[gnu::noinline]] inline void find_largest(const float* rows, std::size_t count, float* largest, std::uint32_t lowest) noexcept
{
    std::size_t fours = count / 4;
    // clang-format off
#define HEADSTRONG_LARGER(number, largest) \
    "vldrw.32 q" #number ", [%[rows]], #16\n\t" "vmaxnm.f32 q" #largest ", q" #number ", q" #largest "\n\t"
    asm volatile("vdup.32 q0, %[lowest]\n\t"
                 "vmov q1, q0\n\t"
                 "and %[count], %[count], #3\n\t"
                 "wls lr, %[fours], 2f\n"
                 "1:\n\t"
                 HEADSTRONG_LARGER(2, 0) HEADSTRONG_LARGER(3, 1) HEADSTRONG_LARGER(2, 0) HEADSTRONG_LARGER(3, 1)
                 "le lr, 1b\n"
                 "2:\n\t"
                 "wls lr, %[count], 4f\n"
                 "3:\n\t"
                 HEADSTRONG_LARGER(2, 0)
                 "le lr, 3b\n"
                 "4:\n\t"
                 "vmaxnm.f32 q0, q0, q1\n\t"
                 "vstrw.32 q0, [%[largest]]\n"
                 : [rows] "+&r"(rows), [count] "+&r"(count)
                 : [largest] "r"(largest), [lowest] "r"(lowest), [fours] "r"(fours)
                 : "memory", "lr", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14",
                   "s15");
#undef HEADSTRONG_LARGER
    // clang-format on
}

/// Constants of softmax_weight, for r2 ... r6, r8, r10, r11 in this order, then those that vectors hold.
struct softmax_constants {
    using c = exp_constants<float>;
    float magic = c::magic, minus_ln2_high = -c::ln2_high, minus_ln2_low = -c::ln2_low;
    float c3 = c::c[3], c2 = c::c[2], c1 = c::c[1], c0 = c::c[0], one = 1;
    float negligible = c::negligible, log2_e = c::log2_e, c4 = c::c[4];
    float nothing = -127 * c::ln2_high;  ///< in place of what is negligible: 2^k below is then 0
};
inline constexpr softmax_constants constants_of_softmax{};

/// Replaces rows of scores by softmax_weight(score - subtracted).
[[gnu::noinline]] inline void replace_by_weights(float* rows, std::size_t count, const float* subtracted) noexcept
{
    register float* row asm("r0") = rows;
    register std::size_t left asm("r1") = count;
    register const float* by asm("r2") = subtracted;
    register const softmax_constants* constants asm("r3") = &constants_of_softmax;
    // clang-format off
    asm volatile("vldrw.32 q3, [r2]\n\t"
                 "ldrd r4, r5, [r3, #32]\n\t"
                 "vdup.32 q7, r4\n\t"  // negligible
                 "vdup.32 q4, r5\n\t"  // log2 e
                 "ldrd r4, r5, [r3, #40]\n\t"
                 "vdup.32 q5, r4\n\t"  // c4
                 "vdup.32 q6, r5\n\t"  // nothing
                 "ldmia r3, {r2-r6, r8, r10, r11}\n\t"
                 "wls lr, r1, 2f\n"
                 "1:\n\t"
                 "vldrw.32 q0, [r0]\n\t"
                 "vsub.f32 q0, q0, q3\n\t"
                 "vcmp.f32 gt, q7, q0\n\t"  // not lt, which is true of NaN
                 "vpsel q0, q6, q0\n\t"
                 "vmov q1, q4\n\t"
                 "vfmas.f32 q1, q0, r2\n\t"  // shifted = x log2 e + magic
                 "vsub.f32 q2, q1, r2\n\t"  // k
                 "vfma.f32 q0, q2, r3\n\t"  // r
                 "vfma.f32 q0, q2, r4\n\t"
                 "vshl.i32 q1, q1, #23\n\t"  // 2^k
                 "vmov q2, q5\n\t"
                 "vfmas.f32 q2, q0, r5\n\t"
                 "vfmas.f32 q2, q0, r6\n\t"
                 "vfmas.f32 q2, q0, r8\n\t"
                 "vfmas.f32 q2, q0, r10\n\t"
                 "vfmas.f32 q2, q0, r11\n\t"
                 "vfmas.f32 q2, q0, r11\n\t"
                 "vmul.f32 q2, q2, q1\n\t"
                 "vstrw.32 q2, [r0], #16\n\t"
                 "le lr, 1b\n"
                 "2:\n"
                 : "+r"(row), "+r"(left), "+r"(by), "+r"(constants)
                 :
                 : "cc", "memory", "r4", "r5", "r6", "r8", "r10", "r11", "lr", HEADSTRONG_VECTOR_REGISTERS);
    // clang-format on
}

/// Writes to `totals` the sums of each place of the rows: groups of 16 by the tree of neighbours, the groups in order.
[[gnu::noinline]] inline void sum_rows(const float* rows, std::size_t count, float* totals) noexcept
{
    std::size_t fours = 0, place;
    // clang-format off
#define HEADSTRONG_NEXT_ROW(to) "vldrw.32 q" #to ", [%[rows]], #16\n\t"
#define HEADSTRONG_SUM(to, a, b) "vadd.f32 q" #to ", q" #a ", q" #b "\n\t"
    // q0: four rows, then what they are added up to; q2: the first or third four of a group; q3: its first two; q4: the total
    asm volatile("vmov.i32 q4, #0\n"
                 "1:\n\t"
                 "subs %[count], %[count], #4\n\t"
                 "blo 5f\n\t"
                 HEADSTRONG_NEXT_ROW(0) HEADSTRONG_NEXT_ROW(1) HEADSTRONG_SUM(0, 0, 1)
                 HEADSTRONG_NEXT_ROW(5) HEADSTRONG_NEXT_ROW(6) HEADSTRONG_SUM(5, 5, 6) HEADSTRONG_SUM(0, 0, 5)
                 "2:\n\t"
                 "adds %[fours], %[fours], #1\n\t"
                 "lsls %[place], %[fours], #31\n\t"  // negative: first or third, carry: second or third
                 "bpl 3f\n\t"
                 "vmov q2, q0\n\t"
                 "b 1b\n"
                 "3:\n\t"
                 HEADSTRONG_SUM(0, 2, 0)
                 "bcc 4f\n\t"
                 "vmov q3, q0\n\t"
                 "b 1b\n"
                 "4:\n\t"
                 HEADSTRONG_SUM(0, 3, 0) HEADSTRONG_SUM(4, 4, 0)
                 "b 1b\n"
                 "5:\n\t"  // the last group, as if filled with zeros
                 "vmov.i32 q0, #0\n\t"
                 "adds %[count], %[count], #4\n\t"
                 "beq 7f\n\t"
                 "dls lr, %[count]\n"
                 "6:\n\t"
                 HEADSTRONG_NEXT_ROW(1) HEADSTRONG_SUM(0, 0, 1)
                 "le lr, 6b\n\t"
                 "movs %[count], #0\n\t"
                 "b 2b\n"
                 "7:\n\t"
                 "lsls %[place], %[fours], #30\n\t"
                 "bne 2b\n\t"
                 "vstrw.32 q4, [%[totals]]\n"
                 : [rows] "+&r"(rows), [count] "+&l"(count), [fours] "+&l"(fours), [place] "=&l"(place)
                 : [totals] "r"(totals)
                 : "cc", "memory", "lr", HEADSTRONG_VECTOR_REGISTERS);
#undef HEADSTRONG_NEXT_ROW
#undef HEADSTRONG_SUM
    // clang-format on
}

/// The sum of groups of 16 numbers, at least one, each by the tree of neighbours, in order.
[[nodiscard, gnu::noinline]] inline float sum_groups(const float* numbers, std::size_t groups) noexcept
{
    register float total asm("s16") = 0;
    // clang-format off
    asm volatile("dls lr, %[groups]\n"
                 "1:\n\t"
                 "vld40.32 {q0, q1, q2, q3}, [%[numbers]]\n\t"  // number 4 l + i to lane l of q_i
                 "vld41.32 {q0, q1, q2, q3}, [%[numbers]]\n\t"
                 "vld42.32 {q0, q1, q2, q3}, [%[numbers]]\n\t"
                 "vld43.32 {q0, q1, q2, q3}, [%[numbers]]!\n\t"
                 "vadd.f32 q0, q0, q1\n\t"
                 "vadd.f32 q2, q2, q3\n\t"
                 "vadd.f32 q0, q0, q2\n\t"
                 "vadd.f32 s0, s0, s1\n\t"
                 "vadd.f32 s2, s2, s3\n\t"
                 "vadd.f32 s0, s0, s2\n\t"
                 "vadd.f32 s16, s16, s0\n\t"
                 "le lr, 1b\n"
                 : [numbers] "+&r"(numbers), "+t"(total)
                 : [groups] "r"(groups)
                 : "memory", "lr", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14",
                   "s15");
    // clang-format on
    return total;
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif  // HEADSTRONG_HELIUM
#endif
