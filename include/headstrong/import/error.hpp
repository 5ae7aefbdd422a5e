// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_IMPORT_ERROR_HPP
#define HEADSTRONG_IMPORT_ERROR_HPP
/// @file
/// What can be wrong with a safetensors file, as a value, and the sentence that says it.

#include "headstrong/import/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace headstrong::safetensors::inline HEADSTRONG_TARGET {

/// What is wrong.
enum class fault : unsigned char {
    none,                 ///< nothing
    file_too_short,       ///< no room for the header's length
    header_too_large,     ///< more than 100 MB
    header_cut_off,       ///< the file ends inside its header
    bad_json,             ///< the header is not the JSON of the format; `at` is the byte, `wanted` what should be there
    repeated_key,         ///< a tensor has a second "dtype", "shape" or "data_offsets"
    missing_key,          ///< a tensor has none of them
    unknown_dtype,        ///< no type of number of the format
    too_many_dimensions,  ///< more than shape::max_rank
    size_overflow,        ///< the bytes of the tensor are no 64-bit number
    partial_byte,         ///< numbers of 4 or 6 bits that end inside a byte
    offsets_reversed,     ///< begin > end
    offsets_beyond_data,  ///< end lies behind the file
    size_mismatch,        ///< end - begin is not the size of the tensor
    repeated_name,        ///< two tensors, or two entries __metadata__, of one name
    gap_or_overlap,       ///< a tensor begins before or behind the end of its neighbour
    data_left_over,       ///< bytes behind the last tensor
    missing_tensor,       ///< no tensor of the name that was asked for
    wrong_tensor,         ///< other numbers or another shape than expected
    unexpected_tensor     ///< the file has weights that the layer has no place for, so its answers would differ
};

/// The outcome of a step: what went wrong, or nothing. Its texts lie in the file and in the names that were asked for.
struct error {
    fault what = fault::none;               ///< what is wrong; none if nothing is
    std::string_view prefix;                ///< of the name that was asked for
    std::string_view asked;                 ///< the rest of that name
    text name;                              ///< or the name as the file has it
    dtype expected_dtype = dtype::unknown;  ///< the type of number that was asked for
    dtype found_dtype = dtype::unknown;     ///< that of the file
    shape expected_shape;                   ///< the shape that was asked for
    shape found_shape;                      ///< that of the file
    std::uint64_t expected = 0;             ///< a number: bytes, an offset
    std::uint64_t found = 0;                ///< the same of the file
    std::uint64_t found_end = 0;            ///< with `found`, the second of two offsets
    std::size_t at = 0;                     ///< byte of the header
    int found_byte = -1;                    ///< what is there; -1 for the end
    std::string_view wanted;                ///< what should be there
    text found_text;                        ///< a text of the file: the name of a dtype

    /// Nothing is wrong.
    [[nodiscard]] constexpr bool ok() const noexcept { return what == fault::none; }
};

