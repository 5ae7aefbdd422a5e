// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_REFERENCE_HPP
#define HEADSTRONG_TESTS_REFERENCE_HPP
/// @file
/// Multi-head attention as the equations say it, in plain loops over double: slow, without a panel, a lane or a block, and
/// without a line of the library. What the library computes is compared with this.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace reference {

/// A matrix, column by column: column j is token j.
struct table {
    std::size_t rows = 0, columns = 0;
    std::vector<double> numbers;

    table() = default;
    table(std::size_t r, std::size_t c) : rows(r), columns(c), numbers(r * c) {}

    double& operator()(std::size_t r, std::size_t j) { return numbers[j * rows + r]; }
    double operator()(std::size_t r, std::size_t j) const { return numbers[j * rows + r]; }
    std::span<const double> column(std::size_t j) const { return std::span(numbers).subspan(j * rows, rows); }
};

/// The numbers at `data`, number (r, j) at r * row_stride + j * column_stride.
template <class T>
table table_of(const T* data, std::size_t rows, std::size_t columns, std::ptrdiff_t row_stride, std::ptrdiff_t column_stride)
{
    table t(rows, columns);
    for (std::size_t j = 0; j < columns; ++j)
        for (std::size_t r = 0; r < rows; ++r)
            t(r, j) = static_cast<double>(
                data[static_cast<std::ptrdiff_t>(r) * row_stride + static_cast<std::ptrdiff_t>(j) * column_stride]);
    return t;
}

/// A table of anything that has rows, columns and (r, j) in memory: a matrix or view of the library.
template <class Matrix>
table table_of(const Matrix& x)
{
    const auto* first = &x(0, 0);
    return table_of(first, x.rows, x.columns, x.rows > 1 ? &x(1, 0) - first : 0, x.columns > 1 ? &x(0, 1) - first : 0);
}

/// f(q_i, k_j); -infinity keeps query i from key j.
using score = std::function<double(std::span<const double> query, std::span<const double> key)>;

/// factor k . q
inline score dot_times(double factor)
{
    return [factor](std::span<const double> q, std::span<const double> k) {
        double sum = 0;
        for (std::size_t r = 0; r < q.size(); ++r) sum += q[r] * k[r];
        return factor * sum;
    };
}
inline score dot() { return dot_times(1); }
inline score scaled_dot(std::size_t d_k) { return dot_times(1 / std::sqrt(static_cast<double>(d_k))); }

/// w x + b, b added to every column; an empty b is no bias.
inline table affine(const table& w, const table& x, const std::vector<double>& b = {})
{
    table y(w.rows, x.columns);
    for (std::size_t j = 0; j < x.columns; ++j)
        for (std::size_t r = 0; r < w.rows; ++r) {
            double sum = b.empty() ? 0 : b[r];
            for (std::size_t c = 0; c < w.columns; ++c) sum += w(r, c) * x(c, j);
            y(r, j) = sum;
        }
    return y;
}

/// Softmax of each column; a column of -infinity becomes zeros.
inline table softmax(const table& x)
{
    table y(x.rows, x.columns);
    for (std::size_t i = 0; i < x.columns; ++i) {
        const auto column = x.column(i);
        const double largest = *std::max_element(column.begin(), column.end());
        if (largest == -std::numeric_limits<double>::infinity()) continue;
        double sum = 0;
        for (std::size_t j = 0; j < x.rows; ++j) sum += y(j, i) = std::exp(x(j, i) - largest);
        for (std::size_t j = 0; j < x.rows; ++j) y(j, i) /= sum;
    }
    return y;
}

/// f(Q, K): number (j, i) is the score of query i and key j.
inline table scores(const table& q, const table& k, const score& f)
{
    table s(k.columns, q.columns);
    for (std::size_t i = 0; i < q.columns; ++i)
        for (std::size_t j = 0; j < k.columns; ++j) s(j, i) = f(q.column(i), k.column(j));
    return s;
}

