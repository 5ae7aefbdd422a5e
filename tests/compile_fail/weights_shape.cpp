// SPDX-License-Identifier: BSL-1.0
// error: weights and scores are M^{m x n}: a row per key, appended keys counted, and a column per query
// names: result_has_a_number_per_score<3, 5, 5, 3>
#include "headstrong/attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using result = hs::matrix<float, 5, 3>;
#else
using result = hs::matrix<float, 3, 5>;
#endif

auto mistake(const hs::matrix<float, 4, 3>& q, const hs::matrix<float, 4, 5>& k, const hs::matrix<float, 2, 5>& v, result& x)
{
    return hs::attention(q, k, v, hs::weights_into(x));
}
