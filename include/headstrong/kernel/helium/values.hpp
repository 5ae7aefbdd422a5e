// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_HELIUM_VALUES_HPP
#define HEADSTRONG_KERNEL_HELIUM_VALUES_HPP
/// @file
/// The sum of the values of a cache, for one query, by the vectors of Helium; only where HEADSTRONG_HELIUM is 1.

#include "headstrong/kernel/cortex_m/values.hpp"
#include "headstrong/kernel/helium/operands.hpp"

#if HEADSTRONG_HELIUM

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// What sum_part works on, loaded into r1 ... r6, r8 in this order.
struct part_of_values {
    const float* v;
    const float* p;
    float* o;
    std::size_t links;    ///< of a chain
    std::size_t v_step;   ///< bytes from key to key
    std::size_t add;      ///< whether the sums are added to what is there
    const float* factor;  ///< of what is stored then, or null
};

/// 8 numbers of the output of one query: o[i] = sum_j v(i, j) p[j].
[[gnu::noinline]] inline void sum_part(const part_of_values& operands) noexcept
{
    register const void* x asm("r0") = &operands;
    // clang-format off
    asm volatile("ldmia r0, {r1-r6, r8}\n\t"
                 "vmov.i32 q0, #0\n\t"
                 "vmov.i32 q1, #0\n\t"
                 "wls lr, r4, 2f\n"
                 "1:\n\t"
                 "ldr r0, [r2], #4\n\t"
                 "vldrw.32 q4, [r1]\n\t"
                 HEADSTRONG_VFMA(0, 4, r0)
                 "vldrw.32 q5, [r1, #16]\n\t"
                 HEADSTRONG_VFMA(1, 5, r0)
                 "add r1, r1, r5\n\t"
                 "le lr, 1b\n"
                 "2:\n\t"
                 "cbz r6, 3f\n\t"
                 "vldrw.32 q4, [r3]\n\t"
                 "vldrw.32 q5, [r3, #16]\n\t"
                 HEADSTRONG_VADD(0, 4) HEADSTRONG_VADD(1, 5)
                 "3:\n\t"
                 "cmp r8, #0\n\t"
                 "beq 4f\n\t"
                 "ldr r0, [r8]\n\t"
                 "vdup.32 q4, r0\n\t"
                 "mov r0, #0\n\t"
                 "vfmas.f32 q0, q4, r0\n\t"
                 "vfmas.f32 q1, q4, r0\n"
                 "4:\n\t"
                 "vstrw.32 q0, [r3]\n\t"
                 "vstrw.32 q1, [r3, #16]\n"
                 : "+r"(x)
                 :
                 : HEADSTRONG_ALL_REGISTERS);
    // clang-format on
}

/// o_h = V_h p_h, times its factor, for all heads.
[[gnu::noinline]] inline void sum_values_of_heads(const value_sums& x) noexcept
{
    const std::size_t of_head = x.d_v / 8;
    for (std::size_t part = 0; part < x.heads * of_head; ++part) {
        const std::size_t h = part / of_head, at = part % of_head * 8;
        part_of_values one{x.values + h / x.per_key * x.d_v + at,
                           x.p + h * x.p_stride,
                           x.o + h * x.o_stride + at,
                           0,
                           x.v_stride * sizeof(float),
                           0,
                           nullptr};
        for (std::size_t left = x.count; one.factor == nullptr; one.add = 1) {
            one.links = left < longest_chain ? left : longest_chain;
            if (left <= longest_chain) one.factor = x.factors + h;
            sum_part(one);
            one.v += one.links * x.v_stride, one.p += one.links, left -= one.links;
        }
    }
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif  // HEADSTRONG_HELIUM
#endif
