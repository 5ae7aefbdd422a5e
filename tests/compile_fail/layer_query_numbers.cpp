// SPDX-License-Identifier: BSL-1.0
// error: all operands of a call hold the same type of number (float or double): convert the one that differs
// names: one_number_type<double, float>
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;
using layer = hs::multi_head<float, hs::dims{.d_model = 32, .heads = 4, .d_key = 5, .d_value = 3, .d_out = 7}>;

#ifdef HEADSTRONG_CONTROL
using query = hs::matrix<float, 32, 16>;
#else
using query = hs::matrix<double, 32, 16>;
#endif

auto mistake(const layer& f, const query& q, const hs::matrix<float, 5, 15>& k,
             const hs::matrix<float, 3, 15>& v)
{
    return f(q, k, v);
}
