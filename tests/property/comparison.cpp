// SPDX-License-Identifier: BSL-1.0
#include "comparison.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace property {
namespace {

/// equal(r, j) for every element of matrices of one size; the message names the first for which it is false.
template <class A, class B, class Equal>
[[nodiscard]] assertion_result each_element(std::size_t rows, std::size_t columns, const A& a, const B& b, const Equal& equal)
{
    assertion_result result(true);
    for (std::size_t j = 0; j < columns && result; ++j)
        for (std::size_t r = 0; r < rows && result; ++r)
            if (!equal(r, j)) {
                result = false;
                result.message().stream().precision(std::numeric_limits<double>::max_digits10);
                result.message() << "number " << r << " of column " << j << ": " << a(r, j) << " and " << b(r, j);
            }
    return result;
}

[[nodiscard]] assertion_result other_size()
{
    assertion_result result(false);
    result.message() << "matrices of different sizes";
    return result;
}

template <class T>
[[nodiscard]] assertion_result same_bits_of_matrices(grid_view<T> a, grid_view<T> b)
{
    if (a.rows != b.rows || a.columns != b.columns) return other_size();
    return each_element(a.rows, a.columns, a, b, [&](std::size_t r, std::size_t j) { return same_bits(a(r, j), b(r, j)); });
}

template <class T>
[[nodiscard]] assertion_result near_matrices(grid_view<T> a, grid_view<T> b, const tolerance& allowed)
{
    if (a.rows != b.rows || a.columns != b.columns) return other_size();
    return each_element(a.rows, a.columns, a, b, [&](std::size_t r, std::size_t j) {
        return std::abs(static_cast<double>(a(r, j)) - static_cast<double>(b(r, j))) <= allowed(r, j);
    });
}

template <class T>
[[nodiscard]] assertion_result within_estimates(grid_view<T> a, const estimates& expected)
{
    if (a.rows != expected.rows() || a.columns != expected.columns()) return other_size();
    constexpr double both = 1 + unit<double> / unit<T>;
    const auto value = [&](std::size_t r, std::size_t j) { return expected(r, j).value; };
    return each_element(a.rows, a.columns, a, value, [&](std::size_t r, std::size_t j) {
        return std::abs(static_cast<double>(a(r, j)) - value(r, j)) <= both * expected(r, j).error;
    });
}

}  // namespace

bool same_bits(float a, float b)
{
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}
bool same_bits(double a, double b)
{
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

assertion_result same_bits(grid_view<float> a, grid_view<float> b) { return same_bits_of_matrices(a, b); }
assertion_result same_bits(grid_view<double> a, grid_view<double> b) { return same_bits_of_matrices(a, b); }

assertion_result near(grid_view<float> a, grid_view<float> b, const tolerance& allowed) { return near_matrices(a, b, allowed); }
assertion_result near(grid_view<double> a, grid_view<double> b, const tolerance& allowed)
{
    return near_matrices(a, b, allowed);
}

assertion_result within(grid_view<float> a, const estimates& expected) { return within_estimates(a, expected); }
assertion_result within(grid_view<double> a, const estimates& expected) { return within_estimates(a, expected); }

assertion_result agree(grid_view<float> a, const estimates& of_a, grid_view<float> b, const estimates& of_b)
{
    return near(a, b, [&](std::size_t r, std::size_t j) { return of_a(r, j).error + of_b(r, j).error; });
}
assertion_result agree(grid_view<double> a, const estimates& of_a, grid_view<double> b, const estimates& of_b)
{
    return near(a, b, [&](std::size_t r, std::size_t j) { return of_a(r, j).error + of_b(r, j).error; });
}

assertion_result says_something(const estimates& x)
{
    assertion_result result(x.largest_error() < 0.01 * x.largest_value());
    result.message() << "bound " << x.largest_error() << " of values up to " << x.largest_value();
    return result;
}

}  // namespace property
