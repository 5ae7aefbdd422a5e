// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_CORTEX_M_TOKENS_HPP
#define HEADSTRONG_KERNEL_CORTEX_M_TOKENS_HPP
/// @file
/// Queries into lanes; only where HEADSTRONG_CORTEX_M is 1 and HEADSTRONG_HELIUM is not.

#include "headstrong/kernel/cortex_m/operands.hpp"

#if HEADSTRONG_CORTEX_M

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// What scale_tokens works on, in this order.
struct four_tokens {
    const float* token[4];
    float* lanes;
    std::size_t rows;  ///< at least one
};

#if !HEADSTRONG_HELIUM
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
#endif

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif  // HEADSTRONG_CORTEX_M
#endif
