// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_REAL_TIME_CALLS_HPP
#define HEADSTRONG_TESTS_REAL_TIME_CALLS_HPP

#include "headstrong/headstrong.hpp"

namespace real_time {

namespace hs = headstrong;

using layer = hs::multi_head<float, hs::dims{.d_model = 32, .heads = 4}>;
using tokens = hs::matrix<float, 32, 16>;
using frame = hs::matrix<float, 32, 1>;
using cache = hs::kv_cache<float, layer::sizes, 64>;

}  // namespace real_time

#endif
