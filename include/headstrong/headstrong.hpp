// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_HEADSTRONG_HPP
#define HEADSTRONG_HEADSTRONG_HPP
/// @file
/// Everything but the readers of files.

// GCC warns where a lambda in a template has a name that the user of the template has given to something global.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif

#include "headstrong/attention.hpp"
#include "headstrong/exact.hpp"
#include "headstrong/feature.hpp"
#include "headstrong/folded_multi_head.hpp"
#include "headstrong/forms.hpp"
#include "headstrong/kv_cache.hpp"
#include "headstrong/linear.hpp"
#include "headstrong/mixed_multi_head.hpp"
#include "headstrong/multi_head.hpp"
#include "headstrong/residual_attention.hpp"
#include "headstrong/transform.hpp"
#include "headstrong/version.hpp"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif
