// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_IMPORT_JSON_SCANNER_HPP
#define HEADSTRONG_IMPORT_JSON_SCANNER_HPP
/// @file
/// A scanner of JSON without memory and without recursion, usable in constant expressions.

#include "headstrong/import/text.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace headstrong::safetensors::inline HEADSTRONG_TARGET::detail {

/// Reads JSON from left to right. Every function is true if it found what it is named after; else `wanted` says what
/// was missing at byte `at`.
class json_scanner {
public:
    static constexpr unsigned max_depth = 64;  ///< of a value that is skipped

    constexpr json_scanner() noexcept = default;
    explicit constexpr json_scanner(std::span<const unsigned char> bytes, std::size_t first = 0) noexcept
        : at(first), bytes_(bytes.data()), size_(bytes.size())
    {
    }

    std::size_t at = 0;
    std::string_view wanted = {};

    /// The byte at `at`, or -1 at the end.
    [[nodiscard]] constexpr int peek() const noexcept { return at < size_ ? bytes_[at] : -1; }

    constexpr bool fail(std::string_view missing) noexcept
    {
        wanted = missing;
        return false;
    }

    constexpr void skip_space() noexcept
    {
        while (at < size_ && (bytes_[at] == ' ' || bytes_[at] == '\n' || bytes_[at] == '\r' || bytes_[at] == '\t')) ++at;
    }

    /// Spaces, then, if it is there, the byte c.
    [[nodiscard]] constexpr bool try_take(char c) noexcept
    {
        skip_space();
        if (at == size_ || bytes_[at] != static_cast<unsigned char>(c)) return false;
        ++at;
        return true;
    }
    [[nodiscard]] constexpr bool take(char c, std::string_view missing) noexcept { return try_take(c) || fail(missing); }

    /// A string of valid UTF-8 with valid escapes.
    [[nodiscard]] constexpr bool string(text& out) noexcept
    {
        if (!take('"', "a string")) return false;
        const std::size_t first = at;
        bool escaped = false;
        for (;;) {
            while (at < size_ && bytes_[at] != '"' && bytes_[at] != '\\' && bytes_[at] >= 0x20 && bytes_[at] < 0x80) ++at;
            const int c = peek();
            if (c == '"') break;
            if (c < 0x20) return fail(c < 0 ? "the end of the string" : "no control character in a string");
            if (c == '\\') {
                escaped = true;
                if (!escape()) return false;
            } else if (!utf8()) {
                return false;
            }
        }
        out = text(bytes_ + first, at - first, escaped);
        ++at;
        return true;
    }

    /// A whole number from 0 to 2^64 - 1.
    [[nodiscard]] constexpr bool number(std::uint64_t& out) noexcept
    {
        constexpr std::string_view missing = "a whole number from 0 to 18446744073709551615";
        skip_space();
        const std::size_t first = at;
        std::uint64_t n = 0;
        for (; at < size_ && bytes_[at] >= '0' && bytes_[at] <= '9'; ++at) {
            const auto digit = static_cast<std::uint64_t>(bytes_[at] - '0');
            if (n > (UINT64_MAX - digit) / 10) return fail(missing);
            n = n * 10 + digit;
        }
        const bool leading_zero = at > first + 1 && bytes_[first] == '0';
        if (at == first || leading_zero || peek() == '.' || peek() == 'e' || peek() == 'E') return fail(missing);
        out = n;
        return true;
    }

    /// Any value. Its depth is counted, not kept on the stack of the machine.
    [[nodiscard]] constexpr bool skip_value() noexcept
    {
        std::uint64_t is_object = 0;  // bit d: whether the open value of depth d + 1 is an object
        unsigned depth = 0;
        do {
            skip_space();
            const int c = peek();
            if (c == '{' || c == '[') {
                if (depth == max_depth) return fail("values nested at most 64 deep");
                ++at;
                is_object = (is_object & ~(std::uint64_t{1} << depth)) | (std::uint64_t{c == '{'} << depth);
                ++depth;
                if (!try_take(c == '{' ? '}' : ']')) {
                    if (c == '{' && !member_name()) return false;
                    continue;
                }
                --depth;
            } else if (!scalar(c)) {
                return false;
            }
            for (; depth > 0; --depth) {  // behind a value: a comma, or the ends of what is open
                const bool object = ((is_object >> (depth - 1)) & 1) != 0;
                if (try_take(',')) {
                    if (object && !member_name()) return false;
                    break;
                }
                if (!take(object ? '}' : ']', object ? "',' or '}'" : "',' or ']'")) return false;
            }
        } while (depth > 0);
        return true;
    }

private:
    [[nodiscard]] static constexpr bool is_digit(int c) noexcept { return c >= '0' && c <= '9'; }

