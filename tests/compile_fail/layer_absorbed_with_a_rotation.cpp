// SPDX-License-Identifier: BSL-1.0
// error: the absorbed plan does not serve a score that is a callable: W^K is absorbed into the query by the linearity of an inner product
// names: plan_serves_the_scores<
#include "headstrong/mask.hpp"
#include "headstrong/multi_head.hpp"
#include "headstrong/transform.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using feature = hs::causal_from<1>;
#else
using feature = hs::rotary<hs::rotation::half_split, float, 4, 5>;
#endif
using layer = hs::multi_head<float, hs::dims{.d_model = 8, .heads = 2}, hs::scaled_dot, feature>;

auto mistake(const layer& f, const hs::matrix<float, 8, 3>& q, const hs::matrix<float, 8, 5>& k)
{
    return f(q, k, k, hs::by<hs::plan_kind::absorbed>);
}
