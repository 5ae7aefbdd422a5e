// SPDX-License-Identifier: BSL-1.0
// error: a score function of matrices gives M^{m x n}: a row per key and a column per query
// names: scores_are_keys_by_queries<3, 5, 5, 3>
#include "headstrong/attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using scores = hs::matrix<float, 5, 3>;
#else
using scores = hs::matrix<float, 3, 5>;
#endif

auto mistake(const hs::matrix<float, 4, 3>& q, const hs::matrix<float, 4, 5>& k, const hs::matrix<float, 2, 5>& v)
{
    return hs::attention(q, k, v, hs::of_matrices([](auto, auto) { return scores{}; }));
}
