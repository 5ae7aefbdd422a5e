// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_PROPERTY_CASES_HPP
#define HEADSTRONG_TESTS_PROPERTY_CASES_HPP
/// @file
/// Calls of the library for many shapes, each behind one type, so that a test is a loop over them.

#include "comparison.hpp"
#include "estimate.hpp"
#include "grid.hpp"
#include "inputs.hpp"
#include "numbers.hpp"

#include <headstrong/headstrong.hpp>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

namespace property {

/// A grid as the reference takes it.
template <class T>
[[nodiscard]] reference::table table_of(const grid<T>& x)
{
    return reference::table_of(x.numbers().data(), x.rows(), x.columns(), 1, static_cast<std::ptrdiff_t>(x.rows()));
}

/// attention() of one shape.
template <class T>
struct attention_case {
    std::size_t d_k, d_v, n, m;
    grid<T> (*run)(const inputs<T>& x);

    [[nodiscard]] grid<T> operator()(const inputs<T>& x) const { return run(x); }
    [[nodiscard]] inputs<T> random_inputs(numbers& random) const
    {
        return {random.grid<T>(d_k, n), random.grid<T>(d_k, m), random.grid<T>(d_v, m)};
    }
    [[nodiscard]] estimates expected(const inputs<T>& x) const { return attention<T>(exact(x.q), exact(x.k), exact(x.v)); }
};

template <class T, std::size_t DK, std::size_t DV, std::size_t N, std::size_t M, class Score = headstrong::scaled_dot>
[[nodiscard]] attention_case<T> attention_of(Score = {})
{
    return {DK, DV, N, M, [](const inputs<T>& x) {
                grid<T> y(DV, N, nan<T>);
                headstrong::attention_workspace<T, DK, DV, N, M> scratch;
                std::ranges::fill(scratch.queries, nan<T>);
                std::ranges::fill(scratch.scores, nan<T>);
                std::ranges::fill(scratch.output, nan<T>);
                headstrong::attention(x.q.template as<DK, N>(), x.k.template as<DK, M>(), x.v.template as<DV, M>(),
                                      y.template as<DV, N>(), scratch, Score{});
                return y;
            }};
}

/// Cases of both types of number.
template <template <class> class Case>
using cases = std::tuple<std::vector<Case<float>>, std::vector<Case<double>>>;

/// law(one case, random numbers) for each case and each of `seeds` seeds. What fails says for which.
template <class Cases, class Law>
void for_each(const Cases& all, unsigned seeds, const Law& law)
{
    const auto over = [&](const auto& of_one_type) {
        for (std::size_t place = 0; place < of_one_type.size(); ++place)
            for (unsigned seed = 1; seed <= seeds; ++seed) {
                BOOST_TEST_INFO_SCOPE("case " << place << ", seed " << seed);
                numbers random(seed);
                law(of_one_type[place], random);
            }
    };
    std::apply([&](const auto&... lists) { (over(lists), ...); }, all);
}

}  // namespace property

#endif
