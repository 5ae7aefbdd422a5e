// SPDX-License-Identifier: BSL-1.0
// Start-up of a Cortex-M without operating system: memory, floating-point unit, main; text and exit by semihosting.
#include <stdint.h>

extern uint32_t data_start, data_end, data_load, bss_start, bss_end, stack_top;
int main(int, char**);
void exit(int) __attribute__((noreturn));
void initialise_monitor_handles(void);
void __libc_init_array(void);

void _init(void) {}
void _fini(void) {}

void reset(void)
{
    *(volatile uint32_t*)0xE000ED88 |= 0xFu << 20;  // CPACR: coprocessors 10 and 11, the floating-point unit and Helium
    __asm volatile("dsb\n isb");
    for (uint32_t *from = &data_load, *to = &data_start; to < &data_end;) *to++ = *from++;
    for (uint32_t* to = &bss_start; to < &bss_end;) *to++ = 0;
    initialise_monitor_handles();
    __libc_init_array();
    exit(main(0, 0));
}

static void fault(void)
{
    for (;;) {}
}

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {(void (*)(void))&stack_top, reset, fault, fault,
                                                                                     fault, fault, fault};
