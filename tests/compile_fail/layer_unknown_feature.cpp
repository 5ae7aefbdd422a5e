// SPDX-License-Identifier: BSL-1.0
// error: behind its score a head lists features: masks, score biases, sink, appended_token, appended_zero
// names: feature_of_a_head<false>
#include "headstrong/mask.hpp"
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using feature = hs::causal_from<1>;
#else
struct feature {};
#endif
using layer = hs::multi_head<float, hs::dims{.d_model = 8, .heads = 2}, hs::scaled_dot, feature>;

auto mistake(const layer& f, const hs::matrix<float, 8, 3>& q, const hs::matrix<float, 8, 5>& k)
{
    return f(q, k, k);
}
