// SPDX-License-Identifier: BSL-1.0
// error: weights and scores are M^{m x n}: a row per key, appended keys counted
// names: result_has_a_number_per_score<5, 3, 6, 3>
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using result = hs::matrix<float, 6, 3>;
#else
using result = hs::matrix<float, 5, 3>;
#endif
using layer = hs::multi_head<float, hs::dims{.d_model = 8, .heads = 2}, hs::scaled_dot, hs::appended_zero>;

auto mistake(const layer& f, const hs::matrix<float, 8, 3>& q, const hs::matrix<float, 8, 5>& k, result& x)
{
    return f(q, k, k, hs::mean_weights_into(x));
}
