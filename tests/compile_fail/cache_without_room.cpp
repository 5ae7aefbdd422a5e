// SPDX-License-Identifier: BSL-1.0
// error: the capacity of a kv_cache must be at least 1 token
// names: cache_holds_a_token<0>
// errors: 3
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
constexpr std::size_t capacity = 1;
#else
constexpr std::size_t capacity = 0;
#endif

hs::kv_cache<float, hs::dims{.d_model = 32, .heads = 4}, capacity> mistake;
