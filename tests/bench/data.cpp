// SPDX-License-Identifier: BSL-1.0
#include "data.hpp"

#include "../reference/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace bench {
namespace {

using reference::table;

floats normal(std::size_t count, double deviation, std::mt19937& random)
{
    std::normal_distribution<float> distribution(0.0f, static_cast<float>(deviation));
    floats x(count);
    for (float& e : x) e = distribution(random);
    return x;
}

/// rows x columns numbers, of which (r, c) stands at x[first + r * row_stride + c * column_stride].
table table_of(const floats& x, std::size_t first, std::size_t rows, std::size_t columns, std::size_t row_stride,
               std::size_t column_stride)
{
    table t(rows, columns);
    for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t r = 0; r < rows; ++r) t(r, c) = static_cast<double>(x[first + r * row_stride + c * column_stride]);
    return t;
}

table tokens(const floats& x, std::size_t first, std::size_t width, std::size_t count)
{
    return table_of(x, first, width, count, 1, width);
}

void fill_inputs_and_weights(problem& p, std::mt19937& random)
{
    const shape& s = p.shape;
    const double deviation = 1.4 / std::sqrt(static_cast<double>(s.d_model));  // scores that spread the softmax
    p.x_q = normal(s.n * s.d_model, 1, random);
    for (floats* x : {&p.x_k, &p.x_v}) *x = normal(s.m * s.d_model, 1, random);
    for (floats* w : {&p.w_q, &p.w_k, &p.w_v, &p.w_o}) *w = normal(s.width() * s.d_model, deviation, random);
}

void fill_layer(problem& p, std::mt19937& random)
{
    fill_inputs_and_weights(p, random);
    compute_reference(p);
}

/// The projection of all tokens but the last, for which there is NaN.
floats cache_of(const floats& x, const floats& w, const shape& s)
{
    const table y = reference::affine(table_of(w, 0, s.width(), s.d_model, s.d_model, 1), tokens(x, 0, s.d_model, s.m));
    floats cache(y.numbers.begin(), y.numbers.end());
    std::fill(cache.end() - static_cast<std::ptrdiff_t>(s.width()), cache.end(), std::numeric_limits<float>::quiet_NaN());
    return cache;
}

void fill_decode(problem& p, std::mt19937& random)
{
    fill_inputs_and_weights(p, random);
    p.x_v = p.x_k;
    p.x_q.assign(p.x_k.end() - static_cast<std::ptrdiff_t>(p.shape.d_model), p.x_k.end());
    compute_reference(p);
    p.k_cache = cache_of(p.x_k, p.w_k, p.shape);
    p.v_cache = cache_of(p.x_v, p.w_v, p.shape);
}

void fill_core(problem& p, std::mt19937& random)
{
    const shape& s = p.shape;
    p.q = normal(s.n * s.width(), 1, random);
    for (floats* x : {&p.k, &p.v}) *x = normal(s.m * s.width(), 1, random);
    for (std::size_t h = 0; h < s.heads; ++h) {
        const std::size_t first = h * s.m * s.d_k;
        const table o = reference::attention(tokens(p.q, h * s.n * s.d_k, s.d_k, s.n), tokens(p.k, first, s.d_k, s.m),
                                             tokens(p.v, first, s.d_k, s.m));
        p.reference.insert(p.reference.end(), o.numbers.begin(), o.numbers.end());
    }
}

}  // namespace

problem make_problem(const shape& s)
{
    problem p{};
    p.shape = s;
    std::mt19937 random(12345);
    switch (s.kind) {
        case shape_kind::layer:
            fill_layer(p, random);
            break;
        case shape_kind::core:
            fill_core(p, random);
            break;
        case shape_kind::decode:
            fill_decode(p, random);
            break;
    }
    return p;
}

void compute_reference(problem& p)
{
    const shape& s = p.shape;
    reference::layer layer;
    for (std::size_t h = 0; h < s.heads; ++h) {
        const std::size_t row = h * s.d_k * s.d_model;
        layer.w_q.push_back(table_of(p.w_q, row, s.d_k, s.d_model, s.d_model, 1));
        layer.w_k.push_back(table_of(p.w_k, row, s.d_k, s.d_model, s.d_model, 1));
        layer.w_v.push_back(table_of(p.w_v, row, s.d_k, s.d_model, s.d_model, 1));
        layer.w_o.push_back(table_of(p.w_o, h * s.d_k, s.d_model, s.d_k, s.width(), 1));
    }
    p.reference = reference::multi_head(layer, tokens(p.x_q, 0, s.d_model, s.n), tokens(p.x_k, 0, s.d_model, s.m),
                                        tokens(p.x_v, 0, s.d_model, s.m))
                      .numbers;
}

double relative_error(const std::vector<double>& reference, const float* result)
{
    double error = 0, magnitude = 0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const double difference = std::abs(static_cast<double>(result[i]) - reference[i]);
        if (!(difference <= error)) error = difference;  // NaN too
        if (std::isnan(difference)) return difference;
        magnitude = std::max(magnitude, std::abs(reference[i]));
    }
    return error / magnitude;
}

}  // namespace bench
