// SPDX-License-Identifier: BSL-1.0
// Do weights cost RAM, or code before main? A constexpr layer is packed by the compiler and is a constant of the program.
#include "sample.hpp"

#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

namespace hs = headstrong;
using layer = hs::multi_head<float, hs::dims{.d_model = 16, .heads = 2}>;

constexpr layer attend{sample::weights<layer::weights_type>(1)};  // yours: a header that headstrong_embed makes
static_assert(sizeof attend == layer::cost<1, 1>().weight_bytes);

/// What the system lets a program do with a place in its memory: "r--p" where it can only read. (On a chip: flash.)
std::string permissions_of(const void* place)
{
    const auto address = reinterpret_cast<std::uintptr_t>(place);
    std::ifstream regions("/proc/self/maps");  // a region a line: "begin-end permissions ..."
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::string permissions;
    while (regions >> std::hex >> begin >> dash >> end >> permissions) {
        if (begin <= address && address < end) return permissions;
        regions.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return {};
}

int main()
{
    static const layer packed_at_run_time{sample::weights<layer::weights_type>(1)};
    const auto x = sample::numbers<hs::matrix<float, 16, 4>>(2);
    sample::claim(attend(x, x, x) == packed_at_run_time(x, x, x), "the compiler packs the same bits");
    std::printf("%zu bytes of weights\n", sizeof attend);
    sample::claim(permissions_of(&attend)[1] == '-', "they lie in memory that is only read");
}
