// SPDX-License-Identifier: BSL-1.0
// error: T5 needs an even number of buckets, at least 2 (both ways 4)
// names: t5_buckets_are_even<7, true, 128>
#include "headstrong/attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
constexpr int buckets = 8;
#else
constexpr int buckets = 7;
#endif

auto mistake(const hs::matrix<float, 4, 3>& q, const hs::matrix<float, 4, 5>& k, const hs::matrix<float, 2, 5>& v, const float (&table)[buckets][1])
{
    return hs::attention(q, k, v, hs::t5<true>(table));
}
