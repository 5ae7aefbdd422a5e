// SPDX-License-Identifier: BSL-1.0
// error: scratch must be the workspace<n, m> of this layer
// names: cache_workspace<1, 10>
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;
constexpr hs::dims sizes{.d_model = 32, .heads = 4};
using layer = hs::multi_head<float, sizes>;

#ifdef HEADSTRONG_CONTROL
using memory = layer::cache_workspace<1, 10>;
#else
using memory = layer::workspace<1, 10>;
#endif

void mistake(const layer& f, const hs::kv_cache<float, sizes, 10>& cache, const hs::matrix<float, 32, 1>& x,
             hs::matrix<float, 32, 1>& y, memory& scratch)
{
    f(x, cache, y, scratch);
}
