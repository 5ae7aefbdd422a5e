// SPDX-License-Identifier: BSL-1.0
// error: with n != m a causal mask, window or distance needs its corner: corner::top_left
// names: corner_is_named<false, 3, 5>
#include "headstrong/mask.hpp"
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using feature = hs::causal<hs::corner::top_left>;
#else
using feature = hs::causal<>;
#endif
using layer = hs::multi_head<float, hs::dims{.d_model = 8, .heads = 2}, hs::scaled_dot, feature>;

auto mistake(const layer& f, const hs::matrix<float, 8, 3>& q, const hs::matrix<float, 8, 5>& k)
{
    return f(q, k, k);
}
