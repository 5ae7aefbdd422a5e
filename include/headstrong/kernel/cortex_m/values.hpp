// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_CORTEX_M_VALUES_HPP
#define HEADSTRONG_KERNEL_CORTEX_M_VALUES_HPP
/// @file
/// The sum of the values of a cache, for one query; only where HEADSTRONG_CORTEX_M is 1.

#include "headstrong/kernel/cortex_m/operands.hpp"
#include "headstrong/kernel/panels.hpp"
#include "headstrong/lanes.hpp"

#if HEADSTRONG_CORTEX_M

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// Values of `count` tokens, v_stride numbers apart, for one query: parts of 8 numbers of the outputs of all heads, per_key of
/// which share their values.
struct value_sums {
    const float* values;
    std::size_t v_stride, count;
    std::size_t heads, per_key, d_v;  ///< d_v a multiple of 8
    const float* p;                   ///< weights of head h from p + h * p_stride on
    std::size_t p_stride;
    const float* factors;  ///< of each head
    float* o;              ///< output of head h at o + h * o_stride
    std::size_t o_stride;
};

#if !HEADSTRONG_HELIUM
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

/// o_h = V_h p_h, times its factor, for all heads, two parts at once.
[[gnu::noinline]] inline void sum_values_of_heads(const value_sums& x) noexcept
{
    using four = portable_lanes<float, 4>;
    const std::size_t of_head = x.d_v / 8, parts = x.heads * of_head;
    for (std::size_t part = 0; part < parts; part += 2) {
        const std::size_t other = part + 1 < parts ? part + 1 : part;
        float sums[16];
        if (x.count == 0)
            for (float& sum : sums) sum = 0;
        for (std::size_t from = 0; from < x.count; from += longest_chain) {
            const auto value_at = [&](std::size_t q) HEADSTRONG_INLINE {
                return x.values + from * x.v_stride + q / of_head / x.per_key * x.d_v + q % of_head * 8;
            };
            const auto p_at = [&](std::size_t q) HEADSTRONG_INLINE { return x.p + from + q / of_head * x.p_stride; };
            const std::size_t links = x.count - from < longest_chain ? x.count - from : longest_chain;
            sum_two_parts(
                {value_at(part), value_at(other), p_at(part), p_at(other), links, x.v_stride * sizeof(float), from > 0, sums});
        }
        for (std::size_t i = 0; i < 16; i += 4) {
            const std::size_t q = i < 8 ? part : other;
            product(four::load(sums + i), four::broadcast(x.factors[q / of_head]))
                .store(x.o + q / of_head * x.o_stride + q % of_head * 8 + i % 8);
        }
    }
}
#endif

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif  // HEADSTRONG_CORTEX_M
#endif
