// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_GOLDEN_HPP
#define HEADSTRONG_TESTS_GOLDEN_HPP
/// @file
/// The inputs of the golden vectors: small fractions that are exact in half precision, given by formulas.

#include <cstddef>

namespace golden {

constexpr double q(std::size_t c, std::size_t i) { return (static_cast<double>((7 * i + 3 * c + 1) % 5) - 2) / 4; }
constexpr double k(std::size_t c, std::size_t j) { return (static_cast<double>((5 * j + 2 * c + 3) % 7) - 3) / 4; }
constexpr double v(std::size_t c, std::size_t j) { return (static_cast<double>((3 * j + 5 * c + 2) % 9) - 4) / 4; }

/// Any matrix type with elements, rows and columns, filled by one of the formulas.
template <class Matrix, class Formula>
constexpr Matrix filled(Formula formula)
{
    Matrix x{};
    for (std::size_t j = 0; j < Matrix::columns; ++j)
        for (std::size_t r = 0; r < Matrix::rows; ++r) x(r, j) = static_cast<typename Matrix::value_type>(formula(r, j));
    return x;
}

}  // namespace golden

#endif
