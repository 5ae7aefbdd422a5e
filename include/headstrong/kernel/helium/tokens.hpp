// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_HELIUM_TOKENS_HPP
#define HEADSTRONG_KERNEL_HELIUM_TOKENS_HPP
/// @file
/// kernel/cortex_m/tokens.hpp by the vectors of Helium; only where HEADSTRONG_HELIUM is 1.

#include "headstrong/kernel/cortex_m/tokens.hpp"
#include "headstrong/kernel/helium/operands.hpp"

#if HEADSTRONG_HELIUM

#include <cstddef>
#include <cstdint>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// lanes[4 r + i] = token[i][r] factor.
[[gnu::noinline]] inline void scale_tokens(const four_tokens& operands, float factor) noexcept
{
    register const void* x asm("r0") = &operands;
    register std::uint32_t by asm("r1") = __builtin_bit_cast(std::uint32_t, factor);
    // clang-format off
    asm volatile("ldrd r2, r3, [r0, #16]\n\t"
                 "vldrw.32 q0, [r0]\n\t"  // where the four numbers of a row lie, less what is added before a load
                 "mov r0, #4\n\t"
                 "vsub.i32 q0, q0, r0\n\t"
                 "dls lr, r3\n"
                 "1:\n\t"
                 "vldrw.u32 q1, [q0, #4]!\n\t"
                 "vmul.f32 q1, q1, r1\n\t"
                 "vstrw.32 q1, [r2], #16\n\t"
                 "le lr, 1b\n"
                 : "+r"(x), "+r"(by)
                 :
                 : "memory", "r2", "r3", "lr", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7");
    // clang-format on
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif  // HEADSTRONG_HELIUM
#endif
