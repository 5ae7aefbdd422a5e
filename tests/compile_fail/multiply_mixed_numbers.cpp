// SPDX-License-Identifier: BSL-1.0
// error: all operands of a call hold the same type of number (float or double): convert the one that differs
// names: one_number_type<float, double>
#include "headstrong/linear.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using right = hs::matrix<float, 3, 5>;
#else
using right = hs::matrix<double, 3, 5>;
#endif

auto mistake(const hs::matrix<float, 2, 3>& w, const right& x) { return hs::multiply(w, x); }
