// SPDX-License-Identifier: BSL-1.0
// error: the streamed plan serves neither appended tokens nor a score function of matrices
// names: plan_serves_the_features<
#include "headstrong/mask.hpp"
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using feature = hs::causal_from<1>;
#else
using feature = hs::appended_zero;
#endif
using layer = hs::multi_head<float, hs::dims{.d_model = 8, .heads = 2}, hs::scaled_dot, feature>;

auto mistake(const layer& f, const hs::matrix<float, 8, 3>& q, const hs::matrix<float, 8, 5>& k)
{
    return f(q, k, k, hs::by<hs::plan_kind::streamed>);
}
