// SPDX-License-Identifier: BSL-1.0
// error: this call would put more than HEADSTRONG_MAX_STACK_BYTES on the stack: use the overload (q, k, v, y, scratch) with a workspace<n, m> that you own, or raise the limit
// names: fits_the_stack<196096, 131072>
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;
using layer = hs::multi_head<float, hs::dims{.d_model = 32, .heads = 4}>;

#ifdef HEADSTRONG_CONTROL
constexpr std::size_t m = 512;
#else
constexpr std::size_t m = 1000;
#endif

auto mistake(const layer& f, const hs::matrix<float, 32, 16>& q, const hs::matrix<float, 32, m>& k)
{
    return f(q, k, k);
}
