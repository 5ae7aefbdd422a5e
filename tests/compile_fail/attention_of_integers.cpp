// SPDX-License-Identifier: BSL-1.0
// error: the numbers of a layer or matrix product are float or double
// names: numbers_are_float_or_double<int>
#include "headstrong/attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using number = float;
#else
using number = int;
#endif

auto mistake(const hs::matrix<number, 4, 3>& x)
{
    return hs::attention(x, x, x);
}
