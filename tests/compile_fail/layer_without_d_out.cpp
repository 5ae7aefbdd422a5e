// SPDX-License-Identifier: BSL-1.0
// error: d_key, d_value and d_out must be at least 1; leave them out to take d_model
// names: widths_are_positive<32, 32, 0>
// errors: 2
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
constexpr hs::dims sizes{.d_model = 32, .heads = 4, .d_out = 5};
#else
constexpr hs::dims sizes{.d_model = 32, .heads = 4, .d_out = 0};
#endif

auto mistake(const hs::weights<float, sizes>& w) { return hs::multi_head<float, sizes>(w); }
