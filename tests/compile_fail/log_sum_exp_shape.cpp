// SPDX-License-Identifier: BSL-1.0
// error: log-sum-exp is M^{heads x n}: a number per head and query
// names: log_sum_exp_is_heads_by_queries<3, 1, 1, 3>
#include "headstrong/attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using result = hs::matrix<float, 1, 3>;
#else
using result = hs::matrix<float, 3, 1>;
#endif

auto mistake(const hs::matrix<float, 4, 3>& q, const hs::matrix<float, 4, 5>& k, const hs::matrix<float, 2, 5>& v, result& x)
{
    return hs::attention(q, k, v, hs::log_sum_exp_into(x));
}
