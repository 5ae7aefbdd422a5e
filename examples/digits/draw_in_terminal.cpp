// SPDX-License-Identifier: BSL-1.0
#include "draw.hpp"

#include <array>
#include <cstdio>
#include <string_view>

namespace digits {
namespace {

template <class... Numbers>
std::string formatted(const char* format, Numbers... numbers)
{
    std::array<char, 100> s;
    std::snprintf(s.data(), s.size(), format, numbers...);
    return s.data();
}

/// Characters on a terminal; a painted one has its strength told by its background, or else by its shade.
class screen {
public:
    static constexpr std::size_t rows = 22, columns = 78;

    explicit screen(bool with_colour) : with_colour_(with_colour) {}

    void text(std::size_t row, std::size_t column, std::string_view s)
    {
        for (const char c : s) cells_.at(row).at(column++) = c;
    }
    void bar(std::size_t row, std::size_t column, std::size_t length)
    {
        for (; length > 0; --length) cells_.at(row).at(column++) = "█";
    }
    void paint(std::size_t row, std::size_t column, float strength, colour c)
    {
        constexpr std::array shades{" ", "░", "▒", "▓", "█"};
        const int red = static_cast<int>(c.red), green = static_cast<int>(c.green), blue = static_cast<int>(c.blue);
        cells_.at(row).at(column) = with_colour_ ? formatted("\033[48;2;%d;%d;%dm \033[0m", red, green, blue)
                                                 : shades.at(static_cast<std::size_t>(4 * strength + 0.5f));
    }

    [[nodiscard]] std::string str() const
    {
        std::string out;
        for (const auto& row : cells_) {
            for (const std::string& cell : row) out += cell.empty() ? " " : cell;
            out.erase(out.find_last_not_of(' ') + 1) += '\n';
        }
        return out;
    }

private:
    bool with_colour_;
    std::array<std::array<std::string, columns>, rows> cells_;
};

/// Paints 8 x 8 pixels, each two characters wide; look(r, c) gives the strength and the colour of one.
template <class Look>
void paint_pixels(screen& s, std::size_t row, std::size_t column, Look look)
{
    for (std::size_t r = 0; r < 8; ++r)
        for (std::size_t c = 0; c < 16; ++c) {
            const auto [strength, background] = look(r, c / 2);
            s.paint(row + r, column + c, strength, background);
        }
}

void draw_image(screen& s, std::size_t row, std::size_t column, image pixels)
{
    paint_pixels(s, row, column, [&](std::size_t r, std::size_t c) {
        return std::pair(ink(pixels, r, c), mix(paper, black, ink(pixels, r, c)));
    });
}

/// With colour the digit lies on the map; without, the shades are the map alone.
void draw_gaze(screen& s, std::size_t row, std::size_t column, image pixels, const gaze& g)
{
    paint_pixels(s, row, column, [&](std::size_t r, std::size_t c) {
        const float strength = g(r / 2 * 4 + c / 2, 0) / largest(g);
        return std::pair(strength, mix(heat(strength), black, 0.6f * ink(pixels, r, c)));
    });
}

void draw_probabilities(screen& s, std::size_t row, std::size_t column, const reading& r)
{
    for (std::size_t d = 0; d < 10; ++d) {
        const float p = r.probability(d, 0);
        s.text(row + d, column, formatted("%zu %5.1f %%", d, static_cast<double>(100 * p)));
        s.bar(row + d, column + 10, static_cast<std::size_t>(27 * p + 0.5f));
    }
}

std::string percent(float share) { return formatted("%.0f %%", static_cast<double>(100 * share)); }

}  // namespace

std::string draw_in_terminal(const reading& r, bool with_colour)
{
    constexpr std::size_t left = 2, step = 19;
    screen s(with_colour);
    s.text(0, left, formatted("test image %zu", r.number));
    draw_image(s, 1, left, r.pixels);
    s.text(0, left + step, "mean of heads");
    draw_gaze(s, 1, left + step, r.pixels, r.mean);
    s.text(0, left + 2 * step, formatted("a %zu, read as %zu", r.label, r.answer));
    draw_probabilities(s, 1, left + 2 * step, r);

    s.text(12, left, formatted("where the heads look for a %zu, and the largest of their 16 weights", r.answer));
    for (std::size_t h = 0; h < 4; ++h) {
        s.text(13, left + h * step, formatted("head %zu: ", h + 1) + percent(largest(r.heads[h])));
        draw_gaze(s, 14, left + h * step, r.pixels, r.heads[h]);
    }
    return s.str();
}

}  // namespace digits
