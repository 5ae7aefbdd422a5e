// SPDX-License-Identifier: BSL-1.0
/// @file
/// The compiler reads a handwritten digit while it compiles this file. The program reads it again and compares all bits.
#include "trained.hpp"

#include "digits_test.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace {

using namespace digits;

// In two steps because compilers count operations for each variable: so GCC stays within its default limits.
constexpr std::size_t number = 103;
constexpr tokens seen = trained.look(test::images.column(number));
constexpr logits by_compiler = trained.decide(seen);
static_assert(answer(by_compiler) == test::labels(number, 0), "the compiler reads another digit than a person wrote");

/// The same image, in a way that keeps the compiler from knowing it.
image at_run_time()
{
    const volatile std::size_t unknown = number;
    return test::images.column(unknown);
}

}  // namespace

int main()
{
    const logits by_program = trained(at_run_time());
    bool same = true;
    std::printf("digit   logit by the compiler    logit by this program\n");
    for (std::size_t d = 0; d < 10; ++d) {
        const float a = by_compiler(d, 0), b = by_program(d, 0);
        same = same && std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
        std::printf("%5zu   %21a   %22a\n", d, static_cast<double>(a), static_cast<double>(b));
    }
    std::printf("a %u, read as %zu by the compiler and as %zu by this program: %s\n", unsigned{test::labels(number, 0)},
                answer(by_compiler), answer(by_program), same ? "the same bits" : "DIFFERENT BITS");
    return same ? 0 : 1;
}
