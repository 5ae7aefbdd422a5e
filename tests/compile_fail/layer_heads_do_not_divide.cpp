// SPDX-License-Identifier: BSL-1.0
// error: d_k and d_v must be at least 1; left out, d_k is d_model / heads, so heads must divide d_model
// names: head_size_given_or_divides<32, 5, 0, 0>
// errors: 3
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
constexpr hs::dims sizes{.d_model = 32, .heads = 5, .d_k = 6};
#else
constexpr hs::dims sizes{.d_model = 32, .heads = 5};
#endif

auto mistake(const hs::weights<float, sizes>& w) { return hs::multi_head<float, sizes>(w); }
