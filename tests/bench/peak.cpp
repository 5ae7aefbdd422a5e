// SPDX-License-Identifier: BSL-1.0
#include "peak.hpp"

namespace bench {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t register_bytes = 64;
#elif defined(__AVX__)
constexpr std::size_t register_bytes = 32;
#else
constexpr std::size_t register_bytes = 16;
#endif
using vector [[gnu::vector_size(register_bytes)]] = float;

constexpr std::size_t lanes = register_bytes / sizeof(float), steps = 1000;
constexpr std::size_t chains = 12;  // two units of four cycles want eight in flight

/// Opaque, so that nothing is computed when compiling.
[[gnu::noinline]] vector opaque(float x)
{
    asm volatile("" : "+m"(x));
    return vector{} + x;
}

}  // namespace

const double multiply_adds_at_the_limit = static_cast<double>(chains * lanes * steps);

void run_at_the_limit(std::size_t calls)
{
    const vector a = opaque(0.999f), b = opaque(1e-3f);
    vector sum[chains];
    for (vector& s : sum) s = opaque(1.0f);
    for (std::size_t i = 0; i < calls * steps; ++i)
        for (vector& s : sum) s = s * a + b;  // contracted to a fused multiply-add
    for (vector& s : sum) asm volatile("" ::"m"(s));
}

reader::reader(std::size_t bytes) : numbers_(bytes / register_bytes * lanes, 1.0f) {}

void reader::run(std::size_t calls) const
{
    constexpr std::size_t at_once = 8;
    const std::size_t end = numbers_.size() / (at_once * lanes) * (at_once * lanes);
    for (std::size_t i = 0; i < calls; ++i) {
        for (std::size_t first = 0; first < end; first += at_once * lanes)
            for (std::size_t r = 0; r < at_once; ++r) {
                vector read;
                __builtin_memcpy(&read, numbers_.data() + first + r * lanes, sizeof read);
                asm volatile("" ::"x"(read));
            }
        asm volatile("" ::: "memory");
    }
}

}  // namespace bench
