// SPDX-License-Identifier: BSL-1.0
// error: scratch must be the workspace<n, m> of this layer, with n the columns of query and m those of key
// names: workspace_of_this_call<
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;
using layer = hs::multi_head<float, hs::dims{.d_model = 32, .heads = 4, .d_key = 5, .d_value = 3, .d_out = 7}>;

#ifdef HEADSTRONG_CONTROL
using memory = layer::workspace<16, 15>;
#else
using memory = hs::multi_head<float, hs::dims{.d_model = 64, .heads = 4}>::workspace<16, 15>;
#endif

void mistake(const layer& f, const hs::matrix<float, 32, 16>& q, const hs::matrix<float, 5, 15>& k,
             const hs::matrix<float, 3, 15>& v, hs::matrix<float, 7, 16>& y, memory& scratch)
{
    f(q, k, v, y, scratch);
}
