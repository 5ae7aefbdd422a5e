// SPDX-License-Identifier: BSL-1.0
// error: d_model and heads must be at least 1
// names: at_least_one_head<0, 4>
// errors: 4
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
constexpr hs::dims sizes{.d_model = 8, .heads = 4, .d_k = 2};
#else
constexpr hs::dims sizes{.d_model = 0, .heads = 4, .d_k = 2};
#endif

auto mistake(const hs::weights<float, sizes>& w) { return hs::multi_head<float, sizes>(w); }
