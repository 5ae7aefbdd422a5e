// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_MASK_HPP
#define HEADSTRONG_MASK_HPP
/// @file
/// Masks and other functions of position, as types: which keys a query sees, and what is added to their scores.

#include "headstrong/mask/bands.hpp"
#include "headstrong/mask/combine.hpp"
#include "headstrong/mask/matrices.hpp"
#include "headstrong/mask/place.hpp"
#include "headstrong/mask/position_bias.hpp"

#endif
