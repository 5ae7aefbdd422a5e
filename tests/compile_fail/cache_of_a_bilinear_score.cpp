// SPDX-License-Identifier: BSL-1.0
// error: a layer has a kv_cache if its score is an inner product of what is projected (no callable, no bilinear)
// names: cache_serves_the_score<false>
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using score = hs::dot_times<float>;
#else
using score = hs::bilinear<float, 4>;
#endif
using layer = hs::multi_head<float, hs::dims{.d_model = 8, .heads = 2}, score>;

bool mistake(const layer& f, hs::kv_cache<float, layer::sizes, 16>& cache, const hs::matrix<float, 8, 1>& x)
{
    return f.append(cache, x, x);
}
