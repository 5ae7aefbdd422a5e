// SPDX-License-Identifier: BSL-1.0
// error: all operands of a call hold the same type of number (float or double): convert the one that differs
// names: one_number_type<double, float>
#include "headstrong/attention.hpp"

namespace hs = headstrong;
using scratch_memory = hs::attention_workspace<float, 4, 2, 3, 15>;

#ifdef HEADSTRONG_CONTROL
using output = hs::matrix<float, 2, 3>;
#else
using output = hs::matrix<double, 2, 3>;
#endif

void mistake(const hs::matrix<float, 4, 3>& q, const hs::matrix<float, 4, 15>& k, const hs::matrix<float, 2, 15>& v, output& y, scratch_memory& scratch)
{
    hs::attention(q, k, v, y, scratch, hs::scaled_dot{});
}
