// SPDX-License-Identifier: BSL-1.0
// error: a folded layer multiplies W_h^K and W_h^Q when packing: its score is an inner product, with no rotation, norm or appended token between projection and score
// names: folding_serves_the_heads<
#include "headstrong/folded_multi_head.hpp"
#include "headstrong/mask.hpp"
#include "headstrong/transform.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using feature = hs::causal_from<1>;
#else
using feature = hs::rotary<hs::rotation::half_split, float, 4, 5>;
#endif
using layer = hs::folded_multi_head<float, hs::dims{.d_model = 8, .heads = 2}, hs::scaled_dot, feature>;

auto mistake(const layer& f, const hs::matrix<float, 8, 3>& q, const hs::matrix<float, 8, 5>& k) { return f(q, k, k); }
