// SPDX-License-Identifier: BSL-1.0
// My tokens are rows of a C array, as NumPy and PyTorch store them. Must I transpose them?
#include "sample.hpp"

#include <span>

namespace hs = headstrong;
using layer = hs::multi_head<float, hs::dims{.d_model = 8, .heads = 2}>;

int main()
{
    static const layer attend{sample::weights<layer::weights_type>(1)};
    const auto columns = sample::numbers<hs::matrix<float, 8, 6>>(2);
    float array[6][8];  // token i is row i
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t r = 0; r < 8; ++r) array[i][r] = columns(r, i);

    const auto tokens = hs::rows<6, 8>(&array[0][0]);  // a view: no number moves
    float output[6][8];
    layer::workspace<6, 6> scratch;
    attend(tokens, tokens, tokens, hs::rows<6, 8>(&output[0][0]), scratch);

    const auto expected = attend(columns, columns, columns);
    bool same = true;
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t r = 0; r < 8; ++r) same = same && output[i][r] == expected(r, i);
    sample::claim(same, "rows in, rows out, the same bits");

    const auto as_span = hs::rows<6, 8>(std::span<const float, 48>{&array[0][0], 48});
    sample::claim(attend(as_span, as_span, as_span) == expected, "a span of fixed size is checked when compiling");
}
