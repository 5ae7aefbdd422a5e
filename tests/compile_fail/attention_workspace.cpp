// SPDX-License-Identifier: BSL-1.0
// error: scratch must be the workspace<n, m> of this layer, with n the columns of query and m those of key
// names: attention_workspace<float, 4, 2, 3, 16>
#include "headstrong/attention.hpp"

namespace hs = headstrong;
using scratch_memory = hs::attention_workspace<float, 4, 2, 3, 15>;

#ifdef HEADSTRONG_CONTROL
using found = scratch_memory;
#else
using found = hs::attention_workspace<float, 4, 2, 3, 16>;
#endif

void mistake(const hs::matrix<float, 4, 3>& q, const hs::matrix<float, 4, 15>& k, const hs::matrix<float, 2, 15>& v, hs::matrix<float, 2, 3>& y, found& scratch)
{
    hs::attention(q, k, v, y, scratch, hs::scaled_dot{});
}
