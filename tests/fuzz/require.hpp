// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_FUZZ_REQUIRE_HPP
#define HEADSTRONG_TESTS_FUZZ_REQUIRE_HPP

#include <cstdio>
#include <cstdlib>
#include <source_location>

/// Ends the program, as a fuzzer wants it, where a law does not hold.
inline void require(bool holds, std::source_location where = std::source_location::current())
{
    if (holds) return;
    std::fprintf(stderr, "%s:%u: does not hold\n", where.file_name(), static_cast<unsigned>(where.line()));
    std::abort();
}

#endif
