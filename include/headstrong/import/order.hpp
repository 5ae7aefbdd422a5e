// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_IMPORT_ORDER_HPP
#define HEADSTRONG_IMPORT_ORDER_HPP
/// @file
/// Checks over all tensors of a header at once: names are unique, and the data is covered without gap or overlap.
///
/// Both need an order, and there is no memory to sort a header of any length. A header whose tensors stand in order, as
/// the format's own writer has them, is checked in one walk. Otherwise each walk over the header collects the next 512
/// in order, so n tensors cost n/512 walks: exact, without heap memory.

#include "headstrong/import/error.hpp"
#include "headstrong/import/header.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace headstrong::safetensors::inline HEADSTRONG_TARGET::detail {

/// Order by name.
struct by_name {
    text name;

    [[nodiscard]] static constexpr by_name of(const entry& e) noexcept { return {e.name}; }
    [[nodiscard]] static constexpr int compare(const by_name& a, const by_name& b) noexcept
    {
        return text::compare(a.name, b.name);
    }
    [[nodiscard]] constexpr bool may_repeat() const noexcept { return false; }
};

/// Order by data_offsets. Two tensors without bytes may share a place, others may not.
struct by_offsets {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    [[nodiscard]] static constexpr by_offsets of(const entry& e) noexcept { return {e.begin, e.end}; }
    [[nodiscard]] static constexpr int compare(const by_offsets& a, const by_offsets& b) noexcept
    {
        if (a.begin != b.begin) return a.begin < b.begin ? -1 : 1;
        return a.end == b.end ? 0 : a.end < b.end ? -1 : 1;
    }
    [[nodiscard]] constexpr bool may_repeat() const noexcept { return begin == end; }
};

/// Collects keys of the entries of a header, in ascending order, up to 512 in a walk.
template <class Key>
class ordered_walk {
public:
    explicit constexpr ordered_walk(const header_walk& start) noexcept : start_(start) {}

    /// Collects the keys that come next; false if there are none, or two that may not be equal are: then `repeated`.
    [[nodiscard]] constexpr bool next() noexcept
    {
        if (done_) return false;
        const Key last = size_ > 0 ? keys_[size_ - 1] : Key{};
        const bool first = size_ == 0;
        size_ = 0;
        bool last_seen = false;
        header_walk walk = start_;
        for (entry e; walk.next(e);) {
            const Key key = Key::of(e);
            const int order = first ? 1 : Key::compare(key, last);
            if (order > 0) insert(key);
            if (order == 0 && last_seen && !key.may_repeat()) return repeat(key);
            last_seen = last_seen || order == 0;
        }
        done_ = size_ < capacity;
        std::sort_heap(keys_, keys_ + size_, less);
        for (std::size_t i = 1; i < size_; ++i)
            if (Key::compare(keys_[i - 1], keys_[i]) == 0 && !keys_[i].may_repeat()) return repeat(keys_[i]);
        return size_ > 0;
    }

    [[nodiscard]] constexpr std::span<const Key> keys() const noexcept { return {keys_, size_}; }

    bool repeated = false;
    Key repeated_key = {};

private:
    static constexpr std::size_t capacity = 512;

    [[nodiscard]] static constexpr bool less(const Key& a, const Key& b) noexcept { return Key::compare(a, b) < 0; }

    /// keys_ is a heap: its first is the greatest, and gives way to a smaller key.
    constexpr void insert(const Key& key) noexcept
    {
        if (size_ == capacity) {
            if (Key::compare(key, keys_[0]) >= 0) return;
            std::pop_heap(keys_, keys_ + size_, less);
            --size_;
        }
        keys_[size_++] = key;
        std::push_heap(keys_, keys_ + size_, less);
    }

    constexpr bool repeat(const Key& key) noexcept
    {
        repeated = done_ = true;
        repeated_key = key;
        return false;
    }

    header_walk start_;
    Key keys_[capacity] = {};
    std::size_t size_ = 0;
    bool done_ = false;
};

/// The last entry of the header with this key.
template <class Key>
[[nodiscard]] constexpr entry entry_of(header_walk walk, const Key& key) noexcept
{
    entry out;
    for (entry e; walk.next(e);)
        if (Key::compare(Key::of(e), key) == 0) out = e;
    return out;
}

/// No name occurs twice.
[[nodiscard]] constexpr error check_names(const header_walk& start) noexcept
{
    ordered_walk<by_name> walk(start);
    while (walk.next()) {
    }
    return walk.repeated ? fault_of(fault::repeated_name, entry_of(start, walk.repeated_key)) : error{};
}

/// In order of data_offsets every tensor begins where the one before ends. `covered` becomes the end of the last.
[[nodiscard]] constexpr error check_offsets(const header_walk& start, std::uint64_t& covered) noexcept
{
    const auto gap_or_overlap = [&start](const by_offsets& key, std::uint64_t expected) {
        error out = fault_of(fault::gap_or_overlap, entry_of(start, key));
        out.expected = expected;
        return out;
    };
    covered = 0;
    ordered_walk<by_offsets> walk(start);
    while (walk.next())
        for (const by_offsets& key : walk.keys()) {
            if (key.begin != covered) return gap_or_overlap(key, covered);
            covered = key.end;
        }
    return walk.repeated ? gap_or_overlap(walk.repeated_key, walk.repeated_key.end) : error{};
}

}  // namespace headstrong::safetensors::inline HEADSTRONG_TARGET::detail

#endif
