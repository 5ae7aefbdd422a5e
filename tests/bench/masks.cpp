// SPDX-License-Identifier: BSL-1.0
// What masks cost: attention of several heads without projections, its time with a mask over its time without, interleaved,
// medians of 41 rounds.
#include "headstrong/attention.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace {

namespace hs = headstrong;

template <class M>
void fill(M& m, std::uint32_t seed)
{
    for (auto& one : m.elements) {
        seed = seed * 1664525u + 1013904223u;
        one = static_cast<typename M::value_type>(static_cast<std::int32_t>(seed)) * 0x1p-32f;
    }
}

/// Seconds of one call, of so many that the clock can tell.
template <class F>
double seconds_of(F call, std::size_t calls)
{
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < calls; ++i) call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / static_cast<double>(calls);
}

template <std::size_t Heads, std::size_t D, std::size_t N>
void measure(const char* name)
{
    using numbers = hs::matrix<float, D, N>;
    static numbers q[Heads], k[Heads], v[Heads], y[Heads];
    static hs::attention_workspace<float, D, D, N, N> scratch;
    static hs::matrix<bool, N, N> shown;
    for (std::uint32_t h = 0; h < Heads; ++h) fill(q[h], 3 * h), fill(k[h], 3 * h + 1), fill(v[h], 3 * h + 2);
    for (std::size_t i = 0; i < N * N; ++i) shown.elements[i] = i % 7 != 3;

    volatile std::size_t all = N;  // the compiler must not know the length
    const auto every_head = [&](const auto&... options) {
        for (std::size_t h = 0; h < Heads; ++h) hs::attention(q[h], k[h], v[h], y[h], scratch, hs::scaled_dot{}, options...);
    };
    constexpr std::size_t rounds = 41, calls = 1 + 2'000'000 / (Heads * N * N), kinds = 4;
    std::array<std::array<double, rounds>, kinds> seconds;
    for (std::size_t r = 0; r < rounds; ++r) {
        seconds[0][r] = seconds_of([&] { every_head(); }, calls);
        seconds[1][r] = seconds_of([&] { every_head(hs::causal{}); }, calls);
        seconds[2][r] = seconds_of([&] { every_head(hs::valid_keys{all}); }, calls);
        seconds[3][r] = seconds_of([&] { every_head(hs::keep(shown)); }, calls);
    }
    for (auto& of_kind : seconds) std::nth_element(of_kind.begin(), of_kind.begin() + rounds / 2, of_kind.end());
    const auto median = [&](std::size_t kind) { return seconds[kind][rounds / 2]; };
    std::printf("%-4s %2zu heads of %2zu, n = m = %3zu: full %8.1f us, causal %.3f, length m %.3f, keep matrix %.3f\n", name,
                Heads, D, N, median(0) * 1e6, median(1) / median(0), median(2) / median(0), median(3) / median(0));
}

}  // namespace

int main()
{
    measure<4, 16, 32>("C1");
    measure<8, 32, 128>("C2");
    measure<8, 64, 512>("C3");
}
