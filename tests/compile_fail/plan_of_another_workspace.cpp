// SPDX-License-Identifier: BSL-1.0
// error: by<plan_kind::...> must name the plan of the workspace
// names: plan_asked_for_is_taken<
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;
using layer = hs::multi_head<float, hs::dims{.d_model = 32, .heads = 4}>;

#ifdef HEADSTRONG_CONTROL
using memory = layer::workspace<1, 16, hs::plan_kind::direct>;
#else
using memory = layer::workspace<1, 16, hs::plan_kind::absorbed>;
#endif

void mistake(const layer& f, const hs::matrix<float, 32, 1>& q, const hs::matrix<float, 32, 16>& k, hs::matrix<float, 32, 1>& y,
             memory& scratch)
{
    f(q, k, k, y, scratch, hs::by<hs::plan_kind::direct>);
}
