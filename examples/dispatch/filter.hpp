// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXAMPLES_DISPATCH_FILTER_HPP
#define HEADSTRONG_EXAMPLES_DISPATCH_FILTER_HPP
/// @file
/// One function for three instruction sets. What is stored is the same for all of them: a layer made by one unit serves the
/// others.

#include <headstrong/headstrong.hpp>

namespace dispatch {

namespace hs = headstrong;

using layer = hs::multi_head<float, hs::dims{.d_model = 48, .heads = 4, .d_k = 12, .d_v = 12}>;
using tokens = hs::matrix<float, 48, 35>;

/// Self-attention, y = layer(x, x, x). filter.cpp defines one of them, and is compiled once for each.
using filter = void(const layer& attend, const tokens& x, tokens& y) noexcept;
filter filter_v1, filter_v3, filter_v4;

}  // namespace dispatch

#endif
