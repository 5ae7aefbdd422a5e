// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_IMPORT_VALUES_HPP
#define HEADSTRONG_IMPORT_VALUES_HPP
/// @file
/// The numbers of a tensor, and matrices read from it.

#include "headstrong/import/error.hpp"
#include "headstrong/import/file.hpp"
#include "headstrong/import/tensor.hpp"
#include "headstrong/matrix.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace headstrong::safetensors::inline HEADSTRONG_TARGET {

namespace detail {

template <std::unsigned_integral U>
[[nodiscard]] constexpr U load(const unsigned char* p) noexcept
{
    U bits = 0;
    if constexpr (sizeof(U) == 4)  // one expression: constant evaluation counts steps
        bits = p[0] | (static_cast<U>(p[1]) << 8) | (static_cast<U>(p[2]) << 16) | (static_cast<U>(p[3]) << 24);
    else
        for (std::size_t i = 0; i < sizeof(U); ++i) bits = static_cast<U>(bits | (static_cast<U>(p[i]) << (8 * i)));
    return bits;
}

/// Half precision to float, exactly; a NaN keeps its payload.
[[nodiscard]] constexpr float from_half(std::uint16_t half) noexcept
{
    const std::uint32_t sign = (half & 0x8000u) << 16;
    const std::uint32_t exponent = (half >> 10) & 31u;
    const std::uint32_t fraction = half & 0x3ffu;
    if (exponent == 31) return __builtin_bit_cast(float, sign | 0x7f800000u | (fraction << 13));
    if (exponent != 0) return __builtin_bit_cast(float, sign | ((exponent + 112) << 23) | (fraction << 13));
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;  // denormal in half precision, not in float
    return __builtin_bit_cast(float, sign | __builtin_bit_cast(std::uint32_t, magnitude));
}

[[nodiscard]] constexpr float from_bfloat(std::uint16_t bits) noexcept
{
    return __builtin_bit_cast(float, std::uint32_t{bits} << 16);
}

[[nodiscard]] constexpr bool is_unsigned(dtype d) noexcept
{
    return d == dtype::u8 || d == dtype::u16 || d == dtype::u32 || d == dtype::u64;
}
[[nodiscard]] constexpr bool is_signed(dtype d) noexcept
{
    return d == dtype::i8 || d == dtype::i16 || d == dtype::i32 || d == dtype::i64;
}

}  // namespace detail

/// The dtype that holds just the numbers of a T.
template <class T>
[[nodiscard]] constexpr dtype dtype_of() noexcept
{
    constexpr std::size_t size = sizeof(T);
    if constexpr (std::same_as<T, bool>) return dtype::boolean;
    else if constexpr (std::floating_point<T>) return size == 4 ? dtype::f32 : dtype::f64;
    else if constexpr (std::signed_integral<T>)
        return size == 1 ? dtype::i8 : size == 2 ? dtype::i16 : size == 4 ? dtype::i32 : dtype::i64;
    else return size == 1 ? dtype::u8 : size == 2 ? dtype::u16 : size == 4 ? dtype::u32 : dtype::u64;
}

/// Whether every number of type `d` is a T, exactly: float takes F32, F16 and BF16; double those and F64; an integer
/// type takes integers that it holds; bool takes BOOL.
template <class T>
[[nodiscard]] constexpr bool holds(dtype d) noexcept
{
    const bool small = d == dtype::f32 || d == dtype::f16 || d == dtype::bf16;
    if constexpr (std::same_as<T, bool>) return d == dtype::boolean;
    else if constexpr (std::same_as<T, float>) return small;
    else if constexpr (std::same_as<T, double>) return small || d == dtype::f64;
    else if constexpr (std::signed_integral<T>)
        return (detail::is_signed(d) && bits_of(d) <= 8 * sizeof(T)) || (detail::is_unsigned(d) && bits_of(d) < 8 * sizeof(T));
    else return detail::is_unsigned(d) && bits_of(d) <= 8 * sizeof(T);
}

/// Number i of a tensor, the last index running fastest. Only for `holds<T>(t.dtype)` and i < t.size().
template <class T>
[[nodiscard]] constexpr T value(const tensor& t, std::size_t i) noexcept
{
    const unsigned char* p = t.bytes.data() + i * (bits_of(t.dtype) / 8);
    if constexpr (std::same_as<T, bool>) {
        return *p != 0;
    } else if constexpr (std::floating_point<T>) {
        switch (t.dtype) {
            case dtype::f32:
                return static_cast<T>(__builtin_bit_cast(float, detail::load<std::uint32_t>(p)));
            case dtype::f16:
                return static_cast<T>(detail::from_half(detail::load<std::uint16_t>(p)));
            case dtype::bf16:
                return static_cast<T>(detail::from_bfloat(detail::load<std::uint16_t>(p)));
            default:
                return static_cast<T>(__builtin_bit_cast(double, detail::load<std::uint64_t>(p)));
        }
    } else {
        switch (t.dtype) {
            case dtype::u8:
                return static_cast<T>(*p);
            case dtype::i8:
                return static_cast<T>(static_cast<std::int8_t>(*p));
            case dtype::u16:
                return static_cast<T>(detail::load<std::uint16_t>(p));
            case dtype::i16:
                return static_cast<T>(static_cast<std::int16_t>(detail::load<std::uint16_t>(p)));
            case dtype::u32:
                return static_cast<T>(detail::load<std::uint32_t>(p));
            case dtype::i32:
                return static_cast<T>(static_cast<std::int32_t>(detail::load<std::uint32_t>(p)));
            default:
                return static_cast<T>(detail::load<std::uint64_t>(p));
        }
    }
}

