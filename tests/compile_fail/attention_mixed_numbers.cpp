// SPDX-License-Identifier: BSL-1.0
// error: all operands of a call hold the same type of number (float or double): convert the one that differs
// names: one_number_type<double, float>
#include "headstrong/attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using key = hs::matrix<float, 4, 15>;
#else
using key = hs::matrix<double, 4, 15>;
#endif

auto mistake(const hs::matrix<float, 4, 3>& q, const key& k, const hs::matrix<float, 2, 15>& v)
{
    return hs::attention(q, k, v);
}
