// SPDX-License-Identifier: BSL-1.0
// error: & joins masks (causal, window, keep, ...): what changes scores is added by +
// names: masks_are_joined_by_and<false, false>
#include "headstrong/attention.hpp"

namespace hs = headstrong;

auto mistake(const hs::matrix<float, 4, 3>& x, const hs::matrix<float, 3, 3>& a)
{
#ifdef HEADSTRONG_CONTROL
    return hs::attention(x, x, x, hs::alibi<hs::slopes::geometric>{} + hs::score_bias(a));
#else
    return hs::attention(x, x, x, hs::alibi<hs::slopes::geometric>{} & hs::score_bias(a));
#endif
}
