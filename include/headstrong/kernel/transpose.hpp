// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_TRANSPOSE_HPP
#define HEADSTRONG_KERNEL_TRANSPOSE_HPP
/// @file
/// Tokens become lanes and lanes tokens: in memory the numbers of a token are neighbours, in a panel number c of 16 tokens.

#include "headstrong/kernel/cortex_m/tokens.hpp"
#include "headstrong/kernel/helium/tokens.hpp"
#include "headstrong/kernel/panels.hpp"
#include "headstrong/lanes.hpp"
#include "headstrong/view.hpp"

#include <cstddef>
#include <utility>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

#if HEADSTRONG_SIMD
/// Transposes W registers of W numbers: log2 W times, row i is dealt with row i + W / 2 into rows 2 i and 2 i + 1.
template <class Register, std::size_t W>
HEADSTRONG_STEP inline void transpose(Register (&rows)[W]) noexcept
{
    constexpr auto indices = std::make_index_sequence<W>{};
    const auto deal = [&]<std::size_t... I>(std::index_sequence<I...>) HEADSTRONG_STEP {
        const Register dealt_rows[] = {(I % 2 == 0 ? dealt<0>(rows[I / 2], rows[I / 2 + W / 2], indices)
                                                   : dealt<W / 2>(rows[I / 2], rows[I / 2 + W / 2], indices))...};
        ((rows[I] = dealt_rows[I]), ...);
    };
    for (std::size_t round = 1; round < W; round *= 2) deal(indices);
}
#endif

/// Whether the rows of x are neighbours, so that registers hold them.
template <class L, class X>
[[nodiscard]] constexpr bool rows_fill_registers() noexcept
{
#if HEADSTRONG_SIMD
    return X::row_stride == 1 && requires { typename L::vector; };
#else
    return false;
#endif
}

/// Calls block.operator()<Rows>(row) for each register of rows of x, and for the rest.
template <std::size_t Width, class X, class Block>
HEADSTRONG_STEP constexpr void for_each_block_of_rows(Block block)
{
    for (std::size_t row = 0; row + Width <= X::rows; row += Width) block.template operator()<Width>(row);
    if constexpr (X::rows % Width != 0) block.template operator()<X::rows % Width>(X::rows / Width * Width);
}

/// The numbers of columns first ... first + 15 of x into lanes, times `factor`: number r of column first + i to
/// panel[r * 16 + i]. Lanes behind the last column hold zeros or the first one again: no result is read from them.
template <class L, class X>
HEADSTRONG_KERNEL constexpr void tokens_to_lanes(X x, std::size_t first, typename L::value_type factor,
                                                 typename L::value_type* panel) noexcept
{
    using T = typename L::value_type;
    const std::size_t left = x.columns - first, count = left < L::size ? left : L::size;
#if HEADSTRONG_CORTEX_M
    if constexpr (are_of_cortex_m<L> && X::row_stride == 1)
        if (!__builtin_is_constant_evaluated()) {  // lanes of no token get the first one: no result is read from them
            const T* const at = &x(0, first);
            constexpr std::size_t next = X::column_stride;
            scale_tokens({{at, count > 1 ? at + next : at, count > 2 ? at + 2 * next : at, count > 3 ? at + 3 * next : at},
                          panel,
                          X::rows},
                         factor);
            return;
        }
#endif
    if constexpr (rows_fill_registers<L, X>()) {
        using vector = typename L::vector;
        using reg = typename L::register_type;
        const auto load = [&]<std::size_t Rows>(std::size_t row, std::size_t token) HEADSTRONG_STEP -> reg {
            if (token >= count) return vector::broadcast(0);
            const T* const from = x.data + (first + token) * X::column_stride + row;
            reg numbers = vector::broadcast(0);
            if constexpr (Rows == vector::size) numbers = vector::load(from);
            else load_first(from, Rows, numbers);
            return numbers * vector::broadcast(factor);
        };
        const auto transpose_block = [&]<std::size_t Rows, std::size_t... I>(std::size_t row, std::size_t token,
                                                                             std::index_sequence<I...>) HEADSTRONG_STEP {
            reg rows[] = { load.template operator()<Rows>(row, token + I)... };
            transpose(rows);
            ((I < Rows ? vector::store(panel + (row + I) * L::size + token, rows[I]) : void()), ...);
        };
        for_each_block_of_rows<vector::size, X>([&]<std::size_t Rows>(std::size_t row) HEADSTRONG_STEP {
            for (std::size_t token = 0; token < L::size; token += vector::size)
                transpose_block.template operator()<Rows>(row, token, std::make_index_sequence<vector::size>{});
        });
    } else if constexpr (of_single_numbers<L>) {
        [&]<std::size_t... I>(std::index_sequence<I...>) HEADSTRONG_STEP {
            const T* const tokens[] = {&x(0, first + (I < count ? I : 0))...};  // again the first one in lanes of no token
            for (std::size_t r = 0; r < X::rows; ++r) ((panel[r * L::size + I] = tokens[I][r * X::row_stride] * factor), ...);
        }(std::make_index_sequence<L::size>{});
    } else {
        for (std::size_t r = 0; r < X::rows; ++r)
            for (std::size_t i = 0; i < L::size; ++i) panel[r * L::size + i] = i < count ? x(r, first + i) * factor : T{0};
    }
}

/// The way back, for one panel of results: number r of token first + i of y from panel[r * 16 + i].
template <class L, class Y>
HEADSTRONG_KERNEL constexpr void lanes_to_tokens(const typename L::value_type* panel, Y y, std::size_t first) noexcept
{
    const std::size_t count = Y::columns - first < L::size ? Y::columns - first : L::size;
    if constexpr (rows_fill_registers<L, Y>()) {
        using vector = typename L::vector;
        using reg = typename L::register_type;
        const auto store = [&]<std::size_t Rows>(reg numbers, std::size_t row, std::size_t token) HEADSTRONG_STEP {
            if (token >= count) return;
            if constexpr (Rows == vector::size) vector::store(&y(row, first + token), numbers);
            else store_first(&y(row, first + token), Rows, numbers);
        };
        const auto transpose_block = [&]<std::size_t Rows, std::size_t... I>(std::size_t row, std::size_t token,
                                                                             std::index_sequence<I...>) HEADSTRONG_STEP {
            reg rows[] = {(I < Rows ? vector::load(panel + (row + I) * L::size + token) : vector::broadcast(0))...};
            transpose(rows);
            (store.template operator()<Rows>(rows[I], row, token + I), ...);
        };
        for_each_block_of_rows<vector::size, Y>([&]<std::size_t Rows>(std::size_t row) HEADSTRONG_STEP {
            for (std::size_t token = 0; token < count; token += vector::size)
                transpose_block.template operator()<Rows>(row, token, std::make_index_sequence<vector::size>{});
        });
    } else {
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t r = 0; r < Y::rows; ++r) y(r, first + i) = panel[r * L::size + i];
    }
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
