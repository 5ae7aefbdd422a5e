// SPDX-License-Identifier: BSL-1.0
// error: key and value must have the same number of columns m: one value per key
// names: one_value_per_key<15, 16>
#include "headstrong/attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using value = hs::matrix<float, 2, 15>;
#else
using value = hs::matrix<float, 2, 16>;
#endif

auto mistake(const hs::matrix<float, 4, 3>& q, const hs::matrix<float, 4, 15>& k, const value& v)
{
    return hs::attention(q, k, v);
}
