// SPDX-License-Identifier: BSL-1.0
// error: a rotary_table must hold a position for every query and every key
// names: positions_lie_in_the_table<15, 1, 16>
#include "headstrong/multi_head.hpp"
#include "headstrong/transform.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using feature = hs::rotary<hs::rotation::half_split, float, 4, 16>;
#else
using feature = hs::rotary<hs::rotation::half_split, float, 4, 15>;
#endif
using layer = hs::multi_head<float, hs::dims{.d_model = 8, .heads = 2}, hs::scaled_dot, feature>;

bool mistake(const layer& f, hs::kv_cache<float, layer::sizes, 16>& cache, const hs::matrix<float, 8, 1>& x)
{
    return f.append(cache, x, x);
}
