// SPDX-License-Identifier: BSL-1.0
#include "peer.hpp"

#include <headstrong/version.hpp>

void bench_add_peers(const bench::problem& p, bench::peers& list) { bench::add_peers_of_all_groups(p, list); }

const char* bench_library()
{
    return "headstrong " BENCH_VERSION(HEADSTRONG_VERSION_MAJOR, HEADSTRONG_VERSION_MINOR,
                                       HEADSTRONG_VERSION_PATCH) " by " BENCH_COMPILER;
}
