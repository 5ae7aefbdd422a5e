// SPDX-License-Identifier: BSL-1.0
// error: a matrix has at least one row and one column: n, m and all widths must be at least 1
// names: matrix_has_rows_and_columns<5, 0>
// errors: 2
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;
using layer = hs::multi_head<float, hs::dims{.d_model = 32, .heads = 4, .d_key = 5, .d_value = 3, .d_out = 7}>;

#ifdef HEADSTRONG_CONTROL
constexpr std::size_t m = 15;
#else
constexpr std::size_t m = 0;
#endif

auto mistake(const layer& f, const hs::matrix<float, 32, 16>& q, const hs::matrix_view<const float, 5, m>& k,
             const hs::matrix_view<const float, 3, m>& v)
{
    return f(q, k, v);
}
