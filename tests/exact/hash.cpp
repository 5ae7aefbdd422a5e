// SPDX-License-Identifier: BSL-1.0
// One hash for the bits of every case, whatever this program was compiled by, with and for: by the lanes of this
// instruction set, by the array that constant evaluation uses, and by constant evaluation itself. Prints a line for each
// case and one for all; fails where two ways differ or where the hash of all is not the one of the command line.
#if defined(HASH_FURTHER_CASES)
#include "further_cases.hpp"
#elif defined(HASH_SHAPE_CASES)
#include "shape_cases.hpp"
#else
#include "hash_cases.hpp"
#endif

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <tuple>
#include <type_traits>
#include <utility>

// 1: all cases also by portable lanes and through the public functions. That trebles the time to compile, so only a few of
// the programs do. (Where there are no vectors, portable lanes are the native ones.)
#ifndef HASH_EVERY_WAY
#define HASH_EVERY_WAY 0
#endif

namespace {

using namespace tests;

struct report {
    hash total;
    int differences = 0;

    void check(const char* way, std::uint64_t expected, std::uint64_t found)
    {
        if (expected == found) return;
        std::printf("    %s differs: %016llx\n", way, static_cast<unsigned long long>(found));
        ++differences;
    }
};

template <class Case>
void print_name()
{
    std::printf("%s<%s", Case::name, std::is_same_v<typename Case::value_type, float> ? "float" : "double");
    for (const std::size_t size : Case::sizes) std::printf(",%lu", static_cast<unsigned long>(size));
    std::printf(">");
}

template <class Case, class Lanes>
[[gnu::noinline]] std::uint64_t hash_of(const typename Case::input_type& in)
{
    hash h;
    h.add(Case::template output<Lanes>(in).elements);
    return h.value;
}

/// Hashes one case by each way there is: native lanes, the public function, portable lanes, constant evaluation.
template <class Case, bool Small>
void run(report& to, std::size_t index)
{
    using T = typename Case::value_type;
    using native = hs::native_lanes<T>;
    using portable = hs::portable_lanes<T>;
    const auto& in = *static_cast<const typename Case::input_type*>(Small ? inputs_of_small(index) : inputs_of_large(index));
    const std::uint64_t by_native = hash_of<Case, native>(in);
    print_name<Case>();
    std::printf(" %016llx\n", static_cast<unsigned long long>(by_native));
    if constexpr (HASH_EVERY_WAY) to.check("the public function", by_native, hash_of<Case, called>(in));
    if constexpr (!std::is_same_v<native, portable> && HASH_EVERY_WAY)
        to.check("portable lanes", by_native, hash_of<Case, portable>(in));
    if constexpr (Small) to.check("constant evaluation", by_native, hash_of_constants(index));
    to.total.add(by_native);
}

template <class Cases, bool Small>
void run_all(report& to)
{
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (run<std::tuple_element_t<I, Cases>, Small>(to, I), ...);
    }(std::make_index_sequence<std::tuple_size_v<Cases>>{});
}

}  // namespace

int main(int count, char** arguments)
{
    report all;
    run_all<small_cases, true>(all);
    run_all<large_cases, false>(all);
    std::printf("total %016llx\n", static_cast<unsigned long long>(all.total.value));
    if (count > 1) all.check("the expected total", all.total.value, std::strtoull(arguments[1], nullptr, 16));
#ifdef HASH_EXPECTED  // where there is no command line
    all.check("the expected total", all.total.value, HASH_EXPECTED);
#endif
    return all.differences == 0 ? 0 : 1;
}
