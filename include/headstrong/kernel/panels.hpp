// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_PANELS_HPP
#define HEADSTRONG_KERNEL_PANELS_HPP
/// @file
/// Where panels of lanes lie, for the multiply kernel to load and store, how many there are, and how long its chains are.

#include "headstrong/lanes.hpp"

#include <cstddef>
#include <type_traits>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// The longest chain of multiply-adds.
inline constexpr std::size_t longest_chain = 128;

/// Panels of lanes in memory, where A is read or C written: panel p of column j at data + p * panel_stride + j * column_stride.
template <class T>
struct lanes_at {
    T* data;
    std::size_t panel_stride, column_stride;

    template <lanes L>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L load(std::size_t p, std::size_t j) const
    {
        return load_pairs<L>(data + p * panel_stride + j * column_stride);
    }
    template <lanes L>
    HEADSTRONG_INLINE constexpr void store(std::size_t p, std::size_t j, const L& sum) const
    {
        sum.store(data + p * panel_stride + j * column_stride);
    }
};

/// Panels of lane_count lanes in memory, packed weights or keys, read as panels of L: lane p * L::size of column j lies in
/// panel p * L::size / lane_count at data + that * panel_stride + j * lane_count.
template <class T>
struct packed_lanes {
    const T* data;
    std::size_t panel_stride;

    template <lanes L>
    [[nodiscard]] HEADSTRONG_INLINE constexpr const T* at(std::size_t p, std::size_t j) const
    {
        constexpr std::size_t parts = lane_count<T> / L::size;
        return data + p / parts * panel_stride + p % parts * L::size + j * lane_count<T>;
    }
    template <lanes L>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L load(std::size_t p, std::size_t j) const
    {
        return load_pairs<L>(at<L>(p, j));
    }
    /// The panels of L from p on that lie in the same one of lane_count lanes: compilers do not see that they are neighbours.
    template <lanes L>
    [[nodiscard]] HEADSTRONG_INLINE constexpr lanes_at<const T> inside_panel(std::size_t p) const
    {
        return {at<L>(p, 0), L::size, lane_count<T>};
    }
};

/// Panels from `first` on.
template <class Panels>
struct panels_from {
    Panels panels;
    std::size_t first;

    template <lanes L>
    [[nodiscard]] HEADSTRONG_INLINE constexpr auto at(std::size_t p, std::size_t j) const
        requires requires { panels.template at<L>(p, j); }
    {
        return panels.template at<L>(first + p, j);
    }
    template <lanes L>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L load(std::size_t p, std::size_t j) const
    {
        return panels.template load<L>(first + p, j);
    }
};

/// A number of panels that is known when compiling.
template <std::size_t Panels>
using known = std::integral_constant<std::size_t, Panels>;

/// A number of panels that is known when running, at most Most.
template <std::size_t Most>
struct at_most {
    static constexpr std::size_t most = Most;
    std::size_t count;

    [[nodiscard]] HEADSTRONG_INLINE constexpr operator std::size_t() const noexcept { return count; }
};

/// Columns of the kind of those of X. How many is known when running, in place of when compiling, so that a last block needs no
/// code of its own: where lanes are single numbers, whose tiles take few columns at a time.
template <class X>
struct some_columns : X {
    std::size_t columns;
};
template <class X>
some_columns(X, std::size_t) -> some_columns<X>;

template <class X>
inline constexpr bool counts_when_running = false;
template <class X>
inline constexpr bool counts_when_running<some_columns<X>> = true;

/// The columns of X by its type: some_columns may have fewer or more.
template <class X>
inline constexpr std::size_t columns_by_type = X::columns;
template <class X>
inline constexpr std::size_t columns_by_type<some_columns<X>> = X::columns;

/// The panels of L that `rows` rows fill.
template <lanes L>
[[nodiscard]] HEADSTRONG_INLINE constexpr std::size_t panels_of(std::size_t rows) noexcept
{
    return (rows + L::size - 1) / L::size;
}

/// Lanes of a matrix: rows first_row + p * 16 ... of column first_column + j, as many as there are.
template <class X>
struct rows_of {
    X x;
    std::size_t first_row, first_column;

    template <lanes L>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L load(std::size_t p, std::size_t j) const
    {
        using T = typename L::value_type;
        const std::size_t row = first_row + p * L::size, column = first_column + j;
        const std::size_t count = lanes_from<L>(row);
        if constexpr (X::row_stride == 1) {
            return count == L::size ? load_pairs<L>(&x(row, column)) : L::load(&x(row, column), count);
        } else {
            T gathered[L::size] = {};
            for (std::size_t r = 0; r < count; ++r) gathered[r] = x(row + r, column);
            return L::load(gathered);
        }
    }

    template <lanes L>
    HEADSTRONG_INLINE constexpr void store(std::size_t p, std::size_t j, const L& sum) const
    {
        using T = typename L::value_type;
        const std::size_t row = first_row + p * L::size, column = first_column + j;
        const std::size_t count = lanes_from<L>(row);
        if constexpr (X::row_stride == 1) {
            if (count == L::size) sum.store(&x(row, column));
            else sum.store(&x(row, column), count);
        } else {
            T scattered[L::size];
            sum.store(scattered);
            for (std::size_t r = 0; r < count; ++r) x(row + r, column) = scattered[r];
        }
    }

private:
    /// The lanes of a panel that are rows, if it begins with `row`.
    template <lanes L>
    [[nodiscard]] HEADSTRONG_INLINE static constexpr std::size_t lanes_from(std::size_t row) noexcept
    {
        return X::rows % L::size == 0 || X::rows - row > L::size ? L::size : X::rows - row;
    }
};

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
