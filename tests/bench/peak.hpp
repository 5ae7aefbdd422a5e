// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_BENCH_PEAK_HPP
#define HEADSTRONG_BENCH_PEAK_HPP
/// @file
/// The limit of the core: fused multiply-adds on registers and nothing else.

#include <cstddef>

namespace bench {

/// Multiply-adds of one call of run_at_the_limit.
extern const double multiply_adds_at_the_limit;

void run_at_the_limit(std::size_t calls);

}  // namespace bench

#endif
