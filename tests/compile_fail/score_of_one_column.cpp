// SPDX-License-Identifier: BSL-1.0
// error: a score is an inner product (scaled_dot, dot, dot_times) or a callable of two columns: score(q_i, k_j) -> number, where q_i and k_j have size() and []
// names: score_is_product_or_callable<length_of_query, float>
#include "headstrong/attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
struct length_of_query {
    constexpr float operator()(const auto& query, const auto&) const { return query[0]; }
};
#else
struct length_of_query {
    constexpr float operator()(const auto& query) const { return query[0]; }
};
#endif

auto mistake(const hs::matrix<float, 4, 3>& q, const hs::matrix<float, 4, 15>& k, const hs::matrix<float, 2, 15>& v)
{
    return hs::attention(q, k, v, length_of_query{});
}
