// SPDX-License-Identifier: BSL-1.0
#include "attention_map.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <stdexcept>

namespace attention_map {
namespace {

constexpr std::size_t cell = 14, left = 46, top = 40, gap = 56, steps = 10;

void check(const map& m)
{
    const auto fail = [&](const std::string& what) { throw std::invalid_argument("map '" + m.title + "': " + what); };
    if (m.queries == 0 || m.keys == 0) fail("no cells");
    if (m.weights.size() != m.queries * m.keys)
        fail("expected " + std::to_string(m.queries * m.keys) + " weights, found " + std::to_string(m.weights.size()));
    for (const float w : m.weights)
        if (!std::isfinite(w) || w < 0) fail("a weight is negative or not finite");
}

std::string escaped(const std::string& text)
{
    std::string s;
    for (const char c : text) s += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '\'' ? "&#39;" : std::string(1, c);
    return s;
}

/// White for 0, blue for 1.
std::string shade(float part)
{
    const std::string s = std::to_string(255 - static_cast<int>(part * 255));
    return "rgb(" + s + "," + s + ",255)";
}

void draw(std::ostream& svg, const map& m, std::size_t x, float largest)
{
    const std::size_t width = m.keys * cell, bottom = top + m.queries * cell;
    svg << "<text x='" << x + width / 2 << "' y='20' text-anchor='middle'>" << escaped(m.title) << "</text>\n";
    for (std::size_t i = 0; i < m.queries; ++i)
        for (std::size_t j = 0; j < m.keys; ++j) {
            const float w = m.weights[i * m.keys + j];
            svg << "<rect x='" << x + j * cell << "' y='" << top + i * cell << "' width='" << cell << "' height='" << cell
                << "' fill='" << shade(largest > 0 ? w / largest : 0) << "' stroke='#ddd'><title>" << escaped(m.row_axis) << ' '
                << i << ", " << escaped(m.column_axis) << ' ' << j << ": " << w << "</title></rect>\n";
        }
    svg << "<text x='" << x + width / 2 << "' y='" << bottom + 26 << "' text-anchor='middle'>" << escaped(m.column_axis)
        << "</text>\n<text x='" << x - 24 << "' y='" << (top + bottom) / 2 << "' transform='rotate(-90 " << x - 24 << ' '
        << (top + bottom) / 2 << ")' text-anchor='middle'>" << escaped(m.row_axis) << "</text>\n"
        << "<g fill='#666' font-size='10'><text x='" << x << "' y='" << bottom + 14 << "'>0</text><text x='" << x + width
        << "' y='" << bottom + 14 << "' text-anchor='end'>" << m.keys - 1 << "</text><text x='" << x - 4 << "' y='" << top + 10
        << "' text-anchor='end'>0</text>";
    if (m.queries > 1)
        svg << "<text x='" << x - 4 << "' y='" << bottom - 3 << "' text-anchor='end'>" << m.queries - 1 << "</text>";
    svg << "</g>\n";
}

}  // namespace

void write_svg(std::ostream& svg, const std::vector<map>& maps)
{
    if (maps.empty()) throw std::invalid_argument("no map to draw");
    float largest = 0;
    std::size_t width = left, rows = 0;
    for (const map& m : maps) {
        check(m);
        largest = std::max(largest, *std::max_element(m.weights.begin(), m.weights.end()));
        width += m.keys * cell + gap;
        rows = std::max(rows, m.queries);
    }
    const std::size_t scale = top + rows * cell + 44;
    svg << "<svg xmlns='http://www.w3.org/2000/svg' width='" << std::max<std::size_t>(width, 300) << "' height='" << scale + 40
        << "' font-family='sans-serif' font-size='12'>\n<rect width='100%' height='100%' fill='white'/>\n";
    std::size_t x = left;
    for (const map& m : maps) {
        draw(svg, m, x, largest);
        x += m.keys * cell + gap;
    }
    for (std::size_t step = 0; step <= steps; ++step)
        svg << "<rect x='" << left + step * cell << "' y='" << scale << "' width='" << cell
            << "' height='12' stroke='#ddd' fill='" << shade(static_cast<float>(step) / steps) << "'/>\n";
    svg << "<text x='" << left << "' y='" << scale + 28 << "'>weight 0</text>\n<text x='" << left + (steps + 1) * cell
        << "' y='" << scale + 28 << "' text-anchor='end'>" << largest << "</text>\n</svg>\n";
}

}  // namespace attention_map
