// SPDX-License-Identifier: BSL-1.0
// What check_symbols.cmake is to find: inline functions without an instruction set in their names.
#include "headstrong/exact.hpp"

inline float computes(float x) { return x + 2; }
inline float calls_what_computes(const float* x) { return headstrong::exp(*x); }

float UNIT(const float* x);
float UNIT(const float* x) { return computes(*x) + calls_what_computes(x); }
