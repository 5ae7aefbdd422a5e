// SPDX-License-Identifier: BSL-1.0
/// @file
/// One program for old and new x86-64 processors: it takes the fastest code that its machine has, and no bit depends on which.
#include "filter.hpp"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>

namespace {

using namespace dispatch;

template <class Heads>
void fill(Heads&& heads, std::uint32_t& state)
{
    for (auto& head : heads)
        for (float& number : head.span()) {
            state = state * 1664525 + 1013904223;
            number = (static_cast<float>(state >> 16) - 32768) / 131072;
        }
}

double microseconds(filter* f, const layer& attend, const tokens& x, tokens& y)
{
    const auto start = std::chrono::steady_clock::now();
    f(attend, x, y);
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main()
{
    // Clang 14 does not know the levels by name. Every processor with these has what else belongs to a level.
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    const bool v4 =
        v3 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    struct {
        const char* name;
        filter* code;
        bool supported;
    } const all[] = {{"x86-64-v4", filter_v4, v4}, {"x86-64-v3", filter_v3, v3}, {"x86-64", filter_v1, true}};

    std::uint32_t state = 1;
    layer::weights_type w{};
    fill(w.w_q, state), fill(w.w_k, state), fill(w.w_v, state), fill(w.w_o, state);
    const layer attend{w};
    tokens x, best, y;
    fill(std::span(&x, 1), state);

    const char* chosen = nullptr;
    bool same = true;
    for (const auto& one : all) {
        if (!one.supported) {
            std::printf("%-10s not on this machine\n", one.name);
            continue;
        }
        one.code(attend, x, y);
        const double time = microseconds(one.code, attend, x, y);
        if (chosen == nullptr) chosen = one.name, best = y;
        const bool equal = std::memcmp(&best, &y, sizeof(y)) == 0;
        same = same && equal;
        std::printf("%-10s %9.1f us  %s\n", one.name, time, equal ? "the same bits" : "OTHER BITS");
    }
    std::printf("chosen: %s\n", chosen);
    return same ? 0 : 1;
}
