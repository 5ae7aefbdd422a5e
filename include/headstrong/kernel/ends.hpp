// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_ENDS_HPP
#define HEADSTRONG_KERNEL_ENDS_HPP
/// @file
/// Where a product of kernel/tile.hpp begins and ends: which of its links and columns are wanted, what sums begin with, and
/// what is done to those that are complete.

#include "headstrong/lanes.hpp"

#include <cstddef>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// The whole product.
template <class B>
struct all_of {
    static constexpr bool ends_differ = false;
    static constexpr std::size_t first_row = 0, first_column = 0;

    [[nodiscard]] HEADSTRONG_INLINE static constexpr std::size_t rows_of(std::size_t) noexcept { return B::rows; }
    [[nodiscard]] HEADSTRONG_INLINE static constexpr std::size_t columns_of(std::size_t) noexcept { return B::columns; }
    template <std::size_t P>
    [[nodiscard]] HEADSTRONG_INLINE static constexpr std::size_t most_rows_of(std::size_t) noexcept
    {
        return B::rows;
    }
    template <std::size_t P>
    [[nodiscard]] HEADSTRONG_INLINE static constexpr std::size_t most_columns_of(std::size_t) noexcept
    {
        return B::columns;
    }
};

/// For panel p links first_row ... row_end[p] - 1 of the chains, which begin and end where those of the whole product do, and
/// at least columns first_column ... column_end[p] - 1 of C. Empty ranges are not served.
template <std::size_t Panels>
struct part_of {
    static constexpr bool ends_differ = Panels > 1;
    std::size_t first_row, first_column;
    std::size_t row_end[Panels], column_end[Panels];

    [[nodiscard]] HEADSTRONG_INLINE constexpr std::size_t rows_of(std::size_t p) const noexcept { return row_end[bounded(p)]; }
    [[nodiscard]] HEADSTRONG_INLINE constexpr std::size_t columns_of(std::size_t p) const noexcept
    {
        return column_end[bounded(p)];
    }
    /// The most of panels p ... p + P - 1.
    template <std::size_t P>
    [[nodiscard]] HEADSTRONG_INLINE constexpr std::size_t most_rows_of(std::size_t p) const noexcept
    {
        return most<P>(row_end, p);
    }
    template <std::size_t P>
    [[nodiscard]] HEADSTRONG_INLINE constexpr std::size_t most_columns_of(std::size_t p) const noexcept
    {
        return most<P>(column_end, p);
    }

private:
    /// Tiles of more panels than there are, which are made but never used, would read beyond the ends.
    [[nodiscard]] HEADSTRONG_INLINE static constexpr std::size_t bounded(std::size_t p) noexcept
    {
        return p < Panels ? p : Panels - 1;
    }
    template <std::size_t P>
    [[nodiscard]] HEADSTRONG_INLINE static constexpr std::size_t most(const std::size_t (&ends)[Panels], std::size_t p) noexcept
    {
        std::size_t largest = ends[bounded(p)];
        for (std::size_t i = 1; i < P; ++i) largest = ends[bounded(p + i)] > largest ? ends[bounded(p + i)] : largest;
        return largest;
    }
};

template <lanes L>
struct start_with_zero {
    static constexpr const typename L::value_type* numbers = nullptr;

    [[nodiscard]] HEADSTRONG_INLINE constexpr L operator()(std::size_t, std::size_t) const { return L::broadcast(0); }
};

/// The same for sums of which nobody sees whether a zero is negative, and that are not added to others: they may begin with
/// their first product, -0 where that is negative, which saves the zero.
template <lanes L>
struct start_with_any_zero : start_with_zero<L> {
    static constexpr bool any_zero = true;
};

/// Sums of each row begin with its number here; with zero, if there are none.
template <lanes L>
struct start_with {
    const typename L::value_type* numbers;

    [[nodiscard]] HEADSTRONG_INLINE constexpr L operator()(std::size_t p, std::size_t) const
    {
        return numbers != nullptr ? L::load(numbers + p * L::size) : L::broadcast(0);
    }
};

struct finish_as_it_is {
    static constexpr const void* factors = nullptr;

    template <lanes L>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L operator()(std::size_t, std::size_t, const L& sum) const
    {
        return sum;
    }
};

/// Sums of each panel are multiplied by its factors.
template <lanes L>
struct finish_by {
    const L* factors;

    [[nodiscard]] HEADSTRONG_INLINE constexpr L operator()(std::size_t p, std::size_t, const L& sum) const
    {
        return product(sum, factors[p]);
    }
};

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
