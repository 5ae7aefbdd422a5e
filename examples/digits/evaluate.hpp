// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXAMPLES_EVALUATE_HPP
#define HEADSTRONG_EXAMPLES_EVALUATE_HPP
/// @file
/// The trained network on the test images: how right it is, how fast, and what it makes of one of them.

#include "digit_reader.hpp"
#include "gaze.hpp"
#include "test_set.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace digits {

struct agreement {
    std::size_t right;         ///< images that are read as they are labelled
    float largest_difference;  ///< of a logit from PyTorch's, relative to the largest logit
    float largest_gaze_error;  ///< of a logit rebuilt from the gazes, likewise
    std::uint64_t hash;        ///< of the bits of all logits

    /// PyTorch reads 349 images right, and its logits differ in rounding alone. The hash is that of every compiler and
    /// instruction set.
    [[nodiscard]] bool good() const noexcept
    {
        return right == 349 && largest_difference < 5e-6f && largest_gaze_error < 5e-6f && hash == 0x91c0bbc758e3b763;
    }
};

[[nodiscard]] agreement compare(const test_set& set);

struct latency {
    std::size_t rounds;
    double median_us, percentile_99_9_us;
};

/// Takes the time of each call: all images, once to warm the caches, then in rounds until so many seconds are over.
[[nodiscard]] latency measure(const test_set& set, double seconds);

struct reading {
    std::size_t number;  ///< of the test image
    image pixels;
    std::size_t label, answer;
    hs::matrix<float, 10, 1> probability;  ///< of each digit
    std::array<gaze, 4> heads;             ///< of the query for `answer`
    gaze mean;                             ///< of the heads
};

[[nodiscard]] reading read(const test_set& set, std::size_t number);

}  // namespace digits

#endif
