// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_IMPORT_TENSOR_HPP
#define HEADSTRONG_IMPORT_TENSOR_HPP
/// @file
/// What a safetensors file holds: tensors, each with a name, a type of number, a shape and bytes.

#include "headstrong/import/text.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace headstrong::safetensors::inline HEADSTRONG_TARGET {

/// The types of number of the format, the usual ones first.
enum class dtype : unsigned char {
    f32,
    f16,
    bf16,
    f64,
    i64,
    i32,
    i16,
    i8,
    u64,
    u32,
    u16,
    u8,
    boolean,
    f8_e5m2,
    f8_e4m3,
    f8_e8m0,
    f8_e4m3fnuz,
    f8_e5m2fnuz,
    f6_e2m3,
    f6_e3m2,
    f4,
    c64,
    unknown
};

namespace detail {
struct dtype_facts {
    std::string_view name;
    unsigned bits;
};
inline constexpr dtype_facts dtype_table[] = {
    {"F32", 32},    {"F16", 16},    {"BF16", 16},   {"F64", 64},    {"I64", 64},           {"I32", 32},
    {"I16", 16},    {"I8", 8},      {"U64", 64},    {"U32", 32},    {"U16", 16},           {"U8", 8},
    {"BOOL", 8},    {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8},    {"F8_E5M2FNUZ", 8},
    {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F4", 4},      {"C64", 64},    {"of unknown type", 0}};
}  // namespace detail

/// As the format writes it: "F32".
[[nodiscard]] constexpr std::string_view name_of(dtype d) noexcept
{
    return detail::dtype_table[static_cast<std::size_t>(d)].name;
}

/// Bits of one number.
[[nodiscard]] constexpr unsigned bits_of(dtype d) noexcept { return detail::dtype_table[static_cast<std::size_t>(d)].bits; }

/// The extents of a tensor, the last index running fastest; none for a single number.
struct shape {
    static constexpr std::size_t max_rank = 8;

    std::size_t rank = 0;
    std::uint64_t extents[max_rank] = {};

    constexpr shape() noexcept = default;
    constexpr shape(std::initializer_list<std::uint64_t> list) noexcept
    {
        for (const std::uint64_t e : list)
            if (rank < max_rank) extents[rank++] = e;
    }

    [[nodiscard]] constexpr std::uint64_t operator[](std::size_t axis) const noexcept { return extents[axis]; }
    [[nodiscard]] friend constexpr bool operator==(const shape& a, const shape& b) noexcept
    {
        if (a.rank != b.rank) return false;
        for (std::size_t axis = 0; axis < a.rank; ++axis)
            if (a.extents[axis] != b.extents[axis]) return false;
        return true;
    }
};

/// One tensor of a file that was checked. Its bytes lie in the file: little-endian numbers, row-major, not aligned.
struct tensor {
    text name;
    safetensors::dtype dtype = safetensors::dtype::unknown;
    safetensors::shape shape;
    std::span<const unsigned char> bytes;

    /// How many numbers it holds.
    [[nodiscard]] constexpr std::size_t size() const noexcept
    {
        const unsigned bits = bits_of(dtype);
        return bits == 0 ? 0 : bits < 8 ? bytes.size() / bits * 8 + bytes.size() % bits * 8 / bits : bytes.size() / (bits / 8);
    }
};

}  // namespace headstrong::safetensors::inline HEADSTRONG_TARGET

#endif
