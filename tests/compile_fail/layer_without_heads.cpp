// SPDX-License-Identifier: BSL-1.0
// error: d_model and heads must be at least 1
// names: at_least_one_head<32, 0>
// errors: 5
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
constexpr hs::dims sizes{.d_model = 32, .heads = 1};
#else
constexpr hs::dims sizes{.d_model = 32, .heads = 0};
#endif

auto mistake(const hs::weights<float, sizes>& w) { return hs::multi_head<float, sizes>(w); }
