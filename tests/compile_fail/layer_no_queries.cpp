// SPDX-License-Identifier: BSL-1.0
// error: a matrix has at least one row and one column: n, m and all widths must be at least 1
// names: matrix_has_rows_and_columns<32, 0>
// errors: 2
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;
using layer = hs::multi_head<float, hs::dims{.d_model = 32, .heads = 4, .d_key = 5, .d_value = 3, .d_out = 7}>;

#ifdef HEADSTRONG_CONTROL
using query = hs::matrix_view<const float, 32, 16>;
#else
using query = hs::matrix_view<const float, 32, 0>;
#endif

auto mistake(const layer& f, const query& q, const hs::matrix<float, 5, 15>& k,
             const hs::matrix<float, 3, 15>& v)
{
    return f(q, k, v);
}
