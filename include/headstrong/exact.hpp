// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXACT_HPP
#define HEADSTRONG_EXACT_HPP
/// @file
/// Mathematics with the same bits on every target and in constant expressions: fma, sqrt, nearest_integer, exp, tanh, log,
/// power, sin_cos.

#include "headstrong/exact/exp.hpp"
#include "headstrong/exact/fma.hpp"
#include "headstrong/exact/log.hpp"
#include "headstrong/exact/sine.hpp"
#include "headstrong/exact/sqrt.hpp"
#include "headstrong/exact/tanh.hpp"

#endif
