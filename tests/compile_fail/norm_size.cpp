// SPDX-License-Identifier: BSL-1.0
// error: a learned score, a norm or an appended token has the d_k and d_v of its head
// names: feature_has_the_sizes_of_its_head<8, 4, 4, 4>
#include "headstrong/multi_head.hpp"
#include "headstrong/transform.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using feature = hs::rms_norm<float, 4>;
#else
using feature = hs::rms_norm<float, 8>;
#endif
using layer = hs::multi_head<float, hs::dims{.d_model = 8, .heads = 2}, hs::scaled_dot, feature>;

auto mistake(const layer& f, const hs::matrix<float, 8, 3>& q, const hs::matrix<float, 8, 5>& k)
{
    return f(q, k, k);
}
