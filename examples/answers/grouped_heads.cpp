// SPDX-License-Identifier: BSL-1.0
// How do several query heads share a key/value head, and what does it save?
#include "sample.hpp"

namespace hs = headstrong;
using every = hs::multi_head<float, hs::dims{.d_model = 64, .heads = 8}>;
using grouped =
    hs::multi_head<float, hs::dims{.d_model = 64, .heads = 8, .kv_heads = 2}>;             // query heads 0 to 3 share the first
using single = hs::multi_head<float, hs::dims{.d_model = 64, .heads = 8, .kv_heads = 1}>;  // multi-query

int main()
{
    static const grouped layer{sample::weights<grouped::weights_type>(1)};
    const auto x = sample::numbers<hs::matrix<float, 64, 10>>(2);
    const auto y = layer(x, x, x);

    // The same layer with its shared heads written out.
    auto w = sample::weights<grouped::weights_type>(1);
    every::weights_type all{.w_q = w.w_q, .w_k = {}, .w_v = {}, .w_o = w.w_o};
    for (std::size_t h = 0; h < 8; ++h) all.w_k[h] = w.w_k[h / 4], all.w_v[h] = w.w_v[h / 4];
    static const every written_out{all};
    sample::claim(written_out(x, x, x) == y, "shared heads are those of their group");
    std::printf("bytes of weights: %zu, grouped %zu, one key head %zu\n", every::cost<10, 10>().weight_bytes,
                grouped::cost<10, 10>().weight_bytes, single::cost<10, 10>().weight_bytes);
}
