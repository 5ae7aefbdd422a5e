// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_CONFORMANCE_RUN_HPP
#define HEADSTRONG_TESTS_CONFORMANCE_RUN_HPP
/// @file
/// The list of cases that the generated sources give to the program.

#include "case_file.hpp"
#include "comparison.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace conformance {

struct entry {
    std::string_view name;
    std::string_view file;
    std::string_view unsupported;  ///< the feature for which the case cannot run; then `run` is null
    bool known_kind;               ///< of a kind that is served: if the case cannot run, it fails
    std::vector<check> (*run)(const case_file&);
};

[[nodiscard]] std::span<const entry> all_cases();

}  // namespace conformance

#endif
