// SPDX-License-Identifier: BSL-1.0
// error: all operands of a call hold the same type of number (float or double): convert the one that differs
// names: one_number_type<double, float>
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;
using layer = hs::multi_head<float, hs::dims{.d_model = 32, .heads = 4, .d_key = 5, .d_value = 3, .d_out = 7}>;

#ifdef HEADSTRONG_CONTROL
using output = hs::matrix<float, 7, 16>;
#else
using output = hs::matrix<double, 7, 16>;
#endif

void mistake(const layer& f, const hs::matrix<float, 32, 16>& q, const hs::matrix<float, 5, 15>& k,
             const hs::matrix<float, 3, 15>& v, output& y, layer::workspace<16, 15>& scratch)
{
    f(q, k, v, y, scratch);
}
