// SPDX-License-Identifier: BSL-1.0
// error: d_k and d_v must be at least 1; left out, d_k is d_model / heads, so heads must divide d_model
// names: head_size_given_or_divides<32, 1, 8, 0>
// errors: 3
#include "headstrong/mixed_multi_head.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using layer = hs::mixed_multi_head<float, hs::widths{.d_model = 32}, hs::head<8, 8>>;
#else
using layer = hs::mixed_multi_head<float, hs::widths{.d_model = 32}, hs::head<8, 0>>;
#endif

auto mistake(const layer::packed_type& weights) { return layer(weights); }
