// SPDX-License-Identifier: BSL-1.0
// error: by<plan_kind::...> must name the plan of the workspace
// names: plan_asked_for_is_taken<
#include "headstrong/attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
constexpr auto plan = hs::by<hs::plan_kind::direct>;
#else
constexpr auto plan = hs::by<hs::plan_kind::streamed>;
#endif

auto mistake(const hs::matrix<float, 8, 3>& q, const hs::matrix<float, 8, 16>& k)
{
    return hs::attention(q, k, k, plan);
}
