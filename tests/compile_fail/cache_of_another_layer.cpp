// SPDX-License-Identifier: BSL-1.0
// error: a layer fills and reads a kv_cache of its own dims and type of number
// names: cache_is_of_this_layer
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;
using layer = hs::multi_head<float, hs::dims{.d_model = 32, .heads = 4}>;

#ifdef HEADSTRONG_CONTROL
using memory = hs::kv_cache<float, hs::dims{.d_model = 32, .heads = 4}, 10>;
#else
using memory = hs::kv_cache<float, hs::dims{.d_model = 32, .heads = 8}, 10>;
#endif

bool mistake(const layer& f, memory& cache, const hs::matrix<float, 32, 1>& x) { return f.append(cache, x, x); }
