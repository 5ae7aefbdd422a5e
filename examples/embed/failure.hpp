// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EMBED_FAILURE_HPP
#define HEADSTRONG_EMBED_FAILURE_HPP
/// @file
/// Why nothing was written: one sentence.

#include "headstrong/import/error.hpp"

#include <array>
#include <stdexcept>
#include <string>

namespace embed {

struct failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Throws if e says that something is wrong with the file.
inline void require(const headstrong::safetensors::error& e, const std::string& file)
{
    std::array<char, 1000> buffer;
    if (!e.ok()) throw failure(std::string(explain(e, file, buffer)));
}

}  // namespace embed

#endif
