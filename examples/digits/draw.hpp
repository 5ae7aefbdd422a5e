// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXAMPLES_DRAW_HPP
#define HEADSTRONG_EXAMPLES_DRAW_HPP
/// @file
/// Draws a digit and where the network looks, in the terminal and as a PNG file.

#include "evaluate.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace digits {

/// Lines for a terminal of 80 columns. Without colour, shades of characters tell ink and weights.
[[nodiscard]] std::string draw_in_terminal(const reading& r, bool with_colour);

/// Throws std::runtime_error if the file cannot be written.
void draw_png(const reading& r, const std::string& path);

// What both have in common.

struct colour {
    float red, green, blue;
};

[[nodiscard]] constexpr colour mix(colour a, colour b, float share_of_b) noexcept
{
    const auto between = [=](float x, float y) { return x + (y - x) * share_of_b; };
    return {between(a.red, b.red), between(a.green, b.green), between(a.blue, b.blue)};
}

inline constexpr colour paper{255, 255, 255}, black{20, 22, 30}, orange{253, 190, 92}, red{226, 62, 26};

/// Paper for 0, orange, red for 1.
[[nodiscard]] constexpr colour heat(float strength) noexcept
{
    return strength < 0.5f ? mix(paper, orange, 2 * strength) : mix(orange, red, 2 * strength - 1);
}

/// The grey value of the pixel in row r and column c, from 0 to 1.
[[nodiscard]] constexpr float ink(image pixels, std::size_t r, std::size_t c) noexcept
{
    return static_cast<float>(pixels[8 * r + c]) / 16;
}

/// A weight map is drawn relative to its largest weight.
[[nodiscard]] constexpr float largest(const gaze& g) noexcept { return std::ranges::max(g.elements); }

}  // namespace digits

#endif
