// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_BENCH_PEER_HPP
#define HEADSTRONG_BENCH_PEER_HPP
/// @file
/// What a peer is. Each library is a module of its own, loaded when the benchmark runs: so each has the compiler and flags
/// that suit it best, and none shares an inline function with another.

#include "data.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// One way to compute the result of a problem.
struct peer {
    std::string name;                      ///< library_variant
    std::function<void(std::size_t)> run;  ///< makes so many calls
    const float* result;                   ///< laid out as the reference
    double multiply_adds = 0;              ///< of a call as this peer makes it; 0 if it does not say
};

using peers = std::vector<peer>;

/// So many calls as a loop around `call`, without an indirect jump for each.
template <class Call>
[[nodiscard]] std::function<void(std::size_t)> repeated(Call call)
{
    return [call](std::size_t times) {
        for (std::size_t i = 0; i < times; ++i) {
            call();
            asm volatile("" ::: "memory");  // the inputs may have changed, the result is read
        }
    };
}

/// Adds the peers of a library for p if its shape is in the group. A library with compile-time sizes has a translation unit
/// for each group.
template <shape_group Group>
void add_peers(const problem& p, peers& list);

inline void add_peers_of_all_groups(const problem& p, peers& list)
{
    add_peers<shape_group::square>(p, list);
    add_peers<shape_group::query>(p, list);
    add_peers<shape_group::decode>(p, list);
    add_peers<shape_group::odd>(p, list);
    add_peers<shape_group::core>(p, list);
    add_peers<shape_group::deployed>(p, list);
}

}  // namespace bench

#define BENCH_AS_TEXT_OF(x) #x
#define BENCH_AS_TEXT(x) BENCH_AS_TEXT_OF(x)
#define BENCH_VERSION(a, b, c) BENCH_AS_TEXT(a) "." BENCH_AS_TEXT(b) "." BENCH_AS_TEXT(c)
#ifdef __clang__
#define BENCH_COMPILER "Clang " BENCH_VERSION(__clang_major__, __clang_minor__, __clang_patchlevel__)
#else
#define BENCH_COMPILER "GCC " BENCH_VERSION(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__)
#endif

// What a module exports: its peers for a problem, which must live as long as they, and the library with its version.
extern "C" {
__attribute__((visibility("default"))) void bench_add_peers(const bench::problem& p, bench::peers& list);
__attribute__((visibility("default"))) const char* bench_library();
}

#endif
