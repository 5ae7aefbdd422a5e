// SPDX-License-Identifier: BSL-1.0
// How do heads of different kinds make one layer?
#include "sample.hpp"

namespace hs = headstrong;
using layer = hs::mixed_multi_head<float, hs::widths{.d_model = 8},
                                   hs::head<4, 4, hs::scaled_dot, hs::causal<>>,      // looks back over everything
                                   hs::head<2, 6, hs::scaled_dot, hs::window<2, 0>>,  // looks at the last three
                                   hs::head<4, 2, hs::cosine<>, hs::causal<>>>;       // compares directions

int main()
{
    layer::weights_type w{};
    std::uint32_t seed = 1;
    boost::hana::for_each(w.heads, [&](auto& head) {
        head.w_q = sample::numbers<decltype(head.w_q)>(++seed), head.w_k = sample::numbers<decltype(head.w_k)>(++seed);
        head.w_v = sample::numbers<decltype(head.w_v)>(++seed), head.w_o = sample::numbers<decltype(head.w_o)>(++seed);
    });
    static const layer attend{w};
    const auto x = sample::numbers<hs::matrix<float, 8, 10>>(9);
    auto future = x;
    for (std::size_t r = 0; r < 8; ++r) future(r, 9) = 100;  // another last token

    std::array<hs::matrix<float, 10, 10>, 3> weights;
    const auto y = attend(x, x, x, hs::weights_into(weights)), z = attend(future, future, future);
    bool same = true;
    for (std::size_t i = 0; i < 9; ++i)
        for (std::size_t r = 0; r < 8; ++r) same = same && y(r, i) == z(r, i);
    sample::claim(same, "no token sees the future");
    sample::claim(weights[1](4, 7) == 0 && weights[1](5, 7) > 0, "the second head sees three tokens");
}
