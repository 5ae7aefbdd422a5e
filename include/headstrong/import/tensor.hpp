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
    f32,          ///< float
    f16,          ///< half precision of IEEE 754
    bf16,         ///< the upper half of a float
    f64,          ///< double
    i64,          ///< signed, 64 bits
    i32,          ///< signed, 32 bits
    i16,          ///< signed, 16 bits
    i8,           ///< signed, 8 bits
    u64,          ///< unsigned, 64 bits
    u32,          ///< unsigned, 32 bits
    u16,          ///< unsigned, 16 bits
    u8,           ///< unsigned, 8 bits
    boolean,      ///< a byte, 0 or 1
    f8_e5m2,      ///< 8 bits, 5 of them exponent
    f8_e4m3,      ///< 8 bits, 4 of them exponent
    f8_e8m0,      ///< 8 bits, all of them exponent
    f8_e4m3fnuz,  ///< as f8_e4m3, finite, without -0
    f8_e5m2fnuz,  ///< as f8_e5m2, finite, without -0
    f6_e2m3,      ///< 6 bits, 2 of them exponent
    f6_e3m2,      ///< 6 bits, 3 of them exponent
    f4,           ///< 4 bits
    c64,          ///< two floats, a complex number
    unknown       ///< none of them
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
    static constexpr std::size_t max_rank = 8;  ///< the most extents

    std::size_t rank = 0;                  ///< how many extents there are
    std::uint64_t extents[max_rank] = {};  ///< the extents, then zeros

    /// Of a single number.
    constexpr shape() noexcept = default;
    /// The first max_rank extents of a list.
    constexpr shape(std::initializer_list<std::uint64_t> list) noexcept
    {
        for (const std::uint64_t e : list)
            if (rank < max_rank) extents[rank++] = e;
    }

    /// The extent of an axis below max_rank.
    [[nodiscard]] constexpr std::uint64_t operator[](std::size_t axis) const noexcept { return extents[axis]; }
    /// Equal rank and extents.
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
    text name;                                               ///< as the file has it
    safetensors::dtype dtype = safetensors::dtype::unknown;  ///< the type of its numbers
    safetensors::shape shape;                                ///< its extents, the last index running fastest
    std::span<const unsigned char> bytes;                    ///< its numbers as they lie in the file

    /// How many numbers it holds.
    [[nodiscard]] constexpr std::size_t size() const noexcept
    {
        const unsigned bits = bits_of(dtype);
        return bits == 0 ? 0 : bits < 8 ? bytes.size() / bits * 8 + bytes.size() % bits * 8 / bits : bytes.size() / (bits / 8);
    }
};

}  // namespace headstrong::safetensors::inline HEADSTRONG_TARGET

#endif
