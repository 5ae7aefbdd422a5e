// SPDX-License-Identifier: BSL-1.0
// error: weights and scores of a layer are a std::array of one matrix per head
// names: result_has_a_matrix_per_head<1, 2>
#include "headstrong/multi_head.hpp"

#include <array>

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using result = std::array<hs::matrix<float, 5, 3>, 2>;
#else
using result = hs::matrix<float, 5, 3>;
#endif
using layer = hs::multi_head<float, hs::dims{.d_model = 8, .heads = 2}>;

auto mistake(const layer& f, const hs::matrix<float, 8, 3>& q, const hs::matrix<float, 8, 5>& k, result& x)
{
    return f(q, k, k, hs::weights_into(x));
}