/// V Softmax(f(Q, K))
inline table attention(const table& q, const table& k, const table& v, const score& f)
{
    return affine(v, softmax(scores(q, k, f)));
}
inline table attention(const table& q, const table& k, const table& v) { return attention(q, k, v, scaled_dot(q.rows)); }

/// The weights of a layer: w_q and w_o for each head, w_k and w_v for each key/value head, heads in order sharing them
/// evenly; biases may be missing (empty), all of a kind or none.
struct layer {
    std::vector<table> w_q, w_k, w_v, w_o;
    std::vector<std::vector<double>> b_q, b_k, b_v;
    std::vector<double> b_o;

    std::size_t heads() const { return w_q.size(); }
    std::size_t kv_head(std::size_t h) const { return h / (w_q.size() / w_k.size()); }
};

inline const std::vector<double>& bias_of(const std::vector<std::vector<double>>& biases, std::size_t h)
{
    static const std::vector<double> none;
    return biases.empty() ? none : biases[h];
}

/// Attention(W_h^Q Q + b_q, W_h^K K + b_k, W_h^V V + b_v)
inline table head(const layer& w, std::size_t h, const table& q, const table& k, const table& v, const score& f)
{
    const std::size_t kv = w.kv_head(h);
    return attention(affine(w.w_q[h], q, bias_of(w.b_q, h)), affine(w.w_k[kv], k, bias_of(w.b_k, kv)),
                     affine(w.w_v[kv], v, bias_of(w.b_v, kv)), f);
}

/// sum_h W_h^O head_h + b_o
inline table multi_head(const layer& w, const table& q, const table& k, const table& v, const score& f)
{
    table y(w.w_o[0].rows, q.columns);
    for (std::size_t e = 0; e < y.numbers.size(); ++e) y.numbers[e] = w.b_o.empty() ? 0 : w.b_o[e % y.rows];
    for (std::size_t h = 0; h < w.heads(); ++h) {
        const table share = affine(w.w_o[h], head(w, h, q, k, v, f));
        for (std::size_t e = 0; e < y.numbers.size(); ++e) y.numbers[e] += share.numbers[e];
    }
    return y;
}
inline table multi_head(const layer& w, const table& q, const table& k, const table& v)
{
    return multi_head(w, q, k, v, scaled_dot(w.w_q[0].rows));
}

/// X + sum_h (W_h^V X) Softmax(f(W_h^Q X, W_h^K X)); w_o and biases are not used.
inline table residual_attention(const layer& w, const table& x, const score& f)
{
    table y = x;
    for (std::size_t h = 0; h < w.heads(); ++h) {
        const std::size_t kv = w.kv_head(h);
        const table o = attention(affine(w.w_q[h], x), affine(w.w_k[kv], x), affine(w.w_v[kv], x), f);
        for (std::size_t e = 0; e < y.numbers.size(); ++e) y.numbers[e] += o.numbers[e];
    }
    return y;
}

/// The layer that anything with members w_q, w_k, ... b_o of matrices holds: weights of the library. A bias without rows
/// is no bias.
template <class Weights>
layer layer_of(const Weights& w)
{
    const auto tables = [](const auto& matrices) {
        std::vector<table> all;
        for (const auto& x : matrices) all.push_back(table_of(x));
        return all;
    };
    const auto numbers = [](const auto& b) {
        if constexpr (requires { b.rows; }) return table_of(b).numbers;
        else return std::vector<double>{};
    };
    const auto biases = [&](const auto& matrices) {
        std::vector<std::vector<double>> all;
        for (const auto& b : matrices) all.push_back(numbers(b));
        return all;
    };
    return {tables(w.w_q), tables(w.w_k), tables(w.w_v), tables(w.w_o),
            biases(w.b_q), biases(w.b_k), biases(w.b_v), numbers(w.b_o)};
}

}  // namespace reference

#endif
