// SPDX-License-Identifier: BSL-1.0
// How does a decoder attend to the tokens of an encoder, whose width is another?
#include "sample.hpp"

#include <limits>

namespace hs = headstrong;
using layer = hs::multi_head<float, hs::dims{.d_model = 16, .heads = 2, .d_key = 24, .d_value = 24}>;

int main()
{
    static const layer attend{sample::weights<layer::weights_type>(1)};
    const auto text = sample::numbers<hs::matrix<float, 16, 5>>(2);    // n = 5 queries of 16 numbers
    const auto sound = sample::numbers<hs::matrix<float, 24, 40>>(3);  // m = 40 keys and values of 24
    const hs::matrix<float, 16, 5> y = attend(text, sound, sound);

    // Of 40 places only 31 hold sound: the others may hold anything.
    auto padded = sound;
    for (std::size_t j = 31; j < 40; ++j) padded(0, j) = std::numeric_limits<float>::quiet_NaN();
    sample::claim(attend(text, padded, padded, hs::valid_keys{31}) == attend(text, sound, sound, hs::valid_keys{31}),
                  "padding does not matter");
    sample::claim(!(y == attend(text, sound, sound, hs::valid_keys{31})), "the last nine tokens mattered");
}
