// SPDX-License-Identifier: BSL-1.0
// error: a bias is one column with as many rows as its weight
// names: bias_has_the_rows_of_its_weight<3, 2>
#include "headstrong/linear.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using bias = hs::matrix<float, 2, 1>;
#else
using bias = hs::matrix<float, 3, 1>;
#endif

auto mistake(const hs::matrix<float, 2, 3>& w, const hs::matrix<float, 3, 5>& x, const bias& b) { return hs::affine(w, x, b); }
