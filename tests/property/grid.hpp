// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_PROPERTY_GRID_HPP
#define HEADSTRONG_TESTS_PROPERTY_GRID_HPP
/// @file
/// Matrices whose sizes are values. What a test does with inputs and results is written over them, so that it is compiled
/// once for all shapes, and only the library's own calls once for each.

#include <headstrong/headstrong.hpp>

#include <cstddef>
#include <vector>

namespace property {

/// A matrix that stays where it is.
template <class T>
struct grid_view {
    const T* data;
    std::size_t rows, columns, row_stride, column_stride;

    [[nodiscard]] T operator()(std::size_t r, std::size_t j) const { return data[r * row_stride + j * column_stride]; }
};

/// A matrix of its own, column by column.
template <class T>
class grid {
public:
    grid(std::size_t rows, std::size_t columns, T content = T{0})
        : rows_(rows), columns_(columns), numbers_(rows * columns, content)
    {
    }

    template <std::size_t R, std::size_t C, std::size_t A>
    explicit(false) grid(const headstrong::matrix<T, R, C, A>& x)
        : rows_(R), columns_(C), numbers_(x.elements, x.elements + R * C)
    {
    }

    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] std::size_t columns() const { return columns_; }
    [[nodiscard]] std::vector<T>& numbers() { return numbers_; }
    [[nodiscard]] const std::vector<T>& numbers() const { return numbers_; }

    [[nodiscard]] T& operator()(std::size_t r, std::size_t j) { return numbers_[j * rows_ + r]; }
    [[nodiscard]] T operator()(std::size_t r, std::size_t j) const { return numbers_[j * rows_ + r]; }

    /// As the library takes it.
    template <std::size_t R, std::size_t C>
    [[nodiscard]] headstrong::matrix_view<const T, R, C> as() const
    {
        return headstrong::columns<R, C>(numbers_.data());
    }
    template <std::size_t R, std::size_t C>
    [[nodiscard]] headstrong::matrix_view<T, R, C> as()
    {
        return headstrong::columns<R, C>(numbers_.data());
    }

    explicit(false) operator grid_view<T>() const { return {numbers_.data(), rows_, columns_, 1, rows_}; }

private:
    std::size_t rows_, columns_;
    std::vector<T> numbers_;
};

template <headstrong::matrix_like X>
[[nodiscard]] auto view_of(const X& x)
{
    using view = decltype(headstrong::as_view(x));
    return grid_view<typename view::value_type>{headstrong::as_view(x).data, view::rows, view::columns, view::row_stride,
                                                view::column_stride};
}

/// Row r, or column j, becomes all `content`.
template <class T>
void set_row(grid<T>& x, std::size_t r, T content)
{
    for (std::size_t j = 0; j < x.columns(); ++j) x(r, j) = content;
}
template <class T>
void set_column(grid<T>& x, std::size_t j, T content)
{
    for (std::size_t r = 0; r < x.rows(); ++r) x(r, j) = content;
}

/// x with column i at place order[i].
template <class T>
[[nodiscard]] grid<T> with_columns_at(const grid<T>& x, const std::vector<std::size_t>& order)
{
    grid<T> y(x.rows(), x.columns());
    for (std::size_t i = 0; i < x.columns(); ++i)
        for (std::size_t r = 0; r < x.rows(); ++r) y(r, order[i]) = x(r, i);
    return y;
}

/// A + B, rounded.
template <class T>
[[nodiscard]] grid<T> plus(grid<T> a, const grid<T>& b)
{
    for (std::size_t e = 0; e < a.numbers().size(); ++e) a.numbers()[e] += b.numbers()[e];
    return a;
}

/// A times a number, rounded.
template <class T>
[[nodiscard]] grid<T> times(grid<T> a, T factor)
{
    for (T& number : a.numbers()) number *= factor;
    return a;
}

}  // namespace property

#endif
