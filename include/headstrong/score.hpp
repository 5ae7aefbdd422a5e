// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_SCORE_HPP
#define HEADSTRONG_SCORE_HPP
/// @file
/// Score functions f: how well a key fits a query.

#include "headstrong/score/callable.hpp"
#include "headstrong/score/inner_product.hpp"
#include "headstrong/score/learned.hpp"
#include "headstrong/score/measured.hpp"
#include "headstrong/score/soft_capped.hpp"

#endif
