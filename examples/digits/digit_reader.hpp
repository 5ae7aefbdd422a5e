// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXAMPLES_DIGIT_READER_HPP
#define HEADSTRONG_EXAMPLES_DIGIT_READER_HPP
/// @file
/// A network made of attention alone that reads a handwritten digit: 230,000 multiply-adds, no heap, constexpr.

#include <headstrong/headstrong.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace digits {

namespace hs = headstrong;

using image = std::span<const std::uint8_t, 8 * 8>;  ///< grey values 0 to 16, row by row
using tokens = hs::matrix<float, 32, 4 * 4>;         ///< 32 numbers for each patch of 2 x 2 pixels
using logits = hs::matrix<float, 10, 1>;             ///< the largest belongs to the digit that is read

struct digit_reader {
    using block = hs::multi_head<float, hs::dims{.d_model = 32, .heads = 4}>;  // so d_k = d_v = 8

    hs::matrix<float, 32, 4> embed;  ///< takes the 4 pixels of a patch to 32 numbers
    tokens pos;                      ///< tells the patches apart
    block att1, att2;                ///< the patches look at each other, twice
    hs::matrix<float, 32, 10> cls;   ///< ten queries, one a digit
    block pool;                      ///< the queries look at the patches
    hs::matrix<float, 32, 1> read;

    [[nodiscard]] constexpr logits operator()(image pixels) const noexcept { return decide(look(pixels)); }

    /// The patches, each of which has seen the others.
    [[nodiscard]] constexpr tokens look(image pixels) const noexcept
    {
        tokens x = sum(hs::multiply(embed, patches(pixels)), pos);
        x = sum(x, att1(x, x, x));
        x = sum(x, att2(x, x, x));
        return x;
    }

    [[nodiscard]] constexpr logits decide(const tokens& x) const noexcept
    {
        return hs::multiply(hs::transposed(pool(cls, x, x)), read);
    }

    /// Token 4 r + c holds the pixels of the patch in row r and column c, row by row, from 0 to 1.
    [[nodiscard]] static constexpr hs::matrix<float, 4, 16> patches(image pixels) noexcept
    {
        hs::matrix<float, 4, 16> p;
        for (std::size_t t = 0; t < 16; ++t)
            for (std::size_t e = 0; e < 4; ++e)
                p(e, t) = static_cast<float>(pixels[8 * (t / 4 * 2 + e / 2) + t % 4 * 2 + e % 2]) / 16;
        return p;
    }

    // A plain sum has the same bits everywhere, since the library never leaves a product for the compiler to fuse with it.
    [[nodiscard]] static constexpr tokens sum(const tokens& a, const tokens& b) noexcept
    {
        tokens c;
        for (std::size_t e = 0; e < 32 * 16; ++e) c.elements[e] = a.elements[e] + b.elements[e];
        return c;
    }
};

/// The digit that the logits speak for.
[[nodiscard]] constexpr std::size_t answer(const logits& l) noexcept
{
    return static_cast<std::size_t>(std::ranges::max_element(l.elements) - l.elements);
}

}  // namespace digits

#endif
