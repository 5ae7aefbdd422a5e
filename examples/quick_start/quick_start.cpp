// SPDX-License-Identifier: BSL-1.0
#include <headstrong/headstrong.hpp>

#include <cstdio>

namespace hs = headstrong;
using layer = hs::multi_head<float, hs::dims{.d_model = 2, .heads = 2}>;  // so d_k = d_v = 1

constexpr layer attend{layer::weights_type{.w_q = {{{1, 2}, {3, -1}}},  // a matrix for each head
                                           .w_k = {{{2, 1}, {-1, 1}}},
                                           .w_v = {{{1, 0}, {0, 1}}},
                                           .w_o = {{{1, 1}, {2, -1}}}}};
constexpr hs::matrix<float, 2, 3> tokens{1, 0, 0, 1, 1, 1};            // three tokens, one a column
constexpr hs::matrix<float, 2, 3> answer{2.90525818f, -0.0876749754f,  // what each gathers from all
                                         1.65364182f, 0.649364829f,   2.96589184f, 0.0135205984f};
static_assert(attend(tokens, tokens, tokens) == answer);  // these bits the compiler computes,

int main(int argc, char**)
{
    hs::matrix<float, 2, 3> x = tokens;
    x(0, 0) = static_cast<float>(argc);           // 1, but the compiler cannot know
    const bool same = attend(x, x, x) == answer;  // and so does every machine
    std::puts(same ? "the same bits" : "other bits");
    return same ? 0 : 1;
}