    [[nodiscard]] constexpr bool member_name() noexcept
    {
        text ignored;
        return string(ignored) && take(':', "':'");
    }

    [[nodiscard]] constexpr bool word(std::string_view w) noexcept
    {
        for (const char c : w) {
            if (peek() != c) return fail("a value");
            ++at;
        }
        return true;
    }

    [[nodiscard]] constexpr bool scalar(int c) noexcept
    {
        text ignored;
        if (c == '"') return string(ignored);
        if (c == 't') return word("true");
        if (c == 'f') return word("false");
        if (c == 'n') return word("null");
        return any_number();
    }

    [[nodiscard]] constexpr bool digits() noexcept
    {
        if (!is_digit(peek())) return fail("a value");
        while (is_digit(peek())) ++at;
        return true;
    }

    [[nodiscard]] constexpr bool any_number() noexcept
    {
        if (peek() == '-') ++at;
        const std::size_t first = at;
        if (!digits()) return false;
        if (bytes_[first] == '0' && at > first + 1) return fail("a number without leading zeros");
        if (peek() == '.') {
            ++at;
            if (!digits()) return false;
        }
        if (peek() != 'e' && peek() != 'E') return true;
        ++at;
        if (peek() == '+' || peek() == '-') ++at;
        return digits();
    }

    /// Four hexadecimal digits; 0x10000 if they are none.
    [[nodiscard]] constexpr std::uint32_t four_digits() noexcept
    {
        if (size_ - at < 4) return 0x10000;
        for (std::size_t i = 0; i < 4; ++i)
            if (hex_digit(bytes_[at + i]) > 15) return 0x10000;
        at += 4;
        return hex_4(bytes_ + at - 4);
    }

    [[nodiscard]] constexpr bool escape() noexcept
    {
        ++at;
        const int c = peek();
        if (c < 0 || std::string_view("\"\\/bfnrtu").find(static_cast<char>(c)) == std::string_view::npos)
            return fail("an escape");
        ++at;
        if (c != 'u') return true;
        const std::uint32_t code = four_digits();
        if (code > 0xffff) return fail("four hexadecimal digits");
        if (code < 0xd800 || code > 0xdfff) return true;
        const bool second = code < 0xdc00 && size_ - at >= 2 && bytes_[at] == '\\' && bytes_[at + 1] == 'u';
        if (!second) return fail("both halves of a surrogate pair");
        at += 2;
        const std::uint32_t low = four_digits();
        return (low >= 0xdc00 && low <= 0xdfff) || fail("both halves of a surrogate pair");
    }

    /// One character of two to four bytes: no overlong form, no surrogate, nothing above U+10FFFF.
    [[nodiscard]] constexpr bool utf8() noexcept
    {
        const unsigned lead = bytes_[at];
        const std::size_t more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
        if (lead < 0xc2 || lead > 0xf4 || size_ - at <= more) return fail("UTF-8");
        const unsigned lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        const unsigned highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        if (bytes_[at + 1] < lowest || bytes_[at + 1] > highest) return fail("UTF-8");
        for (std::size_t i = 2; i <= more; ++i)
            if (bytes_[at + i] < 0x80 || bytes_[at + i] > 0xbf) return fail("UTF-8");
        at += more + 1;
        return true;
    }

    const unsigned char* bytes_ = nullptr;  // not a span: constant evaluation counts every call
    std::size_t size_ = 0;
};

}  // namespace headstrong::safetensors::inline HEADSTRONG_TARGET::detail

#endif
