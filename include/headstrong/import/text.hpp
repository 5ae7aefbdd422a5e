// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_IMPORT_TEXT_HPP
#define HEADSTRONG_IMPORT_TEXT_HPP
/// @file
/// A string of a JSON header where it lies, and a writer of sentences into memory of the caller.

#include "headstrong/config.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace headstrong::safetensors::inline HEADSTRONG_TARGET {

namespace detail {

[[nodiscard]] constexpr unsigned hex_digit(unsigned char c) noexcept
{
    if (c >= '0' && c <= '9') return c - unsigned{'0'};
    if (c >= 'a' && c <= 'f') return c - unsigned{'a'} + 10;
    if (c >= 'A' && c <= 'F') return c - unsigned{'A'} + 10;
    return 16;
}

[[nodiscard]] constexpr std::uint32_t hex_4(const unsigned char* p) noexcept
{
    return (hex_digit(p[0]) << 12) | (hex_digit(p[1]) << 8) | (hex_digit(p[2]) << 4) | hex_digit(p[3]);
}

}  // namespace detail

/// The inside of a JSON string that was checked before: it lies in the file, its escapes are still written out.
/// (Not a std::string_view, because bytes of `unsigned char` cannot be seen as `char` in a constant expression.)
class text {
public:
    /// Empty.
    constexpr text() noexcept = default;
    /// `size` bytes from `data` on; `escaped` if a backslash is among them.
    constexpr text(const unsigned char* data, std::size_t size, bool escaped) noexcept
        : data_(data), size_(size), escaped_(escaped)
    {
    }

    /// The bytes as they stand in the file, escapes not resolved.
    [[nodiscard]] constexpr std::span<const unsigned char> raw() const noexcept { return {data_, size_}; }
    /// Whether it has no character.
    [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }

    /// Reads the characters one after another, as UTF-8, escapes resolved.
    class reader {
    public:
        /// From the first character on.
        explicit constexpr reader(const text& t) noexcept : at_(t.data_), end_(t.data_ + t.size_) {}

        /// The next byte, or -1 behind the last.
        [[nodiscard]] constexpr int next() noexcept
        {
            if (pending_ > 0) return static_cast<int>(0x80u | ((code_ >> (6 * --pending_)) & 0x3fu));
            if (at_ == end_) return -1;
            if (*at_ != '\\') return *at_++;
            const unsigned char kind = at_[1];
            at_ += 2;
            return kind == 'u' ? code_point() : simple(kind);
        }

    private:
        [[nodiscard]] static constexpr int simple(unsigned char kind) noexcept
        {
            switch (kind) {
                case 'b':
                    return '\b';
                case 'f':
                    return '\f';
                case 'n':
                    return '\n';
                case 'r':
                    return '\r';
                case 't':
                    return '\t';
                default:
                    return kind;  // a quote, a slash or a backslash
            }
        }

        [[nodiscard]] constexpr int code_point() noexcept
        {
            code_ = detail::hex_4(at_);
            at_ += 4;
            if (code_ >= 0xd800 && code_ < 0xdc00) {  // the first half of a pair; the scanner saw the second
                code_ = 0x10000 + ((code_ - 0xd800) << 10) + (detail::hex_4(at_ + 2) - 0xdc00);
                at_ += 6;
            }
            if (code_ < 0x80) return static_cast<int>(code_);
            pending_ = code_ < 0x800 ? 1 : code_ < 0x10000 ? 2 : 3;
            constexpr std::uint32_t lead[] = {0, 0xc0, 0xe0, 0xf0};
            return static_cast<int>(lead[pending_] | (code_ >> (6 * pending_)));
        }

        const unsigned char* at_;
        const unsigned char* end_;
        std::uint32_t code_ = 0;
        unsigned pending_ = 0;  // continuation bytes of code_ still to come
    };

    /// Whether this is `prefix` followed by `rest`.
    [[nodiscard]] constexpr bool equals(std::string_view prefix, std::string_view rest) const noexcept
    {
        if (!escaped_) {
            if (size_ != prefix.size() + rest.size()) return false;
            return same(data_, prefix.data(), prefix.size()) && same(data_ + prefix.size(), rest.data(), rest.size());
        }
        reader mine(*this);
        for (const char c : prefix)
            if (mine.next() != static_cast<unsigned char>(c)) return false;
        for (const char c : rest)
            if (mine.next() != static_cast<unsigned char>(c)) return false;
        return mine.next() < 0;
    }
    /// Whether the characters are those of b.
    [[nodiscard]] friend constexpr bool operator==(const text& a, std::string_view b) noexcept { return a.equals({}, b); }

    /// Below 0, 0 or above 0, in the order of the bytes with escapes resolved.
    [[nodiscard]] static constexpr int compare(const text& a, const text& b) noexcept
    {
        std::size_t alike = 0;
        while (alike < a.size_ && alike < b.size_ && a.data_[alike] == b.data_[alike] && a.data_[alike] != '\\') ++alike;
        reader left(text(a.data_ + alike, a.size_ - alike, a.escaped_));
        reader right(text(b.data_ + alike, b.size_ - alike, b.escaped_));
        for (;;) {
            const int l = left.next();
            const int r = right.next();
            if (l != r) return l - r;
            if (l < 0) return 0;
        }
    }

    /// Copies the characters, escapes resolved, as many as fit into `buffer`.
    constexpr std::string_view copy(std::span<char> buffer) const noexcept
    {
        std::size_t size = 0;
        reader mine(*this);
        for (int c = mine.next(); c >= 0 && size < buffer.size(); c = mine.next()) buffer[size++] = static_cast<char>(c);
        return {buffer.data(), size};
    }

private:
    [[nodiscard]] static constexpr bool same(const unsigned char* a, const char* b, std::size_t size) noexcept
    {
        for (std::size_t i = 0; i < size; ++i)
            if (a[i] != static_cast<unsigned char>(b[i])) return false;
        return true;
    }

    const unsigned char* data_ = nullptr;
    std::size_t size_ = 0;
    bool escaped_ = false;
};

namespace detail {

/// Writes a sentence into memory of the caller; what does not fit is cut off.
class sentence {
public:
    explicit constexpr sentence(std::span<char> buffer) noexcept : buffer_(buffer) {}

    constexpr sentence& put(char c) noexcept
    {
        if (size_ < buffer_.size()) buffer_[size_++] = c;
        return *this;
    }
    constexpr sentence& put(std::string_view s) noexcept
    {
        for (const char c : s) put(c);
        return *this;
    }
    /// As it stands in the file: escapes stay escapes, so no control character reaches a terminal.
    constexpr sentence& put(const text& t) noexcept
    {
        for (const unsigned char c : t.raw()) put(static_cast<char>(c));
        return *this;
    }
    constexpr sentence& put(std::uint64_t n) noexcept
    {
        char digits[20] = {};
        std::size_t count = 0;
        do {
            digits[count++] = static_cast<char>('0' + n % 10);
            n /= 10;
        } while (n != 0);
        while (count > 0) put(digits[--count]);
        return *this;
    }

    [[nodiscard]] constexpr std::string_view view() const noexcept { return {buffer_.data(), size_}; }

private:
    std::span<char> buffer_;
    std::size_t size_ = 0;
};

}  // namespace detail
}  // namespace headstrong::safetensors::inline HEADSTRONG_TARGET

#endif
