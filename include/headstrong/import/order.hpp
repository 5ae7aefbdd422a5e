// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_IMPORT_ORDER_HPP
#define HEADSTRONG_IMPORT_ORDER_HPP
/// @file
/// Checks over all tensors of a header at once: names are unique, and the data is covered without gap or overlap.
///
/// Both need an order, and there is no memory to sort a header of any length. A header whose tensors stand in order, as
/// the format's own writer has them, is checked in one walk. Otherwise each walk over the header collects the next 128
/// in order, so n tensors cost n/128 walks: exact, without heap, a few milliseconds for thousands of tensors.

#include "headstrong/import/error.hpp"
#include "headstrong/import/header.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace headstrong::safetensors::detail {

/// Entries in ascending order by name, or by data_offsets.
[[nodiscard]] constexpr int compare_names(const entry& a, const entry& b) noexcept { return text::compare(a.name, b.name); }
[[nodiscard]] constexpr int compare_offsets(const entry& a, const entry& b) noexcept
{
    if (a.begin != b.begin) return a.begin < b.begin ? -1 : 1;
    return a.end == b.end ? 0 : a.end < b.end ? -1 : 1;
}

/// The part of an entry that the order needs.
struct ordered {
    text name;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    [[nodiscard]] constexpr entry as_entry() const noexcept { return {name, dtype::unknown, {}, begin, end}; }
};

/// The smallest entries that were put in, in order.
template <int (*Compare)(const entry&, const entry&)>
class window {
public:
    /// Puts e in its place, unless the window is full of smaller ones. False if its equal is there.
    [[nodiscard]] constexpr bool insert(const entry& e) noexcept
    {
        std::size_t place = 0;
        for (std::size_t last = size_; place < last;) {
            const std::size_t middle = place + (last - place) / 2;
            const int order = Compare(e, kept_[middle].as_entry());
            if (order == 0) return false;
            if (order < 0) last = middle;
            else place = middle + 1;
        }
        if (place == capacity) return true;
        if (size_ < capacity) ++size_;
        for (std::size_t i = size_ - 1; i > place; --i) kept_[i] = kept_[i - 1];
        kept_[place] = {e.name, e.begin, e.end};
        return true;
    }

    [[nodiscard]] constexpr bool full() const noexcept { return size_ == capacity; }
    [[nodiscard]] constexpr std::span<const ordered> kept() const noexcept { return {kept_, size_}; }

private:
    static constexpr std::size_t capacity = 128;

    ordered kept_[capacity] = {};
    std::size_t size_ = 0;
};

/// Collects the entries of `header` that come behind `last` (all, if null). False if two are equal and `equal_is_fault`
/// says so of the second; then `problem` is that entry.
template <int (*Compare)(const entry&, const entry&), class EqualIsFault>
[[nodiscard]] constexpr bool collect(window<Compare>& w, header_walk walk, const entry* last, EqualIsFault equal_is_fault,
                                     entry& problem) noexcept
{
    entry e;
    while (walk.next(e)) {
        if (last != nullptr && Compare(e, *last) <= 0) continue;
        if (w.insert(e) || !equal_is_fault(e)) continue;
        problem = e;
        return false;
    }
    return true;
}

/// No name occurs twice.
[[nodiscard]] constexpr error check_names(const header_walk& start) noexcept
{
    entry last;
    for (bool first = true;; first = false) {
        window<compare_names> w;
        entry twice;
        if (!collect(w, start, first ? nullptr : &last, [](const entry&) { return true; }, twice))
            return fault_of(fault::repeated_name, twice);
        if (!w.full()) return {};
        last = w.kept().back().as_entry();
    }
}

[[nodiscard]] constexpr error gap_or_overlap(const entry& e, std::uint64_t expected) noexcept
{
    error out = fault_of(fault::gap_or_overlap, e);
    out.expected = expected;
    return out;
}

/// In order of data_offsets every tensor begins where the one before ends. `covered` becomes the end of the last.
[[nodiscard]] constexpr error check_offsets(const header_walk& start, std::uint64_t& covered) noexcept
{
    entry last;
    covered = 0;
    for (bool first = true;; first = false) {
        window<compare_offsets> w;
        entry twice;  // two tensors without bytes may share a place, others may not
        if (!collect(w, start, first ? nullptr : &last, [](const entry& e) { return e.begin != e.end; }, twice))
            return gap_or_overlap(twice, twice.end);
        for (const ordered& o : w.kept()) {
            if (o.begin != covered) return gap_or_overlap(o.as_entry(), covered);
            covered = o.end;
        }
        if (!w.full()) return {};
        last = w.kept().back().as_entry();
    }
}

}  // namespace headstrong::safetensors::detail

#endif
