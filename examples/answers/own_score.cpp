// SPDX-License-Identifier: BSL-1.0
// How do I write a score function, and a score bias, of my own?
#include "sample.hpp"

namespace hs = headstrong;

/// The Laplace kernel: minus the sum of absolute differences. Written for 16 queries at a time, it is fast and exact
/// everywhere.
struct laplace {
    template <class Q, class K>
    constexpr auto operator()(const Q& q, const K& k) const
    {
        auto sum = q[0] - q[0];
        for (std::size_t r = 0; r < Q::size(); ++r) sum = sum - larger(q[r] - k[r], k[r] - q[r]);
        return sum;
    }
};

int main()
{
    const auto q = sample::numbers<hs::matrix<float, 4, 20>>(1);
    const auto k = sample::numbers<hs::matrix<float, 4, 9>>(2), v = sample::numbers<hs::matrix<float, 4, 9>>(3);

    const auto by_lanes = hs::attention(q, k, v, hs::in_lanes{laplace{}});
    const auto by_numbers = hs::attention(q, k, v, [](auto a, auto b) {
        float sum = 0;
        for (std::size_t r = 0; r < a.size(); ++r) sum = sum - (a[r] > b[r] ? a[r] - b[r] : b[r] - a[r]);
        return sum;
    });
    sample::claim(by_lanes == by_numbers, "lanes and single numbers agree");

    // A bias that fades with the distance of query and key, beside a mask.
    const auto fading =
        hs::modify([](auto score, std::size_t, auto i, auto j) { return fma(j - i, decltype(i)::broadcast(0.125f), score); });
    const auto y = hs::attention(q, k, v, hs::causal<hs::corner::top_left>{} + fading);
    sample::claim(y(0, 0) == v(0, 0), "the first query sees the first key alone");
}
