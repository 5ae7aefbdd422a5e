// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_MATRIX_HPP
#define HEADSTRONG_MATRIX_HPP
/// @file
/// The owning matrix: columns are tokens.

#include "headstrong/checks.hpp"
#include "headstrong/config.hpp"

#include <bit>
#include <cstddef>
#include <span>
#include <type_traits>

namespace headstrong {

namespace detail {
/// 64 bytes, the widest vector and cache line, but no more than the matrix fills, rounded up to a power of two.
template <class T, std::size_t Count>
inline constexpr std::size_t default_alignment =
    sizeof(T) * Count >= 64 ? 64 : std::bit_ceil(sizeof(T) * (Count > 0 ? Count : 1));
}  // namespace detail

/// A matrix of Rows x Cols numbers, column by column: column j is token j, its numbers are neighbours in memory. A
/// row-major array of (tokens, numbers), as NumPy and PyTorch hold it, has the same bytes.
/// An aggregate: `matrix<float, 2, 2>{1, 2, 3, 4}` has the columns (1, 2) and (3, 4). Layout and alignment are the same
/// in every build, whatever the instruction set.
template <class T, std::size_t Rows, std::size_t Cols, std::size_t Alignment = detail::default_alignment<T, Rows * Cols>>
struct matrix {
    static_assert(rule::checked<(rule::holds<rule::matrix_has_rows_and_columns<Rows, Cols>>)>);

    using value_type = T;                         ///< the type of number
    static constexpr std::size_t rows = Rows;     ///< numbers of a token
    static constexpr std::size_t columns = Cols;  ///< tokens

    alignas(Alignment) T elements[Rows * Cols];  ///< the numbers, column by column

    /// Number r of column j.
    [[nodiscard]] HEADSTRONG_INLINE constexpr T& operator()(std::size_t r, std::size_t j) noexcept
    {
        return elements[j * Rows + r];
    }
    /// The same, to read.
    [[nodiscard]] HEADSTRONG_INLINE constexpr const T& operator()(std::size_t r, std::size_t j) const noexcept
    {
        return elements[j * Rows + r];
    }

    /// The first number; the others follow column by column.
    [[nodiscard]] HEADSTRONG_INLINE constexpr T* data() noexcept { return elements; }
    /// The same, to read.
    [[nodiscard]] HEADSTRONG_INLINE constexpr const T* data() const noexcept { return elements; }

    /// All numbers, column by column.
    [[nodiscard]] HEADSTRONG_INLINE constexpr std::span<T, Rows * Cols> span() noexcept
    {
        return std::span<T, Rows * Cols>(elements);
    }
    /// The same, to read.
    [[nodiscard]] HEADSTRONG_INLINE constexpr std::span<const T, Rows * Cols> span() const noexcept
    {
        return std::span<const T, Rows * Cols>(elements);
    }

    /// The numbers of token j.
    [[nodiscard]] HEADSTRONG_INLINE constexpr std::span<T, Rows> column(std::size_t j) noexcept
    {
        return std::span<T, Rows>(elements + j * Rows, Rows);
    }
    /// The same, to read.
    [[nodiscard]] HEADSTRONG_INLINE constexpr std::span<const T, Rows> column(std::size_t j) const noexcept
    {
        return std::span<const T, Rows>(elements + j * Rows, Rows);
    }

    /// Equal as numbers: a NaN equals nothing, -0 equals 0.
    [[nodiscard]] HEADSTRONG_INLINE friend constexpr bool operator==(const matrix& a, const matrix& b) noexcept
    {
        for (std::size_t e = 0; e < Rows * Cols; ++e)
            if (!(a.elements[e] == b.elements[e])) return false;
        return true;
    }
};

static_assert(std::is_trivially_copyable_v<matrix<float, 2, 3>> && std::is_aggregate_v<matrix<float, 2, 3>>);

}  // namespace headstrong

#endif
