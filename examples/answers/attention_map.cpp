// SPDX-License-Identifier: BSL-1.0
// Where does a head look? Draws the weights of each head as an SVG picture: attention_map [file]
#include "attention_map.hpp"
#include "sample.hpp"

#include <array>
#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

namespace hs = headstrong;
constexpr std::size_t heads = 3, n = 12;
using layer = hs::multi_head<float, hs::dims{.d_model = 24, .heads = heads}, hs::scaled_dot, hs::alibi<hs::slopes::geometric>,
                             hs::causal<>>;

int main(int count, char** arguments)
{
    const char* const path = count > 1 ? arguments[1] : "attention_map.svg";
    static const layer attend{sample::weights<layer::weights_type>(1)};
    const auto x = sample::numbers<hs::matrix<float, 24, n>>(2);
    std::array<hs::matrix<float, n, n>, heads> weights;
    const auto y = attend(x, x, x, hs::weights_into(weights));
    sample::claim(y == attend(x, x, x), "asking for weights changes nothing");

    std::vector<attention_map::map> maps;
    for (std::size_t h = 0; h < heads; ++h)  // a column of weights[h] holds those of a query
        maps.push_back({"head " + std::to_string(h + 1), n, n, {weights[h].elements, weights[h].elements + n * n}});
    std::ofstream svg(path);
    attention_map::write_svg(svg, maps);
    sample::claim(static_cast<bool>(svg.flush()), path);
}
