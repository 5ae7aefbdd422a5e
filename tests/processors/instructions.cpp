// SPDX-License-Identifier: BSL-1.0
// Executed instructions of one call for each shape of instances.hpp, from SysTick, which under `qemu-system-arm -icount
// shift=0` makes a step each NANOSECONDS instructions.
#include "instances.hpp"

#include <cstdint>
#include <cstdio>

namespace {

constexpr std::uint32_t clocks = 0xffffff;

volatile std::uint32_t& reg(std::uint32_t address) { return *reinterpret_cast<volatile std::uint32_t*>(address); }
std::uint32_t now() { return clocks - reg(0xe000e018); }

template <class Instance>
[[gnu::noinline]] void count()
{
    Instance::prepare();
    const std::uint32_t first = now();
    Instance::call();
    const std::uint32_t steps = (now() - first) & clocks;
    const double instructions = NANOSECONDS * steps, each = instructions / Instance::multiply_adds;
    std::printf("%c %lu %lu %lu %lu %d %d.%03d %lu\n", Instance::name, static_cast<unsigned long>(Instance::tokens),
                static_cast<unsigned long>(Instance::sizes.d_model), static_cast<unsigned long>(Instance::sizes.heads),
                static_cast<unsigned long>(Instance::sizes.d_k), static_cast<int>(instructions), static_cast<int>(each),
                static_cast<int>(each * 1000 + 0.5) % 1000, static_cast<unsigned long>(sizeof(typename Instance::workspace)));
}

}  // namespace

int main()
{
    reg(0xe000e014) = clocks;  // SysTick counts down from here,
    reg(0xe000e018) = 0;
    reg(0xe000e010) = 5;  // on, at the processor's clock
    count<tests::instance_a>();
    count<tests::instance_b>();
    count<tests::instance_c>();
    count<tests::instance_d>();
    count<tests::instance_e>();
    count<tests::instance_p>();
}
