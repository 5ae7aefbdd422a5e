// SPDX-License-Identifier: BSL-1.0
// error: in a product the columns of the left matrix must equal the rows of the right one
// names: inner_sizes_agree<3, 4>
#include "headstrong/linear.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using right = hs::matrix<float, 3, 5>;
#else
using right = hs::matrix<float, 4, 5>;
#endif

auto mistake(const hs::matrix<float, 2, 3>& w, const right& x) { return hs::multiply(w, x); }
