// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_DOTS_HPP
#define HEADSTRONG_KERNEL_DOTS_HPP
/// @file
/// Inner products of one vector with many columns, the numbers of a column in the lanes: what a single query needs, whose
/// operands have no 16 columns to fill the lanes with.

#include "headstrong/lanes.hpp"

#include <cstddef>
#include <utility>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// Columns in blocks of 16 numbers: block b of column j at data + b * block_stride + j * column_stride.
template <class T>
struct blocked_columns {
    const T* data;
    std::size_t blocks;
    std::size_t block_stride, column_stride;
};

#if HEADSTRONG_SIMD
/// Lane i of the result is the sum of lanes i and i ^ Step of a, where i has no bit Step, else of b.
template <std::size_t Step, class Register, std::size_t... I>
[[nodiscard]] HEADSTRONG_STEP inline Register sums_of_pairs(Register a, Register b, std::index_sequence<I...>) noexcept
{
    constexpr std::size_t width = sizeof...(I);
    return __builtin_shufflevector(a, b, (I & Step ? I + width : I)...)
           + __builtin_shufflevector(a, b, (I & Step ? I + width - Step : I + Step)...);
}

/// W registers to one: lane i is the sum of register i by the tree of neighbours. Each round halves the registers, and the
/// lanes that a sum has not yet met; after round r lane i belongs to a register that equals i in its lowest r bits.
template <std::size_t W, std::size_t Step = 1, class Register, std::size_t Count>
[[nodiscard]] HEADSTRONG_STEP inline Register sums_of_neighbours(const Register (&rows)[Count]) noexcept
{
    if constexpr (Count == 1) {
        return rows[0];
    } else {
        return [&]<std::size_t... K>(std::index_sequence<K...>) HEADSTRONG_STEP {
            const Register half[] = {sums_of_pairs<Step>(rows[2 * K], rows[2 * K + 1], std::make_index_sequence<W>{})...};
            return sums_of_neighbours<W, 2 * Step>(half);
        }(std::make_index_sequence<Count / 2>{});
    }
}

/// The inner products with W columns from `first` on, for the part `Part` of the lanes.
template <lanes L, std::size_t Part, std::size_t... J>
[[nodiscard]] HEADSTRONG_STEP inline typename L::register_type part_of_dots(const typename L::value_type* x,
                                                                            blocked_columns<typename L::value_type> c,
                                                                            std::size_t first,
                                                                            std::index_sequence<J...>) noexcept
{
    using batch = typename L::batch;
    using reg = typename L::register_type;
    constexpr std::size_t at = Part * batch::size;
    reg sums[] = {(static_cast<void>(J), reg(batch(0)))...};
    for (std::size_t b = 0; b < c.blocks; ++b) {
        const reg factor(batch::load_unaligned(x + b * L::size + at));
        const auto* const column = c.data + b * c.block_stride + first * c.column_stride + at;
        ((sums[J] = fused(reg(batch::load_unaligned(column + J * c.column_stride)), factor, sums[J])), ...);
    }
    return sums_of_neighbours<batch::size>(sums);
}
#endif

/// out[j] = sum_r x[r] c(r, j) for `columns` columns: a chain of multiply-adds over the blocks in each of 16 lanes, then the
/// tree of neighbours over the lanes.
template <lanes L>
HEADSTRONG_KERNEL constexpr void dot_columns(const typename L::value_type* x, blocked_columns<typename L::value_type> c,
                                             std::size_t columns, typename L::value_type* out)
{
    std::size_t served = 0;
#if HEADSTRONG_SIMD
    if constexpr (requires { typename L::batch; }) {
        using batch = typename L::batch;
        constexpr auto indices = std::make_index_sequence<batch::size>{};
        served = columns / batch::size * batch::size;
        for (std::size_t j = 0; j < served; j += batch::size)
            batch([&]<std::size_t... P>(std::index_sequence<P...>) HEADSTRONG_STEP {
                const typename L::register_type parts[] = {part_of_dots<L, P>(x, c, j, indices)...};
                if constexpr (sizeof...(P) == 1) return parts[0];
                else if constexpr (sizeof...(P) == 2) return parts[0] + parts[1];
                else return (parts[0] + parts[1]) + (parts[2] + parts[3]);
            }(std::make_index_sequence<L::parts>{}))
                .store_unaligned(out + j);
    }
#endif
    for (std::size_t j = served; j < columns; ++j) {
        L sum = L::broadcast(0);
        for (std::size_t b = 0; b < c.blocks; ++b)
            sum = fma(L::load(c.data + b * c.block_stride + j * c.column_stride), L::load(x + b * L::size), sum);
        out[j] = sum_of_neighbours(sum);
    }
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
