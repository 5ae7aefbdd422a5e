// SPDX-License-Identifier: BSL-1.0
// Sizes are template arguments: how do I take sequences of any length?
#include "sample.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace hs = headstrong;
using layer = hs::multi_head<float, hs::dims{.d_model = 16, .heads = 2}>;
constexpr std::size_t longest = 64;

/// One function for each step of 16 tokens; a sequence takes the first that it fits and hides what is behind it.
template <std::size_t N>
void attend_to(const layer& l, const float* tokens, std::size_t count, float* output)
{
    const auto x = hs::rows<N, 16>(tokens);
    static layer::workspace<N, N> scratch;
    l(x, x, x, hs::rows<N, 16>(output), scratch, hs::valid_keys{count});
}

void attend(const layer& l, const float* tokens, std::size_t count, float* output)
{
    constexpr auto functions = []<std::size_t... I>(std::index_sequence<I...>) {
        return std::array{&attend_to<16 * (I + 1)>...};
    }(std::make_index_sequence<longest / 16>{});
    functions[(count - 1) / 16](l, tokens, count, output);
}

int main()
{
    static const layer l{sample::weights<layer::weights_type>(1)};
    const auto x = sample::numbers<hs::matrix<float, 16, longest>>(2);
    static float few[longest * 16], exact[longest * 16];
    attend(l, x.elements, 21, few);

    const auto alone = hs::columns<16, 21>(x.elements);
    const auto y = l(alone, alone, alone);
    bool same = true;
    for (std::size_t e = 0; e < 21 * 16; ++e) same = same && few[e] == y.elements[e];
    sample::claim(same, "21 tokens in room for 32 have the bits of 21 alone");
    attend(l, x.elements, longest, exact);
    sample::claim(exact[0] != few[0], "64 tokens are more");
}
