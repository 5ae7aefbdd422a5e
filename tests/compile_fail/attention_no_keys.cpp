// SPDX-License-Identifier: BSL-1.0
// error: a matrix has at least one row and one column: n, m and all widths must be at least 1
// names: matrix_has_rows_and_columns<4, 0>
// errors: 2
#include "headstrong/attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
constexpr std::size_t m = 15;
#else
constexpr std::size_t m = 0;
#endif

auto mistake(const hs::matrix<float, 4, 3>& q, const hs::matrix_view<const float, 4, m>& k)
{
    return hs::attention(q, k, k);
}
