// SPDX-License-Identifier: BSL-1.0
// error: value must have d_value rows (d_model unless dims says otherwise)
// names: value_has_d_value_rows<5, 3>
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;
using layer = hs::multi_head<float, hs::dims{.d_model = 32, .heads = 4, .d_key = 5, .d_value = 3, .d_out = 7}>;

#ifdef HEADSTRONG_CONTROL
using value = hs::matrix<float, 3, 15>;
#else
using value = hs::matrix<float, 5, 15>;
#endif

auto mistake(const layer& f, const hs::matrix<float, 32, 16>& q, const hs::matrix<float, 5, 15>& k,
             const value& v)
{
    return f(q, k, v);
}
