// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_BENCH_MODULES_HPP
#define HEADSTRONG_BENCH_MODULES_HPP
/// @file
/// Loads the libraries under test.

#include "peer.hpp"

#include <string>
#include <vector>

namespace bench {

struct module {
    decltype(&bench_add_peers) add_peers;
    std::string library;  ///< its name and version
};

/// The modules beside this program that were built with it, this library's first. Sets the environment that makes each of
/// them fast on one thread, unless it is set already.
[[nodiscard]] std::vector<module> load_modules();

}  // namespace bench

#endif
