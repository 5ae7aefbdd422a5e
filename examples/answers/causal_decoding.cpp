// SPDX-License-Identifier: BSL-1.0
// How do I decode token by token, and is it the same as the whole sequence at once?
#include "sample.hpp"

namespace hs = headstrong;
constexpr hs::dims sizes{.d_model = 16, .heads = 4};
using layer = hs::multi_head<float, sizes>;

int main()
{
    static const layer decoder{sample::weights<layer::weights_type>(1)};
    const auto sequence = sample::numbers<hs::matrix<float, 16, 12>>(2);
    const auto at_once = decoder(sequence, sequence, sequence, hs::causal{});

    hs::kv_cache<float, sizes, 12> cache{};
    bool same = true;
    for (std::size_t i = 0; i < 12; ++i) {
        const auto token = hs::as_view(sequence).column(i);
        if (!decoder.append(cache, token, token)) return 1;  // no room
        const auto y = decoder(token, cache);
        for (std::size_t r = 0; r < 16; ++r) same = same && y(r, 0) == at_once(r, i);
    }
    sample::claim(same, "step by step gives the bits of the sequence at once");
}
