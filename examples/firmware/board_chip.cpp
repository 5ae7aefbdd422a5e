// SPDX-License-Identifier: BSL-1.0
// A Cortex-M with nothing below it: start-up, the three functions that a compiler may call, text and exit by semihosting, a
// clock, and a stack that is painted so that it shows how deep it was.
#include "board.hpp"

using std::size_t, std::uint32_t;

// From part.ld. Where a size is meant, it is the address.
extern uint32_t data_start, data_end, data_load, bss_start, bss_end, stack_top;
extern char flash_used, code_used, model_used, variable_used;

// A compiler may turn plain copies into calls of these, also in freestanding code; the flag keeps them from calling themselves.
#define PLAIN_LOOPS __attribute__((optimize("no-tree-loop-distribute-patterns"), used))
extern "C" {
PLAIN_LOOPS void* memcpy(void* to, const void* from, size_t bytes)
{
    auto* t = static_cast<unsigned char*>(to);
    const auto* f = static_cast<const unsigned char*>(from);
    if (((reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from)) & 3) == 0)
        for (; bytes >= 4; bytes -= 4, t += 4, f += 4) *reinterpret_cast<uint32_t*>(t) = *reinterpret_cast<const uint32_t*>(f);
    while (bytes-- > 0) *t++ = *f++;
    return to;
}
PLAIN_LOOPS void* memmove(void* to, const void* from, size_t bytes)
{
    auto* t = static_cast<unsigned char*>(to);
    const auto* f = static_cast<const unsigned char*>(from);
    if (t <= f) return memcpy(to, from, bytes);
    while (bytes-- > 0) t[bytes] = f[bytes];
    return to;
}
PLAIN_LOOPS void* memset(void* to, int value, size_t bytes)
{
    auto* t = static_cast<unsigned char*>(to);
    while (bytes-- > 0) *t++ = static_cast<unsigned char>(value);
    return to;
}
}

namespace {

constexpr uint32_t paint = 0xa5a5a5a5;
constexpr uint32_t clocks = 0xffffff;

volatile uint32_t& reg(uint32_t address) { return *reinterpret_cast<volatile uint32_t*>(address); }

/// Asks the debugger, here qemu, for a service.
uint32_t semihosting(uint32_t service, const void* argument)
{
    register uint32_t r0 asm("r0") = service;
    register const void* r1 asm("r1") = argument;
    asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

[[noreturn]] void leave(uint32_t code)
{
    const uint32_t why[2] = {0x20026, code};  // the application's own exit
    semihosting(0x20, why);
    for (;;) {
    }
}

extern "C" [[noreturn]] void fault()
{
    board::write("fault\n");
    leave(3);
}

extern "C" [[noreturn]] __attribute__((used)) void reset()
{
    reg(0xe000ed88) |= 0xfu << 20;  // CPACR: the floating-point unit
    asm volatile("dsb\n isb");
    for (uint32_t *from = &data_load, *to = &data_start; to < &data_end;) *to++ = *from++;
    for (uint32_t* to = &bss_start; to < &bss_end;) *to++ = 0;
    uint32_t* sp;
    asm volatile("mov %0, sp" : "=r"(sp));
    for (volatile uint32_t* at = &bss_end; at < sp;) *at++ = paint;
    reg(0xe000e014) = clocks;  // SysTick counts down from here,
    reg(0xe000e018) = 0;
    reg(0xe000e010) = 5;  // by the processor's clock
    leave(board::run() ? 0 : 1);
}

using vector = void (*)();
__attribute__((section(".vectors"), used))
const vector vectors[16] = {reinterpret_cast<vector>(&stack_top), reset, fault, fault, fault, fault, fault};

size_t value_of(const char& symbol) { return reinterpret_cast<size_t>(&symbol); }

}  // namespace

namespace board {

void write(const char* text) { semihosting(4, text); }

uint32_t instructions() { return (clocks - reg(0xe000e018)) * instructions_of_a_step; }

uint32_t instructions_between(uint32_t first, uint32_t second)
{
    constexpr uint32_t turn = (clocks + 1) * instructions_of_a_step;
    return second >= first ? second - first : second + (turn - first);
}

memory measured()
{
    const volatile uint32_t* at = &bss_end;
    while (at < &stack_top && *at == paint) ++at;
    const size_t stack = value_of(reinterpret_cast<const char&>(stack_top)) - reinterpret_cast<size_t>(at);
    return {value_of(flash_used), value_of(code_used), value_of(model_used), value_of(variable_used), stack};
}

extern const bool measures = true;

}  // namespace board
