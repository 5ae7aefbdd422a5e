// SPDX-License-Identifier: BSL-1.0
#include "peer.hpp"

#include <Eigen/Core>

void bench_add_peers(const bench::problem& p, bench::peers& list) { bench::add_peers_of_all_groups(p, list); }

const char* bench_library()
{
    return "Eigen " BENCH_VERSION(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION) " by " BENCH_COMPILER;
}
