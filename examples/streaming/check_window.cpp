// SPDX-License-Identifier: BSL-1.0
/// @file
/// The window gives the bits of a plain call with the frames that it says it holds.
#include "stream.hpp"

#include <algorithm>
#include <cstdio>

namespace {

using namespace streaming;

constexpr layer decoder{some_weights()};
window past{};

/// Of the last `count` frames; those before it are masked, and their memory is never read.
frame plainly(std::size_t time, std::size_t count)
{
    hs::matrix<float, sizes.d_model, most> x{};
    for (std::size_t j = 0; j < count; ++j) {
        const frame one = frame_at(time + 1 - count + j);
        std::ranges::copy(one.span(), x.column(j).begin());
    }
    return decoder(frame_at(time), x, x, hs::valid_keys{count}, hs::by<hs::plan_kind::direct>);
}

}  // namespace

int main()
{
    for (std::size_t time = 0; time < 300; ++time) {
        const std::size_t seen = past.size() + 1;
        frame y;
        past.next(decoder, frame_at(time), y);
        if (y != plainly(time, seen)) {
            std::printf("frame %zu: other bits than a call with %zu keys\n", time, seen);
            return 1;
        }
    }
    std::puts("300 frames: the bits of plain calls");
    return 0;
}
