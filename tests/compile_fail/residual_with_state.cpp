// SPDX-License-Identifier: BSL-1.0
// error: the residual form keeps nothing for its heads: its score and features are empty types
// names: dot_times<float>
#include "headstrong/residual_attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using score = hs::dot;
#else
using score = hs::dot_times<float>;
#endif
using layer = hs::residual_attention<float, hs::dims{.d_model = 8, .heads = 2, .d_k = 4, .d_v = 8}, score>;

auto mistake(const layer& f, const hs::matrix<float, 8, 3>& x) { return f(x); }
