// SPDX-License-Identifier: BSL-1.0
// error: key must have d_key rows (d_model unless dims says otherwise)
// names: key_has_d_key_rows<32, 5>
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;
using layer = hs::multi_head<float, hs::dims{.d_model = 32, .heads = 4, .d_key = 5, .d_value = 3, .d_out = 7}>;

#ifdef HEADSTRONG_CONTROL
using key = hs::matrix<float, 5, 15>;
#else
using key = hs::matrix<float, 32, 15>;
#endif

auto mistake(const layer& f, const hs::matrix<float, 32, 16>& q, const key& k,
             const hs::matrix<float, 3, 15>& v)
{
    return f(q, k, v);
}
