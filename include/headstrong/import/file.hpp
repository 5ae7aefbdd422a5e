// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_IMPORT_FILE_HPP
#define HEADSTRONG_IMPORT_FILE_HPP
/// @file
/// A safetensors file in memory: opening it checks all of its header, then tensors are found by name.

#include "headstrong/import/error.hpp"
#include "headstrong/import/header.hpp"
#include "headstrong/import/order.hpp"
#include "headstrong/import/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

namespace headstrong::safetensors::inline HEADSTRONG_TARGET {

/// The most bytes that a header may have, as in the reference implementation.
inline constexpr std::uint64_t max_header_bytes = 100'000'000;

class opened;
[[nodiscard]] constexpr opened open(std::span<const unsigned char> bytes) noexcept;

/// The answer to a search: a tensor, or an error that says which name is missing.
class found {
public:
    /// A tensor.
    explicit constexpr found(const safetensors::tensor& t) noexcept : tensor_(t) {}
    /// None, for this reason.
    explicit constexpr found(const safetensors::error& e) noexcept : error_(e) {}

    /// Whether there is a tensor.
    [[nodiscard]] constexpr bool ok() const noexcept { return error_.ok(); }
    /// Why there is none.
    [[nodiscard]] constexpr const safetensors::error& error() const noexcept { return error_; }
    /// The tensor; an empty one if there is none.
    [[nodiscard]] constexpr const safetensors::tensor& tensor() const noexcept { return tensor_; }

private:
    safetensors::tensor tensor_;
    safetensors::error error_;
};

/// The tensors of a file whose header was checked by `open`. It refers to the bytes, which must outlive it.
class file {
public:
    /// Without tensors.
    constexpr file() noexcept = default;

    /// Walks over the tensors in the order of the header.
    class iterator {
    public:
        using value_type = tensor;               ///< what it walks over
        using difference_type = std::ptrdiff_t;  ///< as std::input_iterator asks

        /// Behind the last tensor.
        constexpr iterator() noexcept = default;
        /// Over a header that was checked, and the data behind it.
        constexpr iterator(std::span<const unsigned char> header, std::span<const unsigned char> data) noexcept
            : walk_(header, data.size()), data_(data)
        {
            ++*this;
        }

        /// The tensor where it stands.
        [[nodiscard]] constexpr tensor operator*() const noexcept
        {
            const auto begin = static_cast<std::size_t>(now_.begin);
            return {now_.name, now_.dtype, now_.shape, data_.subspan(begin, static_cast<std::size_t>(now_.end) - begin)};
        }
        /// To the next one.
        constexpr iterator& operator++() noexcept
        {
            at_end_ = !walk_.next(now_);
            return *this;
        }
        /// The same, as std::input_iterator asks.
        constexpr void operator++(int) noexcept { ++*this; }
        /// Behind the last tensor.
        [[nodiscard]] constexpr bool operator==(std::default_sentinel_t) const noexcept { return at_end_; }

    private:
        detail::header_walk walk_;
        std::span<const unsigned char> data_;
        detail::entry now_;
        bool at_end_ = true;
    };

    /// The first tensor.
    [[nodiscard]] constexpr iterator begin() const noexcept { return {header_, data_}; }
    /// Behind the last.
    [[nodiscard]] constexpr std::default_sentinel_t end() const noexcept { return {}; }

    /// How many tensors there are.
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }

    /// The tensor named `prefix` followed by `name`.
    /// @par Cost
    ///   one walk over the header, 2 to 5 ns a byte; to read many tensors of a large file, iterate over them instead
    [[nodiscard]] constexpr found find(std::string_view prefix, std::string_view name) const noexcept
    {
        detail::header_walk walk(header_, data_.size());
        detail::entry e;
        while (walk.next(e)) {
            if (!e.name.equals(prefix, name)) continue;
            const auto begin = static_cast<std::size_t>(e.begin);
            return found(tensor{e.name, e.dtype, e.shape, data_.subspan(begin, static_cast<std::size_t>(e.end) - begin)});
        }
        error missing;
        missing.what = fault::missing_tensor;
        missing.prefix = prefix;
        missing.asked = name;
        return found(missing);
    }
    /// The tensor of this name.
    [[nodiscard]] constexpr found find(std::string_view name) const noexcept { return find({}, name); }

