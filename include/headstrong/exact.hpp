// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXACT_HPP
#define HEADSTRONG_EXACT_HPP
/// @file
/// Scalar mathematics with the same bits on every target and in constant expressions: fma, exp, sqrt, nearest_integer.

#include "headstrong/exact/exp.hpp"
#include "headstrong/exact/fma.hpp"
#include "headstrong/exact/sqrt.hpp"

#endif
