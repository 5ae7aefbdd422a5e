// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXAMPLES_SAMPLE_HPP
#define HEADSTRONG_EXAMPLES_SAMPLE_HPP
/// @file
/// Numbers in place of trained weights and of measurements: yours come from a file, see headstrong_embed.

#include <headstrong/headstrong.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace sample {

namespace hs = headstrong;

/// A matrix of numbers between -1 and 1.
template <class Matrix>
constexpr Matrix numbers(std::uint32_t seed)
{
    Matrix x{};
    for (auto& one : x.elements) {
        seed = seed * 1664525u + 1013904223u;
        one = static_cast<typename Matrix::value_type>(static_cast<std::int32_t>(seed)) * 0x1p-31f;
    }
    return x;
}

template <class Weights>
constexpr Weights weights(std::uint32_t seed)
{
    Weights w{};
    for (auto& m : w.w_q) m = numbers<std::remove_cvref_t<decltype(m)>>(++seed);
    for (auto& m : w.w_k) m = numbers<std::remove_cvref_t<decltype(m)>>(++seed);
    for (auto& m : w.w_v) m = numbers<std::remove_cvref_t<decltype(m)>>(++seed);
    for (auto& m : w.w_o) m = numbers<std::remove_cvref_t<decltype(m)>>(++seed);
    return w;
}

/// Ends the program with a sentence if what it claims is not so.
inline void claim(bool holds, const char* what)
{
    std::printf("%s: %s\n", what, holds ? "yes" : "no");
    if (!holds) std::exit(1);
}

}  // namespace sample

#endif
