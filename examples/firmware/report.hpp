// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXAMPLES_REPORT_HPP
#define HEADSTRONG_EXAMPLES_REPORT_HPP
/// @file
/// Numbers as text without a C library, a hash of floats, and the table of what was predicted and what was measured.

#include "board.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace report {

/// `value` to the base, with leading blanks (decimal) or zeros (hexadecimal) up to a width of at most 20.
inline void number(std::uint64_t value, unsigned base = 10, std::size_t width = 0)
{
    char text[21];
    std::size_t at = 20;
    text[at] = 0;
    do text[--at] = "0123456789abcdef"[value % base];
    while ((value /= base) != 0);
    while (20 - at < width && at > 0) text[--at] = base == 10 ? ' ' : '0';
    board::write(text + at);
}

inline void line(const char* name, std::uint64_t value)
{
    board::write(name), board::write(" "), number(value), board::write("\n");
}

/// FNV-1a over the bits of the numbers, the lowest byte first.
class bits_hash {
public:
    void add(float number)
    {
        auto bits = std::bit_cast<std::uint32_t>(number);
        for (int byte = 0; byte < 4; ++byte, bits >>= 8) value_ = (value_ ^ (bits & 0xff)) * 0x100000001b3;
    }
    void print() const { board::write("hash "), number(value_, 16, 16), board::write("\n"); }

private:
    std::uint64_t value_ = 0xcbf29ce484222325;
};

/// What constants of the program say before it is flashed.
struct prediction {
    std::size_t model, variables, stack_at_least, stack_at_most;
};

/// One line of the table; returns whether the measured bytes lie between the two.
inline bool bytes(const char* name, std::size_t least, std::size_t most, std::size_t measured)
{
    board::write(name), number(least, 10, 10), number(most, 10, 10), number(measured, 10, 10);
    const bool good = measured >= least && measured <= most;
    board::write(good ? "\n" : "  NOT AS PREDICTED\n");
    return good;
}

/// Prints the table, on the chip alone, and returns whether the prediction holds.
inline bool memory(const prediction& p)
{
    if (!board::measures) return true;
    const board::memory m = board::measured();
    board::write("bytes          at least   at most  measured\n");
    bool good = bytes("model     ", p.model, p.model, m.model);
    good = bytes("flash     ", p.model, board::flash_bytes, m.flash) && good;
    good = bytes("variables ", p.variables, p.variables, m.variables) && good;
    good = bytes("stack     ", p.stack_at_least, p.stack_at_most, m.stack) && good;
    line("code", m.code);
    return good;
}

}  // namespace report

#endif
