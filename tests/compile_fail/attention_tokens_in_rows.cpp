// SPDX-License-Identifier: BSL-1.0
// error: query and key must have the same number of rows d_k: a score compares their columns number by number
// names: query_and_key_have_d_k_rows<4, 15>
#include "headstrong/attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
auto key(const float* k) { return hs::rows<15, 4>(k); }
#else
auto key(const float* k) { return hs::columns<15, 4>(k); }
#endif

auto mistake(const hs::matrix<float, 4, 3>& q, const float* k)
{
    return hs::attention(q, key(k), key(k));
}
