// SPDX-License-Identifier: BSL-1.0
#include "draw.hpp"

#include <stb/stb_easy_font.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <vector>

namespace digits {
namespace {

/// A picture to draw on; x and y are those of a left upper corner.
class canvas {
public:
    canvas(int width, int height) : width_(width), height_(height), pixels_(static_cast<std::size_t>(width * height), paper) {}

    void rectangle(int x, int y, int width, int height, colour c)
    {
        for (int row = y; row < y + height; ++row)
            for (int column = x; column < x + width; ++column) at(column, row) = c;
    }

    /// A disc in the middle of a square, with a smooth edge; its radius is at most half the side.
    void disc(int x, int y, int side, float radius, colour c)
    {
        for (int row = 0; row < side; ++row)
            for (int column = 0; column < side; ++column) {
                const float middle = 0.5f * static_cast<float>(side - 1);
                const float distance = std::hypot(static_cast<float>(column) - middle, static_cast<float>(row) - middle);
                colour& pixel = at(x + column, y + row);
                pixel = mix(pixel, c, std::clamp(radius - distance + 0.5f, 0.0f, 1.0f));
            }
    }

    /// Letters whose strokes are `thickness` pixels wide, seven times as high.
    void text(int x, int y, int thickness, colour c, std::string s)
    {
        struct corner {
            float x, y, z;
            std::uint8_t colour[4];
        };
        std::vector<std::array<corner, 4>> strokes(30 * s.size());
        const int room = static_cast<int>(strokes.size() * sizeof(strokes[0]));
        strokes.resize(static_cast<std::size_t>(stb_easy_font_print(0, 0, s.data(), nullptr, strokes.data(), room)));
        const auto scaled = [=](float length) { return thickness * static_cast<int>(length); };
        for (const auto& [from, right, to, down] : strokes)
            rectangle(x + scaled(from.x), y + scaled(from.y), scaled(to.x - from.x), scaled(to.y - from.y), c);
    }

    void write(const std::string& path) const
    {
        std::vector<std::uint8_t> bytes;
        bytes.reserve(3 * pixels_.size());
        for (const colour& c : pixels_)
            for (const float part : {c.red, c.green, c.blue}) bytes.push_back(static_cast<std::uint8_t>(part + 0.5f));
        if (stbi_write_png(path.c_str(), width_, height_, 3, bytes.data(), 3 * width_) == 0)
            throw std::runtime_error(path + ": the picture cannot be written");
    }

private:
    [[nodiscard]] colour& at(int x, int y) { return pixels_.at(static_cast<std::size_t>(y * width_ + x)); }

    int width_, height_;
    std::vector<colour> pixels_;
};

constexpr colour grey{112, 116, 128}, light{226, 228, 234}, lighter{243, 244, 247};
constexpr int pixel = 30, panel = 8 * pixel, gap = 36, step = panel + gap;

std::string percent(float share)
{
    std::array<char, 32> s;
    std::snprintf(s.data(), s.size(), "%.1f %%", static_cast<double>(100 * share));
    return s.data();
}

void draw_frame(canvas& on, int x, int y, const std::string& caption)
{
    on.text(x, y - 26, 2, grey, caption);
    on.rectangle(x - 1, y - 1, panel + 2, panel + 2, light);
}

/// Calls f(x, y, ink) for each pixel of the image.
template <class F>
void for_each_pixel(int x, int y, image pixels, F f)
{
    for (int r = 0; r < 8; ++r)
        for (int c = 0; c < 8; ++c)
            f(x + c * pixel, y + r * pixel, ink(pixels, static_cast<std::size_t>(r), static_cast<std::size_t>(c)));
}

void draw_image(canvas& on, int x, int y, image pixels)
{
    draw_frame(on, x, y, "the image");
    for_each_pixel(x, y, pixels,
                   [&](int left, int top, float dark) { on.rectangle(left, top, pixel, pixel, mix(paper, black, dark)); });
}

/// The weight of each patch as a colour, and on it the digit as dots whose areas are its grey values.
void draw_gaze(canvas& on, int x, int y, const std::string& name, image pixels, const gaze& g)
{
    draw_frame(on, x, y, name + ": up to " + percent(largest(g)));
    for (int t = 0; t < 16; ++t)
        on.rectangle(x + t % 4 * 2 * pixel, y + t / 4 * 2 * pixel, 2 * pixel, 2 * pixel,
                     heat(g(static_cast<std::size_t>(t), 0) / largest(g)));
    for_each_pixel(x, y, pixels, [&](int left, int top, float dark) {
        if (dark > 0) on.disc(left, top, pixel, 0.42f * pixel * std::sqrt(dark), black);
    });
}

void draw_probabilities(canvas& on, int x, int y, const reading& r)
{
    constexpr int bar = 18, longest = 2 * panel + gap - 120;
    on.text(x, y - 26, 2, grey, "probability of each digit");
    for (std::size_t d = 0; d < 10; ++d, y += panel / 10) {
        const float p = r.probability(d, 0);
        const colour words = d == r.answer ? black : grey;
        on.text(x, y + 4, 2, words, std::to_string(d));
        on.rectangle(x + 24, y, longest, bar, lighter);
        on.rectangle(x + 24, y, static_cast<int>(p * longest), bar, d == r.answer ? red : grey);
        on.text(x + 24 + longest + 12, y + 4, 2, words, percent(p));
    }
}

/// What the colours mean.
void draw_scale(canvas& on, int x, int y)
{
    constexpr int length = 120;
    on.text(x, y, 2, grey, "weight of a patch: 0");
    for (int i = 0; i < length; ++i) on.rectangle(x + 244 + i, y - 2, 1, 16, heat(static_cast<float>(i) / length));
    on.text(x + 244 + length + 12, y, 2, grey, "the largest of the head's 16; dots: the image");
}

}  // namespace

void draw_png(const reading& r, const std::string& path)
{
    constexpr int upper = 106, lower = upper + step + 38;
    canvas on(gap + 4 * step, lower + panel + 62);
    const std::string what = ": a " + std::to_string(r.label) + ", read as " + std::to_string(r.answer);
    on.text(gap, 26, 3, black, "Test image " + std::to_string(r.number) + what);
    draw_image(on, gap, upper, r.pixels);
    draw_gaze(on, gap + step, upper, "mean", r.pixels, r.mean);
    draw_probabilities(on, gap + 2 * step, upper, r);
    for (int h = 0; h < 4; ++h)
        draw_gaze(on, gap + h * step, lower, "head " + std::to_string(h + 1), r.pixels, r.heads[static_cast<std::size_t>(h)]);
    draw_scale(on, gap, lower + panel + 26);
    on.write(path);
}

}  // namespace digits
