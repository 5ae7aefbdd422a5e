// SPDX-License-Identifier: BSL-1.0
// error: documents has one number for each query and one for each key
// names: documents_name_every_token<4, 5, 3, 5>
#include "headstrong/attention.hpp"

#include <array>

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using ids = std::array<int, 3>;
#else
using ids = std::array<int, 4>;
#endif

auto mistake(const hs::matrix<float, 4, 3>& q, const hs::matrix<float, 4, 5>& k, const hs::matrix<float, 2, 5>& v, const ids& a, const std::array<int, 5>& b)
{
    return hs::attention(q, k, v, hs::documents(a, b));
}
