// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_BENCH_PEAK_HPP
#define HEADSTRONG_BENCH_PEAK_HPP
/// @file
/// The limits of the core: fused multiply-adds on registers and nothing else, and numbers read from the caches and nothing done
/// with them.

#include <cstddef>
#include <vector>

namespace bench {

/// Multiply-adds of one call of run_at_the_limit.
extern const double multiply_adds_at_the_limit;

void run_at_the_limit(std::size_t calls);

/// Reads so many bytes, at least a register, one after another.
class reader {
public:
    explicit reader(std::size_t bytes);
    void run(std::size_t calls) const;

private:
    std::vector<float> numbers_;
};

}  // namespace bench

#endif
