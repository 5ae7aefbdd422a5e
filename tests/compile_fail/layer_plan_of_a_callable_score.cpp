// SPDX-License-Identifier: BSL-1.0
// error: the absorbed plan does not serve a score that is a callable: W^K is absorbed into the query by the linearity of an inner product
// names: plan_serves_the_scores<
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;

struct first_numbers {
    constexpr float operator()(const auto& q, const auto& k) const { return q[0] + k[0]; }
};

#ifdef HEADSTRONG_CONTROL
using layer = hs::multi_head<float, hs::dims{.d_model = 32, .heads = 4}, hs::dot>;
#else
using layer = hs::multi_head<float, hs::dims{.d_model = 32, .heads = 4}, first_numbers>;
#endif

auto mistake(const layer& f, const hs::matrix<float, 32, 1>& q, const hs::matrix<float, 32, 16>& k)
{
    return f(q, k, k, hs::by<hs::plan_kind::absorbed>);
}
