// SPDX-License-Identifier: BSL-1.0
// error: the numbers of a layer or matrix product are float or double
// names: numbers_are_float_or_double<long double>
#include "headstrong/linear.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using number = double;
#else
using number = long double;
#endif

auto mistake(const hs::matrix<number, 3, 3>& x) { return hs::softmax(x); }
