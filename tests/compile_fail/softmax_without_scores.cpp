// SPDX-License-Identifier: BSL-1.0
// error: a matrix has at least one row and one column: n, m and all widths must be at least 1
// names: matrix_has_rows_and_columns<0, 5>
// errors: 2
#include "headstrong/linear.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
constexpr std::size_t m = 1;
#else
constexpr std::size_t m = 0;
#endif

auto mistake(const float* x) { return hs::softmax(hs::columns<m, 5>(x)); }
