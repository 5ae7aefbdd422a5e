// SPDX-License-Identifier: BSL-1.0
// error: behind its matrices a call takes masks and score biases, requests for results
// names: option_of_a_call<false>
#include "headstrong/mask.hpp"
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
constexpr hs::causal_from<1> option;
#else
constexpr hs::sink<float> option{1};
#endif
using layer = hs::multi_head<float, hs::dims{.d_model = 8, .heads = 2}>;

auto mistake(const layer& f, const hs::matrix<float, 8, 3>& q, const hs::matrix<float, 8, 5>& k)
{
    return f(q, k, k, option);
}
