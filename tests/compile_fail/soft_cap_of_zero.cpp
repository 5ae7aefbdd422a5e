// SPDX-License-Identifier: BSL-1.0
// error: a soft cap is a std::ratio above 0; leave soft_capped out for no cap
// names: cap_is_positive<0, 1>
#include "headstrong/attention.hpp"

#include <ratio>

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using cap = std::ratio<1, 4>;
#else
using cap = std::ratio<0>;
#endif

auto mistake(const hs::matrix<float, 4, 3>& q, const hs::matrix<float, 4, 5>& k, const hs::matrix<float, 2, 5>& v)
{
    return hs::attention(q, k, v, hs::soft_capped<cap>{});
}
