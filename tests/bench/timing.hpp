// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_BENCH_TIMING_HPP
#define HEADSTRONG_BENCH_TIMING_HPP
/// @file
/// Peers timed in turns, so that a change of the clock or of the machine's load meets all of them.

#include "peer.hpp"

#include <cstddef>
#include <vector>

namespace bench {

struct schedule {
    std::size_t rounds;
    double slice_seconds;
};

/// Of one call.
struct timing {
    double median_us, min_us;
    bool disturbed;  ///< other processes left too few slices alone, so all of them count
};

/// Round r runs every peer once for a slice. The time of a slice is the processor time of the thread; slices in which
/// another process took the core for more than 3 % of the time are dropped. While fewer than 7 slices of some peer are
/// left there are further rounds, up to three times as many.
[[nodiscard]] std::vector<timing> time_in_turns(const peers& list, const schedule& when);

}  // namespace bench

#endif
