// SPDX-License-Identifier: BSL-1.0
/// @file
/// A thousand frames through a window of at most 64, on the host and on the chip: the same bits, in memory that was known
/// before.
#include "report.hpp"
#include "stream.hpp"

#include <algorithm>

namespace {

using namespace streaming;

[[gnu::section(".rodata.model")]] constexpr layer decoder{some_weights()};
constinit window past{};

constexpr std::size_t frames = 1000;

// All large memory is the window. On the stack are a few frames, the keys of one on their way into the cache, and what the
// compiler saves.
constexpr std::size_t keys = sizeof(float) * sizes.heads * sizes.d_k;
constexpr report::prediction predicted{.model = sizeof(layer),
                                       .variables = sizeof(window),
                                       .stack_at_least = keys,
                                       .stack_at_most = keys + 4 * sizeof(frame) + 1024};

}  // namespace

bool board::run()
{
    report::bits_hash hash;
    std::uint32_t slowest = 0;
    std::size_t fewest_seen = most;
    for (std::size_t time = 0; time < frames; ++time) {
        const frame x = frame_at(time);
        frame y;
        if (time >= most) fewest_seen = std::min(fewest_seen, past.size() + 1);
        const std::uint32_t start = board::instructions();
        past.next(decoder, x, y);
        slowest = std::max(slowest, board::instructions_between(start, board::instructions()));
        for (const float number : y.elements) hash.add(number);
    }
    report::line("frames", frames);
    report::line("fewest frames seen by one behind the first 64", fewest_seen);
    hash.print();
    if (board::measures) report::line("instructions of a frame, most", slowest);
    return report::memory(predicted) && fewest_seen == kept + 1;
}
