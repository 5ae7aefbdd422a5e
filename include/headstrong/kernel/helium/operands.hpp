// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_HELIUM_OPERANDS_HPP
#define HEADSTRONG_KERNEL_HELIUM_OPERANDS_HPP
/// @file
/// What the register tiles of the multiply kernel have in common that compute by the vectors of Helium: four lanes a register,
/// times a number in a core register; only where HEADSTRONG_HELIUM is 1.
///
/// In assembly, because compilers load the numbers of B one at a time (and GCC 12 also makes no low-overhead loops): an LDM
/// loads four by one instruction. The multiply-adds are those of kernel/tile.hpp, in the same order for each sum.

#include "headstrong/kernel/cortex_m/operands.hpp"

#if HEADSTRONG_HELIUM

// clang-format off: one instruction or one step a line
/// sum += a number, sum and a in vector registers.
#define HEADSTRONG_VFMA(sum, a, number) "vfma.f32 q" #sum ", q" #a ", " #number "\n\t"
#define HEADSTRONG_VADD(sum, a) "vadd.f32 q" #sum ", q" #a ", q" #sum "\n\t"
/// r5 = links / 4, r6 = add + 2 (links mod 4)
#define HEADSTRONG_FOURS_AND_REST \
    "and r0, r5, #3\n\t" "orr r6, r6, r0, lsl #1\n\t" "lsrs r5, r5, #2\n\t"
// clang-format on

#endif  // HEADSTRONG_HELIUM
#endif
