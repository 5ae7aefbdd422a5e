// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_UNIT_GOLDEN_INPUTS_HPP
#define HEADSTRONG_TESTS_UNIT_GOLDEN_INPUTS_HPP
/// @file
/// Attention of the golden inputs with options, and the golden vectors beside it.

#include "compare.hpp"
#include "headstrong/attention.hpp"
#include "reference/golden.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace unit {

using number_types = std::tuple<float, double>;

/// q, k and v of the golden vectors.
template <class T, std::size_t N, std::size_t M, std::size_t DV, std::size_t DK = 4>
struct golden_inputs {
    headstrong::matrix<T, DK, N> q = seen_at_run_time(golden::filled<headstrong::matrix<T, DK, N>>(golden::q));
    headstrong::matrix<T, DK, M> k = seen_at_run_time(golden::filled<headstrong::matrix<T, DK, M>>(golden::k));
    headstrong::matrix<T, DV, M> v = seen_at_run_time(golden::filled<headstrong::matrix<T, DV, M>>(golden::v));

    template <class... Options>
    auto attention(const Options&... options) const
    {
        return headstrong::attention(q, k, v, options...);
    }
};

/// Whether y has these numbers, a query after another, to the 8 digits of the vectors or to 1e-6 (float).
template <class Y>
bool is_golden(const Y& y, std::vector<double> numbers)
{
    reference::table expected(Y::rows, Y::columns);
    if (numbers.size() != expected.numbers.size()) return false;
    expected.numbers = std::move(numbers);
    return distance(y, expected) < (std::is_same_v<typename Y::value_type, float> ? 1e-6 : 1e-8);
}

/// The bool matrix m x n of sees(query, key).
template <std::size_t M, std::size_t N, class F>
headstrong::matrix<bool, M, N> bools(F sees)
{
    headstrong::matrix<bool, M, N> x;
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = 0; j < M; ++j) x(j, i) = sees(i, j);
    return x;
}

/// Column i of x.
template <class X>
auto column_of(const X& x, std::size_t i)
{
    headstrong::matrix<typename X::value_type, X::rows, 1> column;
    for (std::size_t r = 0; r < X::rows; ++r) column(r, 0) = x(r, i);
    return column;
}

/// Every number of x is `number`.
template <class X>
X all(typename X::value_type number)
{
    X x;
    for (auto& e : x.elements) e = number;
    return x;
}

}  // namespace unit

#endif
