// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_TWO_UNITS_HPP
#define HEADSTRONG_TESTS_TWO_UNITS_HPP

/// The bytes of everything that a unit computes.
struct results {
    unsigned char bytes[32 * 1024];
};

void unit_with_avx2(results& out, int seed);
void unit_without(results& out, int seed);

#endif