    /// What `__metadata__` says about `key`: a text, or null if it says nothing. The last entry of that key counts.
    [[nodiscard]] constexpr bool metadata(std::string_view key, text& value) const noexcept
    {
        if (metadata_at_ == 0) return false;
        detail::json_scanner scan(header_, metadata_at_);
        bool hit = false;
        text name;
        text said;
        if (!scan.try_take('{')) return false;
        while (!scan.try_take('}') && scan.string(name) && scan.take(':', "':'") && scan.string(said)) {
            if (name == key) {
                value = said;
                hit = true;
            }
            if (!scan.try_take(',')) break;
        }
        return hit;
    }

private:
    friend constexpr opened open(std::span<const unsigned char> bytes) noexcept;

    constexpr file(std::span<const unsigned char> header, std::span<const unsigned char> data) noexcept
        : header_(header), data_(data)
    {
    }

    [[nodiscard]] constexpr error check() noexcept
    {
        const detail::header_walk start(header_, data_.size());
        detail::header_walk walk = start;
        detail::entry before;
        detail::entry e;
        bool names_ascend = true;
        bool offsets_follow = true;
        std::uint64_t covered = 0;
        for (; walk.next(e); before = e, covered = e.end, ++size_) {
            names_ascend = names_ascend && (size_ == 0 || text::compare(before.name, e.name) < 0);
            offsets_follow = offsets_follow && e.begin == covered;
        }
        if (!walk.problem.ok()) return walk.problem;
        metadata_at_ = walk.metadata_at;
        error out;
        if (!names_ascend) out = detail::check_names(start);
        if (out.ok() && !offsets_follow) out = detail::check_offsets(start, covered);
        if (out.ok() && covered != data_.size()) {
            out.what = fault::data_left_over;
            out.expected = covered;
            out.found = data_.size();
        }
        return out;
    }

    std::span<const unsigned char> header_;
    std::span<const unsigned char> data_;
    std::size_t size_ = 0;
    std::size_t metadata_at_ = 0;
};

/// What `open` returns: a file, or what is wrong with it; then the file is empty.
class opened {
public:
    /// A file.
    explicit constexpr opened(const safetensors::file& f) noexcept : file_(f) {}
    /// None, for this reason.
    explicit constexpr opened(const safetensors::error& e) noexcept : error_(e) {}

    /// Whether the bytes are a safetensors file.
    [[nodiscard]] constexpr bool ok() const noexcept { return error_.ok(); }
    /// What is wrong with them.
    [[nodiscard]] constexpr const safetensors::error& error() const noexcept { return error_; }
    /// The file; an empty one if something is wrong.
    [[nodiscard]] constexpr const safetensors::file& file() const noexcept { return file_; }

private:
    safetensors::file file_;
    safetensors::error error_;
};

/// Checks the bytes of a safetensors file, all of its header: after it, every tensor lies inside the bytes, has the size
/// that its shape and type of number ask for, and shares no byte with another; names are unique, no byte is left over.
/// @par Edge cases
///   as the reference implementation, which is in Rust: keys of a tensor that the format does not know are skipped,
///   spaces may follow the header, a tensor may be empty. Stricter: the header begins with '{', at most 8 dimensions,
///   values that are skipped nest at most 64 deep, no tensor is named twice
/// @par Cost
///   one walk over the header if its tensors stand in order of name and place, else up to 2 n/512 walks more for n
///   tensors (5,000 in random order: 0.1 s; 50,000: 6 s); at most 16 KB of stack; no allocation. In a constant expression
///   16 tensors in a header of 1.4 KB take 75,000 steps of Clang, each number that is read another 20 to 30
[[nodiscard]] constexpr opened open(std::span<const unsigned char> bytes) noexcept
{
    error e;
    e.found = bytes.size();
    if (bytes.size() < 8) {
        e.what = fault::file_too_short;
        return opened(e);
    }
    std::uint64_t length = 0;
    for (std::size_t i = 8; i-- > 0;) length = (length << 8) | bytes[i];
    e.found = length;
    e.expected = max_header_bytes;
    if (length > max_header_bytes) {
        e.what = fault::header_too_large;
        return opened(e);
    }
    e.expected = length;
    e.found = bytes.size() - 8;
    if (length > bytes.size() - 8) {
        e.what = fault::header_cut_off;
        return opened(e);
    }
    file f(bytes.subspan(8, static_cast<std::size_t>(length)), bytes.subspan(8 + static_cast<std::size_t>(length)));
    e = f.check();
    return e.ok() ? opened(f) : opened(e);
}

/// The same for bytes of std::byte; not in a constant expression, which cannot see them as numbers.
[[nodiscard]] inline opened open(std::span<const std::byte> bytes) noexcept
{
    return open(std::span(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

}  // namespace headstrong::safetensors::inline HEADSTRONG_TARGET

#endif
