// SPDX-License-Identifier: BSL-1.0
#include "peer.hpp"

void bench_add_peers(const bench::problem& p, bench::peers& list) { bench::add_peers_of_all_groups(p, list); }

const char* bench_library() { return "loops by " BENCH_COMPILER; }
