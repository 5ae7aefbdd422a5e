// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_VIEW_HPP
#define HEADSTRONG_VIEW_HPP
/// @file
/// Views of numbers that stay where they are; strides are part of the type, so a transposed view is never read as packed.

#include "headstrong/matrix.hpp"

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

namespace headstrong {

/// Rows x Cols numbers at `data`: number r of column j is data[r * RowStride + j * ColStride]. T may be const.
template <class T, std::size_t Rows, std::size_t Cols, std::size_t RowStride = 1, std::size_t ColStride = Rows>
struct matrix_view {
    static_assert(rule::checked<(rule::holds<rule::matrix_has_rows_and_columns<Rows, Cols>>)>);

    using value_type = std::remove_const_t<T>;               ///< the type of number
    static constexpr std::size_t rows = Rows;                ///< numbers of a token
    static constexpr std::size_t columns = Cols;             ///< tokens
    static constexpr std::size_t row_stride = RowStride;     ///< from a number of a token to the next one
    static constexpr std::size_t column_stride = ColStride;  ///< from a token to the next one

    T* data;  ///< number 0 of column 0

    /// Number r of column j.
    [[nodiscard]] HEADSTRONG_INLINE constexpr T& operator()(std::size_t r, std::size_t j) const noexcept
    {
        return data[r * RowStride + j * ColStride];
    }

    /// The same numbers with rows and columns exchanged.
    [[nodiscard]] HEADSTRONG_INLINE constexpr matrix_view<T, Cols, Rows, ColStride, RowStride> transposed() const noexcept
    {
        return {data};
    }

    /// Column j alone, as a view of one column.
    [[nodiscard]] HEADSTRONG_INLINE constexpr matrix_view<T, Rows, 1, RowStride, ColStride> column(std::size_t j) const noexcept
    {
        return {data + j * ColStride};
    }
};

/// The row-vector convention: Tokens rows of Width numbers, a token a row, as the transformer paper, NumPy and PyTorch
/// write it. Wherever a matrix of tokens is taken, this is taken too, and means the transpose; no number is moved.
template <class T, std::size_t Tokens, std::size_t Width, std::size_t TokenStride = Width, std::size_t NumberStride = 1>
struct row_view {
    using value_type = std::remove_const_t<T>;     ///< the type of number
    static constexpr std::size_t rows = Tokens;    ///< tokens
    static constexpr std::size_t columns = Width;  ///< numbers of a token

    matrix_view<T, Width, Tokens, NumberStride, TokenStride> tokens;  ///< the same numbers, a token a column

    /// Number r of token i.
    [[nodiscard]] HEADSTRONG_INLINE constexpr T& operator()(std::size_t i, std::size_t r) const noexcept
    {
        return tokens(r, i);
    }
};

// as_view: what the library takes as a matrix of tokens, seen as a view with a token a column.

/// What the library takes as a matrix of tokens, seen as a view with a token a column: of a matrix, to read.
template <class T, std::size_t R, std::size_t C, std::size_t A>
[[nodiscard]] HEADSTRONG_INLINE constexpr matrix_view<const T, R, C> as_view(const matrix<T, R, C, A>& x) noexcept
{
    return {x.elements};
}
/// Of a matrix, to write.
template <class T, std::size_t R, std::size_t C, std::size_t A>
[[nodiscard]] HEADSTRONG_INLINE constexpr matrix_view<T, R, C> as_view(matrix<T, R, C, A>& x) noexcept
{
    return {x.elements};
}
/// A view is one already.
template <class T, std::size_t R, std::size_t C, std::size_t RS, std::size_t CS>
[[nodiscard]] HEADSTRONG_INLINE constexpr matrix_view<T, R, C, RS, CS> as_view(matrix_view<T, R, C, RS, CS> x) noexcept
{
    return x;
}
/// Of a row view: its tokens.
template <class T, std::size_t N, std::size_t D, std::size_t TS, std::size_t NS>
[[nodiscard]] HEADSTRONG_INLINE constexpr matrix_view<T, D, N, NS, TS> as_view(row_view<T, N, D, TS, NS> x) noexcept
{
    return x.tokens;
}

/// Anything that as_view accepts: a matrix, a view, or a row view.
template <class X>
concept matrix_like = requires(X&& x) { as_view(x); };

namespace detail {
template <class X>
using view_of = decltype(as_view(std::declval<X&>()));
}  // namespace detail

/// The transpose of x, as a view: number (r, j) of the result is number (j, r) of x.
template <matrix_like X>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto transposed(X&& x) noexcept
{
    return as_view(x).transposed();
}

/// A matrix of tokens in the row-vector convention: rows(x)(i, r) is x(r, i); the same bytes, no copy.
template <matrix_like X>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto rows(X&& x) noexcept
{
    using view = detail::view_of<X>;
    using number = std::remove_reference_t<decltype(as_view(x)(0, 0))>;
    return row_view<number, view::columns, view::rows, view::column_stride, view::row_stride>{as_view(x)};
}

/// N tokens of D numbers, a token a row, that start at `data`: a C array, a NumPy array, a tensor.
template <std::size_t N, std::size_t D, class T>
[[nodiscard]] HEADSTRONG_INLINE constexpr row_view<T, N, D> rows(T* data) noexcept
{
    return {{data}};
}
/// The same of a span, whose extent must be N D.
template <std::size_t N, std::size_t D, class T, std::size_t E>
[[nodiscard]] HEADSTRONG_INLINE constexpr row_view<T, N, D> rows(std::span<T, E> numbers) noexcept
{
    static_assert(rule::checked<(rule::holds<rule::span_holds_the_matrix<E, D, N>>)>);
    return {{numbers.data()}};
}

/// N tokens of D numbers, a token a column (the numbers of a token are neighbours), that start at `data`.
template <std::size_t D, std::size_t N, class T>
[[nodiscard]] HEADSTRONG_INLINE constexpr matrix_view<T, D, N> columns(T* data) noexcept
{
    return {data};
}
/// The same of a span, whose extent must be D N.
template <std::size_t D, std::size_t N, class T, std::size_t E>
[[nodiscard]] HEADSTRONG_INLINE constexpr matrix_view<T, D, N> columns(std::span<T, E> numbers) noexcept
{
    static_assert(rule::checked<(rule::holds<rule::span_holds_the_matrix<E, D, N>>)>);
    return {numbers.data()};
}

}  // namespace headstrong

#endif
