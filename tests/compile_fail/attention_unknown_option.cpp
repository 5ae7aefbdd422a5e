// SPDX-License-Identifier: BSL-1.0
// error: behind its matrices a call takes masks and score biases, requests for results
// names: option_of_a_call<false>
#include "headstrong/attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using option = hs::causal_from<1>;
#else
struct option {};
#endif

auto mistake(const hs::matrix<float, 4, 3>& q, const hs::matrix<float, 4, 5>& k, const hs::matrix<float, 2, 5>& v)
{
    return hs::attention(q, k, v, hs::scaled_dot{}, option{});
}
