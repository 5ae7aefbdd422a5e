// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_PROPERTY_ESTIMATE_HPP
#define HEADSTRONG_TESTS_PROPERTY_ESTIMATE_HPP
/// @file
/// The bounds of these tests: every step of the mathematics, in plain double arithmetic, together with how far the same
/// step in numbers of type T may be from it. A bound follows from the sizes, eps and the magnitudes alone; each function
/// states its step. u = eps / 2 is the most that one rounding changes a number relatively, and gamma(n) = n u / (1 - n u)
/// the most that n roundings do (Higham, "Accuracy and Stability of Numerical Algorithms", 2002, lemma 3.1).

#include "grid.hpp"

#include "reference/reference.hpp"

#include <headstrong/headstrong.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace property {

template <class T>
inline constexpr double unit = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;

template <class T>
[[nodiscard]] constexpr double gamma(std::size_t roundings)
{
    return static_cast<double>(roundings) * unit<T> / (1 - static_cast<double>(roundings) * unit<T>);
}

/// The roundings of a softmax' denominator: a tree over the keys of each group of 64 bytes, then the groups in order.
template <class T>
[[nodiscard]] constexpr std::size_t denominator_roundings(std::size_t m)
{
    constexpr std::size_t lanes = 64 / sizeof(T);
    return (lanes == 16 ? 4 : 3) + (m + lanes - 1) / lanes;
}

/// A number, and how far what is computed in T may be from it.
struct estimate {
    double value;
    double error;

    [[nodiscard]] double most() const { return std::abs(value) + error; }
};

/// A matrix of them.
class estimates {
public:
    estimates() : estimates(0, 0) {}
    estimates(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), numbers_(rows * columns, estimate{0, 0})
    {
    }

    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] std::size_t columns() const { return columns_; }
    [[nodiscard]] estimate& operator()(std::size_t r, std::size_t j) { return numbers_[j * rows_ + r]; }
    [[nodiscard]] const estimate& operator()(std::size_t r, std::size_t j) const { return numbers_[j * rows_ + r]; }

    [[nodiscard]] double largest_value() const;
    [[nodiscard]] double largest_error() const;  ///< infinity where one is NaN

private:
    std::size_t rows_, columns_;
    std::vector<estimate> numbers_;
};

/// Numbers that both know exactly: inputs and weights.
[[nodiscard]] estimates exact(grid_view<float> x);
[[nodiscard]] estimates exact(grid_view<double> x);
template <headstrong::matrix_like X>
[[nodiscard]] estimates exact(const X& x)
{
    return exact(view_of(x));
}
[[nodiscard]] estimates exact(const reference::table& x);
[[nodiscard]] inline estimates exact(const headstrong::no_bias&) { return {}; }

/// The same errors around values computed in another way.
[[nodiscard]] estimates with_values(const estimates& x, const reference::table& values);

[[nodiscard]] estimates transposed(const estimates& x);

/// Rows first ... of y become x.
void put(estimates& y, std::size_t first, const estimates& x);

// The steps below exist for T = float and double.

/// W X + b, b one column or nothing. Computed in any order with at most `roundings` roundings on the way of any one term
/// into the result: gamma(roundings) of the sum of all magnitudes, beside what the operands bring with them. A chain of
/// fused multiply-adds has as many as there are terms, and several chains fewer: as many as terms are always assumed. What
/// is lost where a number becomes denormal is at most the smallest of them, each time.
template <class T>
[[nodiscard]] estimates product(const estimates& w, const estimates& x, const estimates& b = {}, std::size_t roundings = 0);

/// X times a number, rounded.
template <class T>
[[nodiscard]] estimates scaled(const estimates& x, estimate factor);

/// X + Y, rounded.
template <class T>
[[nodiscard]] estimates sum(const estimates& x, const estimates& y);

/// Softmax of each column. A numerator exp(s_j - max) has a relative error a_j: that of its score, e_j, and of the
/// rounded difference, u |s_j - max|, in the exponent, and 2 u of exp, which also becomes 0 below the smallest normal
/// number. The maximum's own error is common to numerator and denominator. The denominator, as a multiple of the true one,
/// has the error d = sum_j p_j a_j + gamma(roundings) and is at least 1 - d; its reciprocal and the product are rounded.
template <class T>
[[nodiscard]] estimates softmax(const estimates& scores);

/// 1 / sqrt(d_k), a rounded quotient by a rounded root.
template <class T>
[[nodiscard]] estimate default_scale(std::size_t d_k)
{
    const double scale = 1 / std::sqrt(static_cast<double>(d_k));
    return {scale, gamma<T>(2) * scale};
}

/// Equation (1), V Softmax(K^T (scale Q)). attention() divides the sum over the values by the denominator, not each weight:
/// the same roundings in another place, so it has the bound of the product.
template <class T>
[[nodiscard]] estimates attention(const estimates& q, const estimates& k, const estimates& v, estimate scale);
template <class T>
[[nodiscard]] estimates attention(const estimates& q, const estimates& k, const estimates& v)
{
    return attention<T>(q, k, v, default_scale<T>(q.rows()));
}

/// head_h of equation (2).
template <class T>
[[nodiscard]] estimates head_h(const reference::layer& w, std::size_t h, const estimates& q, const estimates& k,
                               const estimates& v, estimate scale);
template <class T>
[[nodiscard]] estimates head_h(const reference::layer& w, std::size_t h, const estimates& q, const estimates& k,
                               const estimates& v)
{
    return head_h<T>(w, h, q, k, v, default_scale<T>(w.w_q[h].rows));
}

/// Equation (2). The product form has a rounding for each of its H d_v terms; the sum form d_v in each head and one for each
/// head it adds. The bound holds for both.
template <class T>
[[nodiscard]] estimates multi_head(const reference::layer& w, const estimates& q, const estimates& k, const estimates& v);

/// Equation (2) by the absorbed plan: scores K^T ((W_h^K)^T (W_h^Q Q + b)) without the bias of the keys, which a softmax does
/// not see, and outputs W_h^V (V P) + b. Its inner products are added in several chains, then as a tree; a term still meets
/// at most as many roundings as there are terms, since to add 0 is exact. A bias comes last, not first: one rounding more.
template <class T>
[[nodiscard]] estimates absorbed_multi_head(const reference::layer& w, const estimates& q, const estimates& k,
                                            const estimates& v);

/// sum_h W_h^O (W_h^V V + b) Softmax(f(W_h^Q Q + b, W_h^K K + b)) + b, heads in order and b last.
template <class T>
[[nodiscard]] estimates expanded_multi_head(const reference::layer& w, const estimates& q, const estimates& k,
                                            const estimates& v);

}  // namespace property

#endif
