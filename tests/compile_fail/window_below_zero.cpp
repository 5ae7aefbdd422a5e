// SPDX-License-Identifier: BSL-1.0
// error: the left and right of a window count keys beside the query's own: 0 or more
// names: window_is_not_negative<-1, 0>
#include "headstrong/attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using mask = hs::window<1, 0, hs::corner::top_left>;
#else
using mask = hs::window<-1, 0, hs::corner::top_left>;
#endif

auto mistake(const hs::matrix<float, 4, 3>& q, const hs::matrix<float, 4, 5>& k, const hs::matrix<float, 2, 5>& v)
{
    return hs::attention(q, k, v, mask{});
}
