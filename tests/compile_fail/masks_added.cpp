// SPDX-License-Identifier: BSL-1.0
// error: + adds what changes scores (score_bias, alibi, ...) to a mask or to another
// names: biases_are_added_by_plus<true, true>
#include "headstrong/attention.hpp"

namespace hs = headstrong;

auto mistake(const hs::matrix<float, 4, 3>& x, const hs::matrix<bool, 3, 3>& a)
{
#ifdef HEADSTRONG_CONTROL
    return hs::attention(x, x, x, hs::causal<>{} & hs::keep(a));
#else
    return hs::attention(x, x, x, hs::causal<>{} + hs::keep(a));
#endif
}
