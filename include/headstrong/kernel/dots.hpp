// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KERNEL_DOTS_HPP
#define HEADSTRONG_KERNEL_DOTS_HPP
/// @file
/// Inner products of few vectors with many columns, the numbers of a column in the lanes: what a single query needs, whose
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

/// Vectors of as many blocks, `stride` numbers apart.
template <class T>
struct some_vectors {
    const T* data;
    std::size_t count, stride;

    /// Those behind the first `v`.
    [[nodiscard]] HEADSTRONG_INLINE constexpr some_vectors from(std::size_t v) const noexcept
    {
        return {data + v * stride, count - v, stride};
    }
};

/// How many vectors share what is loaded of a column: a register's lanes hold about as many columns as vectors.
template <class L>
inline constexpr std::size_t vectors_at_once = 1;

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

/// Registers of numbers that are `stride` apart; kept, if several multiply-adds need each.
template <class Vector, class T, class Register, std::size_t... J>
HEADSTRONG_STEP inline void load_registers(Register* to, const T* numbers, std::size_t stride,
                                           std::index_sequence<J...>) noexcept
{
    ((to[J] = Vector::load(numbers + J * stride)), ...);
    if constexpr (sizeof...(J) < Vector::size) (keep_in_register(to[J]), ...);
}

/// The inner products of some vectors with columns from `first` on, as many as a register has lanes for, those of one vector
/// beside each other: what the part `Part` of the lanes adds to them.
template <lanes L, std::size_t Part, std::size_t Vectors, std::size_t... I>
[[nodiscard]] HEADSTRONG_STEP inline typename L::register_type part_of_dots(const some_vectors<typename L::value_type>& x,
                                                                            blocked_columns<typename L::value_type> c,
                                                                            std::size_t first,
                                                                            std::index_sequence<I...>) noexcept
{
    using vector = typename L::vector;
    using reg = typename L::register_type;
    constexpr std::size_t at = Part * vector::size, columns = vector::size / Vectors;
    reg sums[] = {(static_cast<void>(I), vector::broadcast(0))...};
    for (std::size_t b = 0; b < c.blocks; ++b) {
        reg of_columns[columns], of_vectors[Vectors];
        load_registers<vector>(of_columns, c.data + b * c.block_stride + first * c.column_stride + at, c.column_stride,
                               std::make_index_sequence<columns>{});
        load_registers<vector>(of_vectors, x.data + b * L::size + at, x.stride, std::make_index_sequence<Vectors>{});
        ((sums[I] = fused(of_columns[I % columns], of_vectors[I / columns], sums[I])), ...);
    }
    return sums_of_neighbours<vector::size>(sums);
}

/// The same of all parts, to out.
template <lanes L, std::size_t Vectors>
HEADSTRONG_STEP inline void dots_of_some(const some_vectors<typename L::value_type>& x,
                                         blocked_columns<typename L::value_type> c, std::size_t first,
                                         typename L::value_type* out, std::size_t out_stride) noexcept
{
    using vector = typename L::vector;
    constexpr std::size_t columns = vector::size / Vectors;
    const typename L::register_type sums = [&]<std::size_t... P>(std::index_sequence<P...>) HEADSTRONG_STEP {
        constexpr auto indices = std::make_index_sequence<vector::size>{};
        const typename L::register_type parts[] = {part_of_dots<L, P, Vectors>(x, c, first, indices)...};
        if constexpr (sizeof...(P) == 1) return parts[0];
        else if constexpr (sizeof...(P) == 2) return parts[0] + parts[1];
        else return (parts[0] + parts[1]) + (parts[2] + parts[3]);
    }(std::make_index_sequence<L::parts>{});
    if constexpr (Vectors == 1) {
        vector::store(out + first, sums);
    } else {
        typename L::value_type found[vector::size];
        vector::store(found, sums);
        for (std::size_t i = 0; i < vector::size; ++i) out[i / columns * out_stride + first + i % columns] = found[i];
    }
}

template <class L>
    requires requires { typename L::vector; }
inline constexpr std::size_t vectors_at_once<L> = L::vector::size >= 16  ? 4
                                                  : L::vector::size >= 4 ? 2
                                                                         : 1;
#endif

/// out[v * out_stride + j] = sum_r x_v[r] c(r, j) for all vectors v and `columns` columns: a chain of multiply-adds over the
/// blocks in each of 16 lanes, then the tree of neighbours over the lanes. At most AtOnce vectors, a power of two, go along
/// together; how many changes no bit.
template <lanes L, std::size_t AtOnce>
HEADSTRONG_KERNEL constexpr void dot_columns(some_vectors<typename L::value_type> x, blocked_columns<typename L::value_type> c,
                                             std::size_t columns, typename L::value_type* out, std::size_t out_stride)
{
    const std::size_t together = x.count / AtOnce * AtOnce;
    std::size_t served = 0;
#if HEADSTRONG_SIMD
    if constexpr (requires { typename L::vector; }) {
        constexpr std::size_t step = L::vector::size / AtOnce;
        for (; served + step <= columns; served += step)
            for (std::size_t v = 0; v < together; v += AtOnce)
                dots_of_some<L, AtOnce>(x.from(v), c, served, out + v * out_stride, out_stride);
    }
#endif
    for (std::size_t j = served; j < columns; ++j)
        for (std::size_t v = 0; v < together; ++v) {
            L sum = L::broadcast(0);
            for (std::size_t b = 0; b < c.blocks; ++b)
                sum = fma(L::load(c.data + b * c.block_stride + j * c.column_stride),
                          L::load(x.data + v * x.stride + b * L::size), sum);
            out[v * out_stride + j] = sum_of_neighbours(sum);
        }
    if constexpr (AtOnce > 1)
        if (together < x.count)
            dot_columns<L, AtOnce / 2>(x.from(together), c, columns, out + together * out_stride, out_stride);
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
