// SPDX-License-Identifier: BSL-1.0
/// @file
/// The digit reader of examples/digits on a part with 512 KB of flash and 128 KB of RAM: the same bits as on the host, in
/// memory that was known before.
#include "report.hpp"
#include "trained.hpp"

#include "digits_test.hpp"

#include <algorithm>

namespace {

using namespace digits;

/// What stays in flash.
struct stored {
    digit_reader reader = trained;
    hs::matrix<std::uint8_t, 64, 360> images = test::images;
    hs::matrix<std::uint8_t, 360, 1> labels = test::labels;
};
[[gnu::section(".rodata.model")]] constexpr stored kept{};

// On the stack are the scratch memory of the block that reads, while that of a block that looks is there too, and some sets of
// tokens; a kilobyte is for what the compiler saves, and for this program.
constexpr std::size_t scratch =
    digit_reader::block::cost<16, 16>().workspace_bytes + digit_reader::block::cost<10, 16>().workspace_bytes;
constexpr report::prediction predicted{
    .model = sizeof(stored), .variables = 0, .stack_at_least = scratch, .stack_at_most = scratch + 4 * sizeof(tokens) + 1024};

}  // namespace

bool board::run()
{
    std::size_t right = 0;
    std::uint32_t fewest = 0xffffffff, most = 0;
    report::bits_hash hash;
    for (std::size_t i = 0; i < kept.images.columns; ++i) {
        const std::uint32_t start = board::instructions();
        const logits l = kept.reader(kept.images.column(i));
        const std::uint32_t taken = board::instructions_between(start, board::instructions());
        fewest = std::min(fewest, taken);
        most = std::max(most, taken);
        right += answer(l) == kept.labels(i, 0);
        for (const float number : l.elements) hash.add(number);
    }
    report::line("digits", kept.images.columns);
    report::line("right", right);
    hash.print();
    if (board::measures) {
        report::line("instructions of a digit, fewest", fewest);
        report::line("instructions of a digit, most", most);
    }
    // No branch on data: every image takes as many instructions, as far as the clock can tell.
    const bool steady = most - fewest <= board::instructions_of_a_step;
    return report::memory(predicted) && right == 349 && steady;
}
