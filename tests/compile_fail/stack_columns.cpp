// SPDX-License-Identifier: BSL-1.0
// error: matrices that are stacked must have the same number of columns
// names: stacked_have_the_same_columns<3, 3, 2>
#include "headstrong/linear.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using last = hs::matrix<float, 4, 3>;
#else
using last = hs::matrix<float, 4, 2>;
#endif

auto mistake(const hs::matrix<float, 1, 3>& a, const hs::matrix<float, 2, 3>& b, const last& c) { return hs::stack(a, b, c); }
