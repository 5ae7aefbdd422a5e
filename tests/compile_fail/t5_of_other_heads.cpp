// SPDX-License-Identifier: BSL-1.0
// error: a mask or score bias is one matrix for all heads or an array of one per head
// names: mask_is_shared_or_per_head<3, 2>
#include "headstrong/mask.hpp"
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
constexpr int heads = 2;
#else
constexpr int heads = 3;
#endif
using layer = hs::multi_head<float, hs::dims{.d_model = 8, .heads = 2}>;

auto mistake(const layer& f, const hs::matrix<float, 8, 3>& q, const hs::matrix<float, 8, 5>& k, const float (&table)[8][heads])
{
    return f(q, k, k, hs::t5<true>(table));
}
