// SPDX-License-Identifier: BSL-1.0
// A program of units for several processors: it runs on the oldest of them, and where both can run they give the same bits.
#include "two_units.hpp"

#include "headstrong/headstrong.hpp"  // a third unit with everything, with the flags of the second
#include "headstrong/import/safetensors.hpp"

#include <cstdio>
#include <cstring>

namespace {
results without, with_avx2;
}

int main(int count, char**)
{
    unit_without(without, count);
    if (without.bytes[0] == 0 && without.bytes[1] == 0 && without.bytes[2] == 0 && without.bytes[3] == 0) return 1;
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
        std::puts("the unit without AVX2 runs alone");
        return 0;
    }
#endif
    unit_with_avx2(with_avx2, count);
    if (std::memcmp(&without, &with_avx2, sizeof(results)) != 0) {
        std::puts("the units give different bits");
        return 1;
    }
    std::puts("both units run and give the same bits");
    return 0;
}
