// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_PROPERTY_NUMBERS_HPP
#define HEADSTRONG_TESTS_PROPERTY_NUMBERS_HPP
/// @file
/// Random matrices and weights, the same on every platform; unknown to the compiler, so that what is computed from them is
/// computed at run time.

#include "grid.hpp"

#include <headstrong/headstrong.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

namespace property {

class numbers {
public:
    explicit numbers(unsigned seed) : generator_(seed) {}

    /// A number in [-size, size].
    [[nodiscard]] double next(double size);

    /// An integer in [-limit, limit].
    [[nodiscard]] int integer(int limit);

    void fill(std::span<float> all, double size);
    void fill(std::span<double> all, double size);

    /// 0 ... count - 1 in any order.
    [[nodiscard]] std::vector<std::size_t> order(std::size_t count);

    template <class T, std::size_t R, std::size_t C>
    [[nodiscard]] headstrong::matrix<T, R, C> matrix(double size = 2)
    {
        headstrong::matrix<T, R, C> x;
        fill(x.span(), size);
        return x;
    }

    template <class T>
    [[nodiscard]] property::grid<T> grid(std::size_t rows, std::size_t columns, double size = 2)
    {
        property::grid<T> x(rows, columns);
        fill(std::span<T>(x.numbers()), size);
        return x;
    }

    template <class T>
    [[nodiscard]] property::grid<T> integers(std::size_t rows, std::size_t columns, int limit)
    {
        property::grid<T> x(rows, columns);
        for (T& number : x.numbers()) number = static_cast<T>(integer(limit));
        return x;
    }

    /// A linear map that keeps the size of what it is applied to: rows of length about 1.
    template <class T, std::size_t R, std::size_t C, std::size_t A>
    void fill(headstrong::matrix<T, R, C, A>& w)
    {
        fill(w.span(), std::sqrt(3.0 / static_cast<double>(C)));
    }
    void fill(headstrong::no_bias&) {}
    template <class X, std::size_t Heads>
    void fill(std::array<X, Heads>& heads)
    {
        for (X& x : heads) fill(x);
    }

    template <class T, headstrong::dims D>
    [[nodiscard]] headstrong::weights<T, D> weights()
    {
        headstrong::weights<T, D> w;
        fill(w.w_q), fill(w.w_k), fill(w.w_v), fill(w.w_o), fill(w.b_q), fill(w.b_k), fill(w.b_v), fill(w.b_o);
        return w;
    }

    template <class T, headstrong::dims D>
    [[nodiscard]] headstrong::residual_weights<T, D> residual_weights()
    {
        headstrong::residual_weights<T, D> w;
        fill(w.w_q), fill(w.w_k), fill(w.w_v);
        return w;
    }

private:
    std::mt19937 generator_;
};

}  // namespace property

#endif
