// SPDX-License-Identifier: BSL-1.0
// error: a mask or score bias is M^{m x n}: a row per key and a column per query
// names: mask_has_a_number_per_score<5, 4, 5, 3>
#include "headstrong/attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using numbers = hs::matrix<float, 5, 3>;
#else
using numbers = hs::matrix<float, 5, 4>;
#endif

auto mistake(const hs::matrix<float, 4, 3>& q, const hs::matrix<float, 4, 5>& k, const hs::matrix<float, 2, 5>& v, const numbers& x)
{
    return hs::attention(q, k, v, hs::score_bias(x));
}
