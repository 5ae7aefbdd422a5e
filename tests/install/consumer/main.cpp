// SPDX-License-Identifier: BSL-1.0
// A user's program: one layer, whose output the compiler knows.
#include <headstrong/headstrong.hpp>

#include <cstdio>

namespace hs = headstrong;
using layer = hs::multi_head<float, hs::dims{.d_model = 2, .heads = 2}>;

constexpr layer attend{layer::weights_type{
    .w_q = {{{1, 2}, {3, -1}}}, .w_k = {{{2, 1}, {-1, 1}}}, .w_v = {{{1, 0}, {0, 1}}}, .w_o = {{{1, 1}, {2, -1}}}}};
constexpr hs::matrix<float, 2, 3> tokens{1, 0, 0, 1, 1, 1};
constexpr auto answer = attend(tokens, tokens, tokens, hs::causal{});

int main(int count, char**)
{
    hs::matrix<float, 2, 3> x = tokens;
    x(0, 0) = static_cast<float>(count >= 0);  // 0 on a chip
    if (!(attend(x, x, x, hs::causal{}) == answer)) return 1;
    std::puts("the same bits");
    return 0;
}
