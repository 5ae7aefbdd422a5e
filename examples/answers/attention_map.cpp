// SPDX-License-Identifier: BSL-1.0
// Where does a head look? Draws the weights of each head as an SVG picture: attention_map [file]
#include "sample.hpp"

#include <array>
#include <fstream>

namespace hs = headstrong;
constexpr std::size_t heads = 3, n = 12;
using layer = hs::multi_head<float, hs::dims{.d_model = 24, .heads = heads}, hs::scaled_dot, hs::alibi<hs::slopes::geometric>,
                             hs::causal<>>;

/// One head: a row per query, a column per key, darker where the weight is larger.
void draw(std::ofstream& svg, const hs::matrix<float, n, n>& weights, std::size_t head)
{
    constexpr std::size_t cell = 14, left = 46, top = 40;
    const std::size_t x = left + head * (n * cell + 40);
    svg << "<text x='" << x + n * cell / 2 << "' y='20' text-anchor='middle'>head " << head + 1 << "</text>\n";
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            const int shade = 255 - static_cast<int>(weights(j, i) * 255);
            svg << "<rect x='" << x + j * cell << "' y='" << top + i * cell << "' width='" << cell << "' height='" << cell
                << "' fill='rgb(" << shade << ',' << shade << ",255)' stroke='#ddd'><title>query " << i << ", key " << j << ": "
                << weights(j, i) << "</title></rect>\n";
        }
    constexpr std::size_t bottom = top + n * cell;
    svg << "<text x='" << x + n * cell / 2 << "' y='" << bottom + 20 << "' text-anchor='middle'>key</text>\n"
        << "<g fill='#666' font-size='10'><text x='" << x << "' y='" << bottom + 14 << "'>0</text><text x='" << x + n * cell
        << "' y='" << bottom + 14 << "' text-anchor='end'>" << n - 1 << "</text><text x='" << x - 4 << "' y='" << top + 10
        << "' text-anchor='end'>0</text><text x='" << x - 4 << "' y='" << bottom - 3 << "' text-anchor='end'>" << n - 1
        << "</text></g>\n";
}

int main(int count, char** arguments)
{
    const char* const path = count > 1 ? arguments[1] : "attention_map.svg";
    static const layer attend{sample::weights<layer::weights_type>(1)};
    const auto x = sample::numbers<hs::matrix<float, 24, n>>(2);
    std::array<hs::matrix<float, n, n>, heads> weights;
    const auto y = attend(x, x, x, hs::weights_into(weights));
    sample::claim(y == attend(x, x, x), "asking for weights changes nothing");

    std::ofstream svg(path);
    svg << "<svg xmlns='http://www.w3.org/2000/svg' width='690' height='290' font-family='sans-serif' font-size='12'>\n"
        << "<rect width='100%' height='100%' fill='white'/>\n<text x='16' y='130' transform='rotate(-90 16 130)' "
           "text-anchor='middle'>query</text>\n";
    for (std::size_t h = 0; h < heads; ++h) draw(svg, weights[h], h);
    for (std::size_t step = 0; step <= 10; ++step) {
        const int shade = 255 - static_cast<int>(step * 25);
        svg << "<rect x='" << 46 + step * 14 << "' y='250' width='14' height='12' fill='rgb(" << shade << ',' << shade
            << ",255)'/>\n";
    }
    svg << "<text x='46' y='278'>weight 0</text>\n<text x='200' y='278' text-anchor='end'>1</text>\n</svg>\n";
    sample::claim(static_cast<bool>(svg), path);
}
