// SPDX-License-Identifier: BSL-1.0
#include "estimate.hpp"

#include <algorithm>

namespace property {
namespace {

template <class T>
[[nodiscard]] estimates exact_numbers(grid_view<T> x)
{
    estimates y(x.rows, x.columns);
    for (std::size_t j = 0; j < x.columns; ++j)
        for (std::size_t r = 0; r < x.rows; ++r) y(r, j).value = static_cast<double>(x(r, j));
    return y;
}

/// f(r, j) for each element.
template <class F>
[[nodiscard]] estimates each(std::size_t rows, std::size_t columns, const F& f)
{
    estimates y(rows, columns);
    for (std::size_t j = 0; j < columns; ++j)
        for (std::size_t r = 0; r < rows; ++r) y(r, j) = f(r, j);
    return y;
}

/// A bias as one column, or nothing.
[[nodiscard]] estimates exact(const std::vector<double>& bias)
{
    return each(bias.size(), bias.empty() ? 0 : 1, [&](std::size_t r, std::size_t) { return estimate{bias[r], 0}; });
}

/// The softmax of one column, `scores`, into the same column of y.
template <class T>
void softmax_of_column(const estimates& scores, std::size_t i, estimates& y)
{
    const std::size_t m = scores.rows();
    double maximum = scores(0, i).value, largest_error = 0, total = 0, wrong = 0;
    for (std::size_t j = 0; j < m; ++j) {
        maximum = std::max(maximum, scores(j, i).value);
        largest_error = std::max(largest_error, scores(j, i).error);
    }
    for (std::size_t j = 0; j < m; ++j) total += std::exp(scores(j, i).value - maximum);
    for (std::size_t j = 0; j < m; ++j) {
        const auto [score, error] = scores(j, i);
        const double exponent = error + unit<T> * (maximum - score + error + largest_error);
        const double p = std::exp(score - maximum) / total;
        const double relative = std::exp(exponent) * (1 + 2 * unit<T>)-1;
        y(j, i) = {p, p * relative + (sizeof(T) == 4 ? 0x1p-64 : 0x1p-512)};  // below that a weight is 0
        wrong += y(j, i).error;
    }
    const double least = 1 - (wrong + gamma<T>(denominator_roundings<T>(m)) * (1 + wrong));
    for (std::size_t j = 0; j < m; ++j) y(j, i).error = y(j, i).most() * (1 + gamma<T>(2)) / least - y(j, i).value;
}

/// W^O [head(0); head(1); ...] + b_o for n queries.
template <class T, class Head>
[[nodiscard]] estimates output_of(const reference::layer& w, std::size_t n, const Head& head)
{
    std::size_t rows = 0;
    for (const reference::table& w_o : w.w_o) rows += w_o.columns;
    estimates w_o(w.w_o[0].rows, rows), heads(rows, n);
    for (std::size_t h = 0, row = 0; h < w.heads(); row += w.w_o[h++].columns) {
        put(heads, row, head(h));
        for (std::size_t c = 0; c < w.w_o[h].columns; ++c)
            for (std::size_t r = 0; r < w_o.rows(); ++r) w_o(r, row + c).value = w.w_o[h](r, c);
    }
    return product<T>(w_o, heads, exact(w.b_o), w.heads() + rows);
}

}  // namespace

double estimates::largest_value() const
{
    double largest = 0;
    for (const estimate& x : numbers_) largest = std::max(largest, std::abs(x.value));
    return largest;
}

double estimates::largest_error() const
{
    double largest = 0;
    for (const estimate& x : numbers_)
        largest = std::isnan(x.error) ? std::numeric_limits<double>::infinity() : std::max(largest, x.error);
    return largest;
}

estimates exact(grid_view<float> x) { return exact_numbers(x); }
estimates exact(grid_view<double> x) { return exact_numbers(x); }
estimates exact(const reference::table& x) { return exact(grid_view<double>{x.numbers.data(), x.rows, x.columns, 1, x.rows}); }

estimates with_values(const estimates& x, const reference::table& values)
{
    return each(x.rows(), x.columns(), [&](std::size_t r, std::size_t j) { return estimate{values(r, j), x(r, j).error}; });
}

estimates transposed(const estimates& x)
{
    return each(x.columns(), x.rows(), [&](std::size_t r, std::size_t j) { return x(j, r); });
}

void put(estimates& y, std::size_t first, const estimates& x)
{
    for (std::size_t j = 0; j < x.columns(); ++j)
        for (std::size_t r = 0; r < x.rows(); ++r) y(first + r, j) = x(r, j);
}

template <class T>
estimates product(const estimates& w, const estimates& x, const estimates& b, std::size_t roundings)
{
    const double relative = gamma<T>(std::max(roundings, w.columns()));
    const double denormal = static_cast<double>(w.columns()) * static_cast<double>(std::numeric_limits<T>::denorm_min());
    return each(w.rows(), x.columns(), [&](std::size_t r, std::size_t j) {
        estimate sum = b.rows() > 0 ? b(r, 0) : estimate{0, 0};
        double magnitudes = sum.most();
        for (std::size_t c = 0; c < w.columns(); ++c) {
            const estimate left = w(r, c), right = x(c, j);
            sum.value += left.value * right.value;
            sum.error += left.error * right.most() + std::abs(left.value) * right.error;
            magnitudes += left.most() * right.most();
        }
        sum.error += relative * magnitudes + denormal;
        return sum;
    });
}

template <class T>
estimates scaled(const estimates& x, estimate factor)
{
    return each(x.rows(), x.columns(), [&](std::size_t r, std::size_t j) {
        const double brought = x(r, j).error * factor.most() + std::abs(x(r, j).value) * factor.error;
        return estimate{x(r, j).value * factor.value, brought + unit<T> * x(r, j).most() * factor.most()};
    });
}

template <class T>
estimates sum(const estimates& x, const estimates& y)
{
    return each(x.rows(), x.columns(), [&](std::size_t r, std::size_t j) {
        const estimate a = x(r, j), b = y(r, j);
        return estimate{a.value + b.value, a.error + b.error + unit<T> * (a.most() + b.most())};
    });
}

template <class T>
estimates softmax(const estimates& scores)
{
    estimates y(scores.rows(), scores.columns());
    for (std::size_t i = 0; i < scores.columns(); ++i) softmax_of_column<T>(scores, i, y);
    return y;
}

template <class T>
estimates attention(const estimates& q, const estimates& k, const estimates& v, estimate scale)
{
    return product<T>(v, softmax<T>(product<T>(transposed(k), scaled<T>(q, scale))));
}

template <class T>
estimates head_h(const reference::layer& w, std::size_t h, const estimates& q, const estimates& k, const estimates& v,
                 estimate scale)
{
    const std::size_t kv = w.kv_head(h);
    return attention<T>(product<T>(exact(w.w_q[h]), q, exact(reference::bias_of(w.b_q, h))),
                        product<T>(exact(w.w_k[kv]), k, exact(reference::bias_of(w.b_k, kv))),
                        product<T>(exact(w.w_v[kv]), v, exact(reference::bias_of(w.b_v, kv))), scale);
}

template <class T>
estimates multi_head(const reference::layer& w, const estimates& q, const estimates& k, const estimates& v)
{
    return output_of<T>(w, q.columns(), [&](std::size_t h) { return head_h<T>(w, h, q, k, v); });
}

template <class T>
estimates absorbed_multi_head(const reference::layer& w, const estimates& q, const estimates& k, const estimates& v)
{
    return output_of<T>(w, q.columns(), [&](std::size_t h) {
        const std::size_t kv = w.kv_head(h);
        const reference::table &w_q = w.w_q[h], &w_v = w.w_v[kv];
        const estimates queries = product<T>(exact(w_q), q, exact(reference::bias_of(w.b_q, h)), w_q.columns + 1);
        const estimates absorbed = product<T>(transposed(exact(w.w_k[kv])), scaled<T>(queries, default_scale<T>(w_q.rows)));
        const estimates weights = softmax<T>(product<T>(transposed(k), absorbed));
        return product<T>(exact(w_v), product<T>(v, weights), exact(reference::bias_of(w.b_v, kv)), w_v.columns + 1);
    });
}

template <class T>
estimates expanded_multi_head(const reference::layer& w, const estimates& q, const estimates& k, const estimates& v)
{
    estimates y(w.w_o[0].rows, q.columns());
    for (std::size_t h = 0; h < w.heads(); ++h) {
        const std::size_t kv = w.kv_head(h);
        const estimates values = product<T>(exact(w.w_v[kv]), v, exact(reference::bias_of(w.b_v, kv)));
        const estimates head = attention<T>(product<T>(exact(w.w_q[h]), q, exact(reference::bias_of(w.b_q, h))),
                                            product<T>(exact(w.w_k[kv]), k, exact(reference::bias_of(w.b_k, kv))),
                                            product<T>(exact(w.w_o[h]), values), default_scale<T>(w.w_q[h].rows));
        y = h == 0 ? head : sum<T>(y, head);
    }
    if (w.b_o.empty()) return y;
    return sum<T>(y, each(y.rows(), y.columns(), [&](std::size_t r, std::size_t) { return estimate{w.b_o[r], 0}; }));
}

template estimates product<float>(const estimates&, const estimates&, const estimates&, std::size_t);
template estimates product<double>(const estimates&, const estimates&, const estimates&, std::size_t);
template estimates scaled<float>(const estimates&, estimate);
template estimates scaled<double>(const estimates&, estimate);
template estimates sum<float>(const estimates&, const estimates&);
template estimates sum<double>(const estimates&, const estimates&);
template estimates softmax<float>(const estimates&);
template estimates softmax<double>(const estimates&);
template estimates attention<float>(const estimates&, const estimates&, const estimates&, estimate);
template estimates attention<double>(const estimates&, const estimates&, const estimates&, estimate);
template estimates head_h<float>(const reference::layer&, std::size_t, const estimates&, const estimates&, const estimates&,
                                 estimate);
template estimates head_h<double>(const reference::layer&, std::size_t, const estimates&, const estimates&, const estimates&,
                                  estimate);
template estimates multi_head<float>(const reference::layer&, const estimates&, const estimates&, const estimates&);
template estimates absorbed_multi_head<float>(const reference::layer&, const estimates&, const estimates&, const estimates&);
template estimates multi_head<double>(const reference::layer&, const estimates&, const estimates&, const estimates&);
template estimates absorbed_multi_head<double>(const reference::layer&, const estimates&, const estimates&, const estimates&);
template estimates expanded_multi_head<float>(const reference::layer&, const estimates&, const estimates&, const estimates&);
template estimates expanded_multi_head<double>(const reference::layer&, const estimates&, const estimates&, const estimates&);

}  // namespace property
