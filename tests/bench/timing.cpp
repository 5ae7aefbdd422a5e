// SPDX-License-Identifier: BSL-1.0
#include "timing.hpp"

#include <algorithm>
#include <ctime>

namespace bench {
namespace {

constexpr std::size_t enough_slices = 7;

double seconds_of(clockid_t clock)
{
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct stopwatch {
    double wall = seconds_of(CLOCK_MONOTONIC), thread = seconds_of(CLOCK_THREAD_CPUTIME_ID);

    /// What has gone by since it was made.
    [[nodiscard]] stopwatch elapsed() const
    {
        const stopwatch now;
        stopwatch difference = now;
        difference.wall -= wall;
        difference.thread -= thread;
        return difference;
    }
};

std::size_t calls_of_a_slice(const peer& p, double seconds)
{
    p.run(1);
    for (std::size_t calls = 1;; calls *= 2) {
        const stopwatch start;
        p.run(calls);
        const double took = start.elapsed().thread;
        if (took > seconds / 4)
            return std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(calls) * seconds / took));
    }
}

/// Microseconds a call, of all slices and of those that had the core to themselves.
struct slices {
    std::vector<double> all, alone;
};

void run_slice(const peer& p, std::size_t calls, slices& s)
{
    p.run(1);  // the caches hold what the peer before needed
    const stopwatch start;
    p.run(calls);
    const stopwatch took = start.elapsed();
    s.all.push_back(1e6 * took.thread / static_cast<double>(calls));
    if (took.thread > 0.97 * took.wall) s.alone.push_back(s.all.back());
}

timing summary(slices& s)
{
    const bool disturbed = s.alone.size() < std::min(enough_slices, s.all.size());
    std::vector<double>& v = disturbed ? s.all : s.alone;
    std::sort(v.begin(), v.end());
    return {v[v.size() / 2], v.front(), disturbed};
}

}  // namespace

std::vector<timing> time_in_turns(const peers& list, const schedule& when)
{
    std::vector<std::size_t> calls;
    for (const peer& p : list) calls.push_back(calls_of_a_slice(p, when.slice_seconds));

    std::vector<slices> times(list.size());
    const auto some_want_more = [&] {
        return std::any_of(times.begin(), times.end(), [](const slices& s) { return s.alone.size() < enough_slices; });
    };
    for (std::size_t round = 0; round < when.rounds || (round < 4 * when.rounds && some_want_more()); ++round)
        for (std::size_t i = 0; i < list.size(); ++i) run_slice(list[i], calls[i], times[i]);

    std::vector<timing> result;
    for (slices& s : times) result.push_back(summary(s));
    return result;
}

}  // namespace bench