namespace detail {

constexpr void put_tensor(sentence& s, dtype d, const shape& extents) noexcept
{
    s.put(name_of(d)).put(" (");
    for (std::size_t axis = 0; axis < extents.rank; ++axis) {
        if (axis > 0) s.put(", ");
        s.put(extents[axis]);
    }
    s.put(')');
}

constexpr void put_byte(sentence& s, int byte) noexcept
{
    if (byte < 0) s.put("the end of the header");
    else if (byte > 0x20 && byte < 0x7f) s.put('\'').put(static_cast<char>(byte)).put('\'');
    else s.put("byte ").put(static_cast<std::uint64_t>(byte));
}

constexpr void put_offsets(sentence& s, const error& e) noexcept
{
    s.put('[').put(e.found).put(", ").put(e.found_end).put(']');
}

constexpr void put_expected_tensor(sentence& s, const error& e) noexcept
{
    if (e.expected_dtype == dtype::unknown) s.put("a tensor of this name");
    else put_tensor(s, e.expected_dtype, e.expected_shape);
}

constexpr void put_expected(sentence& s, const error& e) noexcept
{
    switch (e.what) {
        case fault::none:
            break;
        case fault::file_too_short:
            s.put("at least 8 bytes");
            break;
        case fault::header_too_large:
            s.put("a header of at most ").put(e.expected).put(" bytes");
            break;
        case fault::header_cut_off:
            s.put("a header of ").put(e.expected).put(" bytes");
            break;
        case fault::bad_json:
            s.put(e.wanted);
            break;
        case fault::repeated_key:
            s.put("the key ").put(e.wanted).put(" once");
            break;
        case fault::missing_key:
            s.put("the keys dtype, shape and data_offsets");
            break;
        case fault::unknown_dtype:
            s.put("a dtype of the format, such as F32");
            break;
        case fault::too_many_dimensions:
            s.put("at most ").put(std::uint64_t{shape::max_rank}).put(" dimensions");
            break;
        case fault::size_overflow:
            s.put("a size below 2^64 bits");
            break;
        case fault::partial_byte:
            s.put("whole bytes");
            break;
        case fault::offsets_reversed:
            s.put("data_offsets [begin, end] with begin <= end");
            break;
        case fault::offsets_beyond_data:
            s.put("data_offsets within the ").put(e.expected).put(" bytes of data");
            break;
        case fault::size_mismatch:
            s.put(e.expected).put(" bytes for ");
            put_tensor(s, e.found_dtype, e.found_shape);
            break;
        case fault::repeated_name:
            s.put("one entry of this name");
            break;
        case fault::gap_or_overlap:
            s.put("data_offsets that begin at ").put(e.expected).put(", where the tensor before ends");
            break;
        case fault::data_left_over:
            s.put("data of ").put(e.expected).put(" bytes, where the last tensor ends");
            break;
        case fault::missing_tensor:
        case fault::wrong_tensor:
            put_expected_tensor(s, e);
            break;
        case fault::unexpected_tensor:
            s.put(e.wanted);
            break;
    }
}

constexpr void put_found(sentence& s, const error& e) noexcept
{
    switch (e.what) {
        case fault::none:
            break;
        case fault::bad_json:
            put_byte(s, e.found_byte);
            break;
        case fault::repeated_key:
        case fault::repeated_name:
            s.put("it twice");
            break;
        case fault::missing_key:
            s.put("no ").put(e.wanted);
            break;
        case fault::unknown_dtype:
            s.put('"').put(e.found_text).put('"');
            break;
        case fault::too_many_dimensions:
            s.put("more");
            break;
        case fault::offsets_reversed:
        case fault::offsets_beyond_data:
        case fault::gap_or_overlap:
            put_offsets(s, e);
            break;
        case fault::missing_tensor:
            s.put("none");
            break;
        case fault::size_overflow:
        case fault::partial_byte:
        case fault::wrong_tensor:
        case fault::unexpected_tensor:
            put_tensor(s, e.found_dtype, e.found_shape);
            break;
        case fault::file_too_short:
        case fault::header_too_large:
        case fault::header_cut_off:
        case fault::size_mismatch:
        case fault::data_left_over:
            s.put(e.found).put(" bytes");
            break;
    }
}

}  // namespace detail

/// One sentence without a full stop, in `buffer`, cut off where that ends: file, tensor, expected, found. For instance
/// `digits.safetensors: tensor att1.w_q: expected F32 (4, 8, 32), found F32 (4, 8, 31)`. Empty if nothing is wrong.
[[nodiscard]] constexpr std::string_view explain(const error& e, std::string_view file, std::span<char> buffer) noexcept
{
    detail::sentence s(buffer);
    if (e.ok()) return s.view();
    s.put(file).put(": ");
    if (!e.name.empty() || !e.asked.empty() || !e.prefix.empty())
        s.put("tensor ").put(e.prefix).put(e.asked).put(e.name).put(": ");
    if (e.what == fault::bad_json) s.put("header byte ").put(std::uint64_t{e.at}).put(": ");
    s.put("expected ");
    detail::put_expected(s, e);
    s.put(", found ");
    detail::put_found(s, e);
    return s.view();
}

}  // namespace headstrong::safetensors::inline HEADSTRONG_TARGET

#endif
