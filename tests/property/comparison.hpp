// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_PROPERTY_COMPARISON_HPP
#define HEADSTRONG_TESTS_PROPERTY_COMPARISON_HPP
/// @file
/// Comparisons of matrices, element by element; what they return says where two differ.

#include "estimate.hpp"
#include "grid.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <functional>

namespace property {

using boost::test_tools::assertion_result;

/// The same bits; NaN is one value, because its payload is not promised.
[[nodiscard]] bool same_bits(float a, float b);
[[nodiscard]] bool same_bits(double a, double b);
[[nodiscard]] assertion_result same_bits(grid_view<float> a, grid_view<float> b);
[[nodiscard]] assertion_result same_bits(grid_view<double> a, grid_view<double> b);

/// |a - b| <= tolerance(r, j) for every element. NaN is near nothing.
using tolerance = std::function<double(std::size_t r, std::size_t j)>;
[[nodiscard]] assertion_result near(grid_view<float> a, grid_view<float> b, const tolerance& allowed);
[[nodiscard]] assertion_result near(grid_view<double> a, grid_view<double> b, const tolerance& allowed);

/// What was computed in T is as near to its estimate as that says. The estimate's own arithmetic, in double, errs like a
/// T of double would.
[[nodiscard]] assertion_result within(grid_view<float> a, const estimates& expected);
[[nodiscard]] assertion_result within(grid_view<double> a, const estimates& expected);

/// Two computations of one value: their difference is at most the sum of their bounds.
[[nodiscard]] assertion_result agree(grid_view<float> a, const estimates& of_a, grid_view<float> b, const estimates& of_b);
[[nodiscard]] assertion_result agree(grid_view<double> a, const estimates& of_a, grid_view<double> b, const estimates& of_b);

/// A bound below a hundredth of the largest value: only then does a comparison with it say anything.
[[nodiscard]] assertion_result says_something(const estimates& x);

// The same for everything that the library takes as a matrix.

template <headstrong::matrix_like A, headstrong::matrix_like B>
[[nodiscard]] assertion_result same_bits(const A& a, const B& b)
{
    return same_bits(view_of(a), view_of(b));
}
template <headstrong::matrix_like A, headstrong::matrix_like B>
[[nodiscard]] assertion_result near(const A& a, const B& b, const tolerance& allowed)
{
    return near(view_of(a), view_of(b), allowed);
}
template <headstrong::matrix_like A>
[[nodiscard]] assertion_result within(const A& a, const estimates& expected)
{
    return within(view_of(a), expected);
}
template <headstrong::matrix_like A, headstrong::matrix_like B>
[[nodiscard]] assertion_result agree(const A& a, const estimates& of_a, const B& b, const estimates& of_b)
{
    return agree(view_of(a), of_a, view_of(b), of_b);
}

}  // namespace property

#endif
