// SPDX-License-Identifier: BSL-1.0
// error: with n != m a causal mask, window or distance needs its corner: corner::top_left
// names: corner_is_named<false, 3, 5>
#include "headstrong/attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using mask = hs::window<1, 0, hs::corner::top_left>;
#else
using mask = hs::window<1, 0>;
#endif

auto mistake(const hs::matrix<float, 4, 3>& q, const hs::matrix<float, 4, 5>& k, const hs::matrix<float, 2, 5>& v)
{
    return hs::attention(q, k, v, mask{});
}
