// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_IMPORT_HEADER_HPP
#define HEADSTRONG_IMPORT_HEADER_HPP
/// @file
/// The header of a safetensors file, read one tensor after another.

#include "headstrong/import/error.hpp"
#include "headstrong/import/json_scanner.hpp"
#include "headstrong/import/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace headstrong::safetensors::inline HEADSTRONG_TARGET::detail {

/// A tensor as the header describes it.
struct entry {
    text name;
    safetensors::dtype dtype = safetensors::dtype::unknown;
    safetensors::shape shape;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

[[nodiscard]] constexpr error fault_of(fault what, const entry& e) noexcept
{
    error out;
    out.what = what;
    out.name = e.name;
    out.found_dtype = e.dtype;
    out.found_shape = e.shape;
    out.found = e.begin;
    out.found_end = e.end;
    return out;
}

/// Walks over the tensors of a header and checks each against itself and the size of the data.
class header_walk {
public:
    constexpr header_walk() noexcept = default;
    constexpr header_walk(std::span<const unsigned char> header, std::uint64_t data_size) noexcept
        : scan_(header), data_size_(data_size)
    {
    }

    /// The next tensor; false at the end or on an error, which `problem` tells.
    [[nodiscard]] constexpr bool next(entry& e) noexcept
    {
        e = {};
        for (;;) {
            if (!open_or_comma()) return false;
            if (!scan_.string(e.name) || !scan_.take(':', "':'")) return bad_json({});
            if (!(e.name == "__metadata__")) return description(e) && check(e);
            if (metadata_at != 0) return report(fault_of(fault::repeated_name, e));
            metadata_at = scan_.at;
            if (!metadata()) return bad_json(e);
            e.name = {};
        }
    }

    error problem;
    std::size_t metadata_at = 0;  ///< byte of the header where the value of __metadata__ begins; 0: it has none

private:
    [[nodiscard]] constexpr bool report(const error& e) noexcept
    {
        problem = e;
        return false;
    }
    [[nodiscard]] constexpr bool bad_json(const entry& e) noexcept
    {
        problem = fault_of(fault::bad_json, e);
        problem.at = scan_.at;
        problem.found_byte = scan_.peek();
        problem.wanted = scan_.wanted;
        return false;
    }
    [[nodiscard]] constexpr bool key_fault(fault what, const entry& e, std::string_view key) noexcept
    {
        problem = fault_of(what, e);
        problem.wanted = key;
        return false;
    }

    /// True if a name comes next; false at the end of the header.
    [[nodiscard]] constexpr bool open_or_comma() noexcept
    {
        if (done_) return false;
        if (scan_.at == 0) {  // no space is allowed before the first brace, so that a file is known by its ninth byte
            if (scan_.peek() != '{') return scan_.fail("'{'") || bad_json({});
            ++scan_.at;
            if (!scan_.try_take('}')) return true;
        } else {
            if (scan_.try_take(',')) return true;
            if (!scan_.take('}', "',' or '}'")) return bad_json({});
        }
        done_ = true;
        scan_.skip_space();
        return scan_.peek() >= 0 && (scan_.fail("spaces only behind the last '}'") || bad_json({}));
    }

    /// An object of strings.
    [[nodiscard]] constexpr bool metadata() noexcept
    {
        text ignored;
        if (!scan_.take('{', "'{'")) return false;
        if (scan_.try_take('}')) return true;
        do {
            if (!scan_.string(ignored) || !scan_.take(':', "':'") || !scan_.string(ignored)) return false;
        } while (scan_.try_take(','));
        return scan_.take('}', "',' or '}'");
    }

    [[nodiscard]] constexpr bool description(entry& e) noexcept
    {
        constexpr std::string_view keys[] = {"dtype", "shape", "data_offsets"};
        bool seen[3] = {};
        if (!scan_.take('{', "'{'")) return bad_json(e);
        if (!scan_.try_take('}')) {
            do {
                text key;
                if (!scan_.string(key) || !scan_.take(':', "':'")) return bad_json(e);
                std::size_t k = 0;
                while (k < 3 && !(key == keys[k])) ++k;
                if (k < 3 && seen[k]) return key_fault(fault::repeated_key, e, keys[k]);
                if (k < 3) seen[k] = true;
                const bool read = k == 0 ? type(e) : k == 1 ? extents(e) : k == 2 ? offsets(e) : scan_.skip_value();
                if (!read) return problem.ok() ? bad_json(e) : false;
            } while (scan_.try_take(','));
            if (!scan_.take('}', "',' or '}'")) return bad_json(e);
        }
        for (std::size_t k = 0; k < 3; ++k)
            if (!seen[k]) return key_fault(fault::missing_key, e, keys[k]);
        return true;
    }

    [[nodiscard]] constexpr bool type(entry& e) noexcept
    {
        text found;
        if (!scan_.string(found)) return false;
        for (std::size_t d = 0; d < static_cast<std::size_t>(dtype::unknown); ++d) {
            if (!(found == dtype_table[d].name)) continue;
            e.dtype = static_cast<dtype>(d);
            return true;
        }
        problem = fault_of(fault::unknown_dtype, e);
        problem.found_text = found;
        return false;
    }

    [[nodiscard]] constexpr bool extents(entry& e) noexcept
    {
        if (!scan_.take('[', "'['")) return false;
        if (scan_.try_take(']')) return true;
        do {
            if (e.shape.rank == shape::max_rank) return report(fault_of(fault::too_many_dimensions, e));
            if (!scan_.number(e.shape.extents[e.shape.rank])) return false;
            ++e.shape.rank;
        } while (scan_.try_take(','));
        return scan_.take(']', "',' or ']'");
    }

    [[nodiscard]] constexpr bool offsets(entry& e) noexcept
    {
        return scan_.take('[', "'['") && scan_.number(e.begin) && scan_.take(',', "','") && scan_.number(e.end)
               && scan_.take(']', "']'");
    }

    [[nodiscard]] constexpr bool check(const entry& e) noexcept
    {
        std::uint64_t bits = bits_of(e.dtype);
        std::uint64_t numbers = 1;  // extents first, as the reference implementation multiplies, so that both refuse alike
        for (std::size_t axis = 0; axis < e.shape.rank; ++axis) {
            if (numbers != 0 && e.shape[axis] > UINT64_MAX / numbers) return report(fault_of(fault::size_overflow, e));
            numbers *= e.shape[axis];
        }
        if (numbers > UINT64_MAX / bits) return report(fault_of(fault::size_overflow, e));
        bits *= numbers;
        if (bits % 8 != 0) return report(fault_of(fault::partial_byte, e));
        if (e.begin > e.end) return report(fault_of(fault::offsets_reversed, e));
        error out;
        if (e.end - e.begin != bits / 8) {
            out = fault_of(fault::size_mismatch, e);
            out.expected = bits / 8;
            out.found = e.end - e.begin;
        } else if (e.end > data_size_) {
            out = fault_of(fault::offsets_beyond_data, e);
            out.expected = data_size_;
        }
        return out.ok() || report(out);
    }

    json_scanner scan_;
    std::uint64_t data_size_ = 0;
    bool done_ = false;
};

}  // namespace headstrong::safetensors::inline HEADSTRONG_TARGET::detail

#endif