namespace detail {

/// Nothing, or that `t` does not hold numbers of T in this shape.
template <class T>
[[nodiscard]] constexpr error expect(const tensor& t, const shape& expected) noexcept
{
    if (holds<T>(t.dtype) && t.shape == expected) return {};
    error out;
    out.what = fault::wrong_tensor;
    out.name = t.name;
    out.expected_dtype = holds<T>(t.dtype) ? t.dtype : dtype_of<T>();
    out.expected_shape = expected;
    out.found_dtype = t.dtype;
    out.found_shape = t.shape;
    return out;
}

/// w(r, j) = number first + r * row_length + j of t.
template <class T, std::size_t Rows, std::size_t Cols, std::size_t A>
constexpr void copy_rows(const tensor& t, std::size_t first, std::size_t row_length, matrix<T, Rows, Cols, A>& w) noexcept
{
    for (std::size_t r = 0; r < Rows; ++r)
        for (std::size_t j = 0; j < Cols; ++j) w.elements[j * Rows + r] = value<T>(t, first + r * row_length + j);
}

template <class T>
[[nodiscard]] constexpr error missing(const error& e, const shape& expected) noexcept
{
    error out = e;
    out.expected_dtype = dtype_of<T>();
    out.expected_shape = expected;
    return out;
}

}  // namespace detail

/// Reads a tensor (Rows, Cols), or (Rows) if there is one column, into a matrix: w(r, j) is number (r, j) of the tensor.
/// On an error the matrix is left as it was. Narrower numbers that T holds exactly are widened.
template <class T, std::size_t Rows, std::size_t Cols, std::size_t A>
[[nodiscard]] constexpr error read(const tensor& t, matrix<T, Rows, Cols, A>& w) noexcept
{
    const bool flat = Cols == 1 && t.shape.rank == 1;
    const error e = detail::expect<T>(t, flat ? shape{Rows} : shape{Rows, Cols});
    if (e.ok()) detail::copy_rows(t, 0, Cols, w);
    return e;
}

/// Reads a tensor (H, Rows, Cols): a matrix per head.
template <class T, std::size_t Rows, std::size_t Cols, std::size_t A, std::size_t H>
[[nodiscard]] constexpr error read(const tensor& t, std::array<matrix<T, Rows, Cols, A>, H>& w) noexcept
{
    const error e = detail::expect<T>(t, {H, Rows, Cols});
    if (e.ok())
        for (std::size_t h = 0; h < H; ++h) detail::copy_rows(t, h * Rows * Cols, Cols, w[h]);
    return e;
}

/// Reads a tensor (tokens, numbers) into a matrix with a token a column: x(r, j) is number (j, r) of the tensor.
template <class T, std::size_t Rows, std::size_t Cols, std::size_t A>
[[nodiscard]] constexpr error read_columns(const tensor& t, matrix<T, Rows, Cols, A>& x) noexcept
{
    const error e = detail::expect<T>(t, {Cols, Rows});
    if (e.ok())
        for (std::size_t i = 0; i < Rows * Cols; ++i) x.elements[i] = value<T>(t, i);
    return e;
}

/// The same from a file by name; a missing tensor is an error that says what was expected.
template <class T, std::size_t Rows, std::size_t Cols, std::size_t A>
[[nodiscard]] constexpr error read(const file& f, std::string_view name, matrix<T, Rows, Cols, A>& w) noexcept
{
    const found t = f.find(name);
    return t.ok() ? read(t.tensor(), w) : detail::missing<T>(t.error(), {Rows, Cols});
}
/// As above, for a matrix per head.
template <class T, std::size_t Rows, std::size_t Cols, std::size_t A, std::size_t H>
[[nodiscard]] constexpr error read(const file& f, std::string_view name, std::array<matrix<T, Rows, Cols, A>, H>& w) noexcept
{
    const found t = f.find(name);
    return t.ok() ? read(t.tensor(), w) : detail::missing<T>(t.error(), {H, Rows, Cols});
}
/// As above, for a matrix with a token a column.
template <class T, std::size_t Rows, std::size_t Cols, std::size_t A>
[[nodiscard]] constexpr error read_columns(const file& f, std::string_view name, matrix<T, Rows, Cols, A>& x) noexcept
{
    const found t = f.find(name);
    return t.ok() ? read_columns(t.tensor(), x) : detail::missing<T>(t.error(), {Cols, Rows});
}

}  // namespace headstrong::safetensors::inline HEADSTRONG_TARGET

#endif
