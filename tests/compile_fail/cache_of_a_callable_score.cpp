// SPDX-License-Identifier: BSL-1.0
// error: a layer has a kv_cache if its score is an inner product of what is projected (no callable, no bilinear)
// names: cache_serves_the_score<false>
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;
constexpr hs::dims sizes{.d_model = 32, .heads = 4};

struct first_number {
    constexpr float operator()(const auto& q, const auto& k) const { return q[0] - k[0]; }
};
#ifdef HEADSTRONG_CONTROL
using layer = hs::multi_head<float, sizes>;
#else
using layer = hs::multi_head<float, sizes, first_number>;
#endif

bool mistake(const layer& f, hs::kv_cache<float, sizes, 10>& cache, const hs::matrix<float, 32, 1>& x)
{
    return f.append(cache, x, x);
}
