// SPDX-License-Identifier: BSL-1.0
// error: output must have the rows and columns of the result: d_out (or d_v) rows, n columns
// names: output_has_the_shape_of_the_result<4, 3, 2, 3>
#include "headstrong/attention.hpp"

namespace hs = headstrong;
using scratch_memory = hs::attention_workspace<float, 4, 2, 3, 15>;

#ifdef HEADSTRONG_CONTROL
using output = hs::matrix<float, 2, 3>;
#else
using output = hs::matrix<float, 4, 3>;
#endif

void mistake(const hs::matrix<float, 4, 3>& q, const hs::matrix<float, 4, 15>& k, const hs::matrix<float, 2, 15>& v, output& y, scratch_memory& scratch)
{
    hs::attention(q, k, v, y, scratch, hs::scaled_dot{});
}
