// SPDX-License-Identifier: BSL-1.0
// error: query and key must have the same number of rows d_k: a score compares their columns number by number
// names: query_and_key_have_d_k_rows<4, 5>
#include "headstrong/attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using key = hs::matrix<float, 4, 15>;
#else
using key = hs::matrix<float, 5, 15>;
#endif

auto mistake(const hs::matrix<float, 4, 3>& q, const key& k, const hs::matrix<float, 2, 15>& v)
{
    return hs::attention(q, k, v);
}
