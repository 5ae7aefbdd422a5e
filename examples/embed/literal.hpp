// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EMBED_LITERAL_HPP
#define HEADSTRONG_EMBED_LITERAL_HPP
/// @file
/// Numbers as C++ expressions that have exactly their bits.

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace embed {

template <class T>
[[nodiscard]] std::string type_name()
{
    if constexpr (std::is_same_v<T, bool>) return "bool";
    else if constexpr (std::is_same_v<T, float>) return "float";
    else if constexpr (std::is_same_v<T, double>) return "double";
    else return (std::is_signed_v<T> ? "std::int" : "std::uint") + std::to_string(8 * sizeof(T)) + "_t";
}

/// A hexadecimal literal; a NaN keeps its payload.
template <std::floating_point T>
[[nodiscard]] std::string literal(T x)
{
    using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    const std::string minus = std::signbit(x) ? "-" : "";
    if (std::isinf(x)) return minus + "std::numeric_limits<" + type_name<T>() + ">::infinity()";
    std::array<char, 64> digits;
    if (std::isnan(x)) {
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), std::bit_cast<bits>(x), 16).ptr;
        return "std::bit_cast<" + type_name<T>() + ">(" + type_name<bits>() + "{0x" + std::string(digits.data(), end) + "})";
    }
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), std::fabs(x), std::chars_format::hex).ptr;
    return minus + "0x" + std::string(digits.data(), end) + (sizeof(T) == 4 ? "f" : "");
}

template <std::integral T>
[[nodiscard]] std::string literal(T x)
{
    if constexpr (std::is_same_v<T, bool>) return x ? "true" : "false";
    else if constexpr (std::is_unsigned_v<T>) return std::to_string(x) + "u";
    else if (x == std::numeric_limits<T>::min()) return "std::numeric_limits<" + type_name<T>() + ">::min()";
    else return std::to_string(x);
}

}  // namespace embed

#endif
