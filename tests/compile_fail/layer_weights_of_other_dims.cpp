// SPDX-License-Identifier: BSL-1.0
// error: weights and layer must have the same dims and the same type of number
// names: weights_have_the_dims_of_the_layer<headstrong::weights<float,
// names: {8, 4, 2, 2, 8, 8, 8, 4,
// names: {8, 2, 4, 4, 8, 8, 8, 2,
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;
using layer = hs::multi_head<float, hs::dims{.d_model = 8, .heads = 2}>;

#ifdef HEADSTRONG_CONTROL
using given = hs::weights<float, hs::dims{.d_model = 8, .heads = 2}>;
#else
using given = hs::weights<float, hs::dims{.d_model = 8, .heads = 4}>;
#endif

auto mistake(const given& w) { return layer(w); }
