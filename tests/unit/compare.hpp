// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_UNIT_COMPARE_HPP
#define HEADSTRONG_TESTS_UNIT_COMPARE_HPP
/// @file
/// Random inputs, and how far or how equal results are.

#include "reference/bounds.hpp"
#include "reference/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <random>
#include <span>

namespace unit {

/// Multiples of 2^-23 in [-size, size), the same everywhere. (No compiler foresees them, so none evaluates a test's call
/// while compiling.)
class random_numbers {
public:
    explicit random_numbers(unsigned seed) : engine_(seed) {}

    double operator()(double size = 1) { return size * (static_cast<double>(engine_() >> 8) * 0x1p-23 - 1); }

    template <class Matrix>
    Matrix matrix(double size = 1)
    {
        Matrix x;
        fill(x, size);
        return x;
    }

    /// A matrix, an array of matrices, or a bias that is not there.
    template <class X>
    void fill(X& x, double size = 1)
    {
        if constexpr (requires { x.elements; }) fill(std::span(x.elements), size);
        else if constexpr (requires { x.begin(); })
            for (auto& one : x) fill(one, size);
    }
    void fill(std::span<float> numbers, double size)
    {
        for (float& e : numbers) e = static_cast<float>((*this)(size));
    }
    void fill(std::span<double> numbers, double size)
    {
        for (double& e : numbers) e = (*this)(size);
    }

    template <class Weights>
    Weights weights(double size = 1)
    {
        Weights w;
        fill(w.w_q, size), fill(w.w_k, size), fill(w.w_v, size), fill(w.w_o, size);
        fill(w.b_q, size), fill(w.b_k, size), fill(w.b_v, size), fill(w.b_o, size);
        return w;
    }

private:
    std::mt19937 engine_;
};

/// x, which the compiler must not foresee: a call with constant arguments would be evaluated while compiling.
template <class X>
[[gnu::noinline]] X seen_at_run_time(X x)
{
    asm volatile("" : : "r"(&x) : "memory");
    return x;
}

/// The largest difference of two numbers at one place; infinite where one is NaN or the shapes differ.
inline double distance(const reference::table& found, const reference::table& expected)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (found.rows != expected.rows || found.columns != expected.columns) return infinity;
    double most = 0;
    for (std::size_t e = 0; e < expected.numbers.size(); ++e) {
        const double difference = std::abs(found.numbers[e] - expected.numbers[e]);
        if (std::isnan(difference)) return infinity;
        most = std::max(most, difference);
    }
    return most;
}
template <class Matrix>
double distance(const Matrix& found, const reference::table& expected)
{
    return distance(reference::table_of(found), expected);
}

/// Equal bits, so that -0 differs from 0 and a NaN equals itself.
template <class A, class B>
bool same_bits(const A& a, const B& b)
{
    static_assert(sizeof(a.elements) == sizeof(b.elements));
    return std::memcmp(a.elements, b.elements, sizeof(a.elements)) == 0;
}

}  // namespace unit

#endif
