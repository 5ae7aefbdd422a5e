// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXAMPLES_TEST_SET_HPP
#define HEADSTRONG_EXAMPLES_TEST_SET_HPP
/// @file
/// Images that the network never saw, read from a file when the program runs.

#include <headstrong/matrix.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace digits {

struct test_set {
    static constexpr std::size_t size = 360;

    headstrong::matrix<std::uint8_t, 64, size> images;  ///< an image a column
    headstrong::matrix<std::uint8_t, size, 1> labels;
    headstrong::matrix<float, 10, size> logits;  ///< what PyTorch computes for them
};

/// Throws std::runtime_error with one sentence if the file is missing or not what the types above say.
[[nodiscard]] std::unique_ptr<const test_set> read_test_set(const std::string& path);

}  // namespace digits

#endif
