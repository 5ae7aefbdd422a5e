// SPDX-License-Identifier: BSL-1.0
// error: a mask is said by name: keep(x) or drop(x)
// names: score_is_product_or_callable<
#include "headstrong/attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using mask = hs::keep<hs::matrix<bool, 5, 3>>;
#else
using mask = hs::matrix<bool, 5, 3>;
#endif

auto mistake(const hs::matrix<float, 4, 3>& q, const hs::matrix<float, 4, 5>& k, const hs::matrix<float, 2, 5>& v, const mask& x)
{
    return hs::attention(q, k, v, x);
}
