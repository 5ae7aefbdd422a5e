// SPDX-License-Identifier: BSL-1.0
// error: the absorbed plan does not serve a score that is a callable: W^K is absorbed into the query by the linearity of an inner product
// names: plan_serves_the_scores<
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;

struct first_numbers {
    constexpr float operator()(const auto& q, const auto& k) const { return q[0] + k[0]; }
};
using layer = hs::multi_head<float, hs::dims{.d_model = 32, .heads = 4}, first_numbers>;

#ifdef HEADSTRONG_CONTROL
using memory = layer::workspace<1, 16, hs::plan_kind::direct>;
#else
using memory = layer::workspace<1, 16, hs::plan_kind::absorbed>;
#endif

void mistake(const layer& f, const hs::matrix<float, 32, 1>& q, const hs::matrix<float, 32, 16>& k, hs::matrix<float, 32, 1>& y,
             memory& scratch)
{
    f(q, k, k, y, scratch);
}
