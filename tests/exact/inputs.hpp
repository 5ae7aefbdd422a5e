// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_EXACT_INPUTS_HPP
#define HEADSTRONG_TESTS_EXACT_INPUTS_HPP
/// @file
/// Inputs that are the same on every machine: integers, then one exact conversion. Everything here is constant-evaluable.

#include "headstrong/headstrong.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tests {

namespace hs = headstrong;

template <class T>
using bits_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
[[nodiscard]] constexpr bits_of<T> bits(T x) noexcept
{
    return std::bit_cast<bits_of<T>>(x);
}

/// A stream of integers (splitmix64 of Steele, Lea and Flood).
struct integers {
    std::uint64_t state;

    [[nodiscard]] constexpr std::uint64_t next() noexcept
    {
        std::uint64_t z = state += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
};

/// A number in [-1, 1) whose fraction is full, so that every order of a sum rounds differently.
template <class T>
[[nodiscard]] constexpr T number(integers& from) noexcept
{
    if constexpr (sizeof(T) == 4)
        return static_cast<float>(static_cast<std::int32_t>(from.next() >> 39) - (1 << 24)) * 0x1p-24f;
    else return static_cast<double>(static_cast<std::int64_t>(from.next() >> 10) - (std::int64_t{1} << 53)) * 0x1p-53;
}

template <class T, std::size_t Size>
constexpr void fill(T (&numbers)[Size], integers& from) noexcept
{
    for (T& x : numbers) x = number<T>(from);
}

template <class M>
[[nodiscard]] constexpr M filled(std::uint64_t seed) noexcept
{
    integers from{seed};
    M x{};
    fill(x.elements, from);
    return x;
}

/// Weights of a layer, biases included.
template <class T, hs::dims D>
[[nodiscard]] constexpr hs::weights<T, D> filled_weights(std::uint64_t seed) noexcept
{
    integers from{seed};
    hs::weights<T, D> w{};
    const auto fill_one = [&](auto& x) {
        if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(x)>, hs::no_bias>) fill(x.elements, from);
    };
    for (std::size_t h = 0; h < D.heads; ++h) fill_one(w.w_q[h]), fill_one(w.b_q[h]), fill_one(w.w_o[h]);
    for (std::size_t h = 0; h < D.kv_heads; ++h) fill_one(w.w_k[h]), fill_one(w.b_k[h]), fill_one(w.w_v[h]), fill_one(w.b_v[h]);
    fill_one(w.b_o);
    return w;
}

/// `x`, hidden from the optimiser: GCC would otherwise compute whole layers when compiling.
template <class T>
[[nodiscard]] inline T opaque(T x) noexcept
{
    volatile T hidden = x;
    return hidden;
}

/// FNV-1a with 64 bits, over bit patterns, lowest byte first whatever the machine's byte order.
struct hash {
    std::uint64_t value = 0xcbf29ce484222325;

    template <class T>
    constexpr void add(T x) noexcept
    {
        std::uint64_t left = 0;
        if constexpr (std::is_floating_point_v<T>) left = bits(x);
        else left = x;
        for (std::size_t byte = 0; byte < sizeof(T); ++byte, left >>= 8) value = (value ^ (left & 0xff)) * 0x100000001b3;
    }
    template <class T, std::size_t Size>
    constexpr void add(const T (&numbers)[Size]) noexcept
    {
        for (const T& x : numbers) add(x);
    }
};

}  // namespace tests

#endif
