// SPDX-License-Identifier: BSL-1.0
// error: heads must be a multiple of kv_heads: each key/value head serves the same number of query heads
// names: kv_heads_divide_heads<2, 4>
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
constexpr hs::dims sizes{.d_model = 32, .heads = 4, .kv_heads = 2};
#else
constexpr hs::dims sizes{.d_model = 32, .heads = 2, .kv_heads = 4};
#endif

auto mistake(const hs::weights<float, sizes>& w) { return hs::multi_head<float, sizes>(w); }
