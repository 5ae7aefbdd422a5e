// SPDX-License-Identifier: BSL-1.0
// error: a layer of mixed heads lists at least one head<d_k, d_v>
// names: mixed_layer_has_a_head<0>
// errors: 2
#include "headstrong/mixed_multi_head.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using layer = hs::mixed_multi_head<float, hs::widths{.d_model = 32}, hs::head<8, 8>>;
#else
using layer = hs::mixed_multi_head<float, hs::widths{.d_model = 32}>;
#endif

auto mistake(const layer::packed_type& weights) { return layer(weights); }
