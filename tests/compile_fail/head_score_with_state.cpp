// SPDX-License-Identifier: BSL-1.0
// error: the score of a layer's heads is an empty type: its constants are part of the type
// names: dot_times<float>
#include "headstrong/mixed_multi_head.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using layer = hs::mixed_multi_head<float, hs::widths{.d_model = 32}, hs::head<8, 8, hs::dot>>;
#else
using layer = hs::mixed_multi_head<float, hs::widths{.d_model = 32}, hs::head<8, 8, hs::dot_times<float>>>;
#endif

auto mistake(const layer::packed_type& weights) { return layer(weights); }
