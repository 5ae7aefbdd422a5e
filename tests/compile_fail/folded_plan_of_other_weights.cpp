// SPDX-License-Identifier: BSL-1.0
// error: folded is the one plan of a folded_multi_head, whose weights are folded when packed, and of no other layer
// names: plan_serves_the_weights<
#include "headstrong/folded_multi_head.hpp"
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;

constexpr hs::dims sizes{.d_model = 8, .heads = 2};
#ifdef HEADSTRONG_CONTROL
using layer = hs::folded_multi_head<float, sizes>;
#else
using layer = hs::multi_head<float, sizes>;
#endif

auto mistake(const layer& f, const hs::matrix<float, 8, 3>& q, const hs::matrix<float, 8, 5>& k)
{
    return f(q, k, k, hs::by<hs::plan_kind::folded>);
}
