// SPDX-License-Identifier: BSL-1.0
// error: a learned score, a norm or an appended token has the d_k and d_v of its head
// names: feature_has_the_sizes_of_its_head<3, 2, 4, 2>
#include "headstrong/attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using score = hs::bilinear<float, 4>;
#else
using score = hs::bilinear<float, 3>;
#endif

auto mistake(const hs::matrix<float, 4, 3>& q, const hs::matrix<float, 4, 5>& k, const hs::matrix<float, 2, 5>& v, const score& f)
{
    return hs::attention(q, k, v, f);
}
