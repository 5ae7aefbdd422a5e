// SPDX-License-Identifier: BSL-1.0
// error: a matrix has at least one row and one column: n, m and all widths must be at least 1
// names: matrix_has_rows_and_columns<4, 0>
#include "headstrong/matrix.hpp"

#ifdef HEADSTRONG_CONTROL
headstrong::matrix<float, 4, 1> x;
#else
headstrong::matrix<float, 4, 0> x;
#endif
