// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_BOUNDS_HPP
#define HEADSTRONG_TESTS_BOUNDS_HPP
/// @file
/// How far a number of the library may be from the reference: error bounds from the sizes and the magnitudes of the inputs.
///
/// u is the unit roundoff of T, and that of double is added for the reference itself. |A| is A with absolute values.
///   product   a chain of c fused multiply-adds is off by at most c u (|W| |X| + |b|)
///   score     s = F k . q, at most S in magnitude, with inputs off by e_q and e_k:
///             delta = (d_k + 3) u S + F d_k (e_q max|k| + e_k max|q| + e_q e_k)
///   softmax   exp(s - max): both scores are off by delta, the difference is rounded (2 S u), exp has 1 ULP (2 u):
///             relatively eps = 2 delta + 2 S u + 2 u; numerators below the smallest normal number t may be flushed to 0
///   output    sum of m terms (m u) over the denominator (eps, m / 16 + 5 roundings), times the rounded reciprocal (2 u):
///             max|v| (2 eps + (m + m / 16 + 8) u + m t) + e_v
/// First order; the factor 1.1 covers the rest as long as the relative error is below 0.1, which is checked.

#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

namespace reference {

template <class T>
inline constexpr double unit_roundoff =
    (static_cast<double>(std::numeric_limits<T>::epsilon()) + std::numeric_limits<double>::epsilon()) / 2;

inline table magnitude(table x)
{
    for (double& e : x.numbers) e = std::abs(e);
    return x;
}
inline std::vector<double> magnitude(std::vector<double> b)
{
    for (double& e : b) e = std::abs(e);
    return b;
}
inline double largest(const table& x)
{
    double most = 0;
    for (double e : x.numbers) most = std::max(most, std::abs(e));
    return most;
}

/// Of w x + b.
template <class T>
double affine_bound(const table& w, const table& x, const std::vector<double>& b = {})
{
    return 1.1 * static_cast<double>(w.columns) * unit_roundoff<T> * largest(affine(magnitude(w), magnitude(x), magnitude(b)));
}

/// Errors of the inputs of attention.
struct input_errors {
    double q = 0, k = 0, v = 0;
};

/// Of attention with the score factor k . q.
template <class T>
double attention_bound(const table& q, const table& k, const table& v, double factor, const input_errors& e = {})
{
    const double u = unit_roundoff<T>, d_k = static_cast<double>(q.rows), m = static_cast<double>(k.columns);
    const double s = largest(scores(magnitude(q), magnitude(k), dot_times(std::abs(factor))));
    const double delta = (d_k + 3) * u * s + std::abs(factor) * d_k * (e.q * largest(k) + e.k * largest(q) + e.q * e.k);
    const double eps = 2 * delta + 2 * s * u + 2 * u;
    const double relative = 2 * eps + (m + m / 16 + 8) * u + m * static_cast<double>(std::numeric_limits<T>::min());
    if (relative > 0.1) throw std::domain_error("inputs too large for a bound of first order");
    return 1.1 * (largest(v) * relative + e.v);
}
template <class T>
double attention_bound(const table& q, const table& k, const table& v)
{
    return attention_bound<T>(q, k, v, 1 / std::sqrt(static_cast<double>(q.rows)));
}

/// Of multi-head attention with the score factor k . q.
template <class T>
double multi_head_bound(const layer& w, const table& q, const table& k, const table& v, double factor)
{
    table magnitudes(w.w_o[0].rows, q.columns);
    double carried = 0, depth = 0;
    for (std::size_t h = 0; h < w.heads(); ++h) {
        const std::size_t kv = w.kv_head(h);
        const table &w_q = w.w_q[h], &w_k = w.w_k[kv], &w_v = w.w_v[kv], w_o = magnitude(w.w_o[h]);
        const auto &b_q = bias_of(w.b_q, h), &b_k = bias_of(w.b_k, kv), &b_v = bias_of(w.b_v, kv);
        const table q_h = affine(w_q, q, b_q), k_h = affine(w_k, k, b_k), v_h = affine(w_v, v, b_v);
        const double error = attention_bound<T>(
            q_h, k_h, v_h, factor, {affine_bound<T>(w_q, q, b_q), affine_bound<T>(w_k, k, b_k), affine_bound<T>(w_v, v, b_v)});
        table errors(w_o.columns, 1);
        std::fill(errors.numbers.begin(), errors.numbers.end(), error);
        carried += largest(affine(w_o, errors));
        const table share = affine(w_o, magnitude(attention(q_h, k_h, v_h, dot_times(factor))));
        for (std::size_t e = 0; e < share.numbers.size(); ++e) magnitudes.numbers[e] += share.numbers[e];
        depth += static_cast<double>(w_o.columns);
    }
    for (std::size_t e = 0; e < magnitudes.numbers.size() && !w.b_o.empty(); ++e)
        magnitudes.numbers[e] += std::abs(w.b_o[e % magnitudes.rows]);
    return carried + 1.1 * depth * unit_roundoff<T> * largest(magnitudes);
}
template <class T>
double multi_head_bound(const layer& w, const table& q, const table& k, const table& v)
{
    return multi_head_bound<T>(w, q, k, v, 1 / std::sqrt(static_cast<double>(w.w_q[0].rows)));
}

}  // namespace reference

#endif
