// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXAMPLES_BOARD_HPP
#define HEADSTRONG_EXAMPLES_BOARD_HPP
/// @file
/// What a program of these examples asks of the machine below it: a Cortex-M without operating system (board_chip.cpp), or the
/// machine that compiles (board_host.cpp), which tells what the chip must print.

#include <cstddef>
#include <cstdint>

namespace board {

/// The program. Returns whether all is as promised; the machine's start-up calls it.
bool run();

void write(const char* text);

/// Instructions since the start, modulo 2^24 steps; 0 on the host. The chip's clock of 25 MHz tells (SysTick). Under
/// `qemu-system-arm -icount shift=0` an instruction takes a nanosecond, so the clock makes a step each 40 of them and every run
/// tells the same.
inline constexpr std::uint32_t instructions_of_a_step = 40;
[[nodiscard]] std::uint32_t instructions();
[[nodiscard]] std::uint32_t instructions_between(std::uint32_t first, std::uint32_t second);

/// Bytes, from the symbols of part.ld and the painted stack; all 0 on the host.
struct memory {
    std::size_t flash;      ///< code, constants, initial values
    std::size_t code;       ///< of them code, with the vectors
    std::size_t model;      ///< of them what lies in the section .rodata.model
    std::size_t variables;  ///< of the RAM, all but the stack
    std::size_t stack;      ///< the most that was in use since reset
};
[[nodiscard]] memory measured();

/// False on the host, where there is nothing to hold against a prediction.
extern const bool measures;

inline constexpr std::size_t flash_bytes = 512 * 1024, ram_bytes = 128 * 1024;

}  // namespace board

#endif
