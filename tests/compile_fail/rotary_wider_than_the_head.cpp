// SPDX-License-Identifier: BSL-1.0
// error: a rotary embedding turns pairs of numbers: its width is even, above 0 and at most d_k
// names: rotation_fits_the_head<6, 4>
#include "headstrong/multi_head.hpp"
#include "headstrong/transform.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using feature = hs::rotary<hs::rotation::half_split, float, 4, 5>;
#else
using feature = hs::rotary<hs::rotation::half_split, float, 6, 5>;
#endif
using layer = hs::multi_head<float, hs::dims{.d_model = 8, .heads = 2}, hs::scaled_dot, feature>;

auto mistake(const layer& f, const hs::matrix<float, 8, 3>& q, const hs::matrix<float, 8, 5>& k)
{
    return f(q, k, k);
}
