// SPDX-License-Identifier: BSL-1.0
// error: this call would put more than HEADSTRONG_MAX_STACK_BYTES on the stack: use the overload (q, k, v, y, scratch) with a workspace<n, m> that you own, or raise the limit
// names: fits_the_stack<131456, 131072>
#include "headstrong/attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
constexpr std::size_t m = 1000;
#else
constexpr std::size_t m = 1024;
#endif

auto mistake(const hs::matrix<float, 1, 32>& q, const hs::matrix<float, 1, m>& k)
{
    return hs::attention(q, k, k);
}
