// SPDX-License-Identifier: BSL-1.0
#include "block.hpp"

#include <algorithm>
#include <cmath>

namespace conformance {
namespace {

double to_double(float x) { return static_cast<double>(x); }

/// The numbers of `name`_bias, or zeros.
std::vector<float> bias_of(const case_file& file, const std::string& name, std::size_t width)
{
    return file.has(name + "_bias") ? file.numbers<float>(name + "_bias", 1, width) : std::vector<float>(width);
}

/// One token of one head attends: the softmax of the scores of its query q with all keys, and the weighted sum of the values.
void attend(const float* q, const float* k, const float* v, std::size_t stride, std::size_t n, std::size_t d_k, double* weights,
            double* o)
{
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t c = 0; c < d_k; ++c) weights[j] += to_double(q[c]) * to_double(k[j * stride + c]);
        weights[j] /= std::sqrt(static_cast<double>(d_k));
    }
    const double largest = *std::max_element(weights, weights + n);
    double total = 0;
    for (std::size_t j = 0; j < n; ++j) total += weights[j] = std::exp(weights[j] - largest);
    for (std::size_t j = 0; j < n; ++j) {
        weights[j] /= total;
        for (std::size_t c = 0; c < d_k; ++c) o[c] += weights[j] * to_double(v[j * stride + c]);
    }
}

double relu(double x) { return x > 0 ? x : 0; }
double gelu(double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }
double swish(double x) { return x / (1 + std::exp(-x)); }

}  // namespace

std::vector<float> sum(const std::vector<float>& a, const std::vector<float>& b)
{
    std::vector<float> y(a.size());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = a[i] + b[i];
    return y;
}

std::vector<float> layer_norm(const case_file& file, const std::string& name, std::size_t width, const std::vector<float>& x)
{
    const auto weight = file.numbers<float>(name + "_weight", 1, width);
    const auto bias = bias_of(file, name, width);
    const double eps = file.attribute("layer_norm_eps", 1e-5), count = static_cast<double>(width);
    std::vector<float> y(x.size());
    for (std::size_t first = 0; first < x.size(); first += width) {
        double mean = 0, variance = 0;
        for (std::size_t c = 0; c < width; ++c) mean += to_double(x[first + c]) / count;
        for (std::size_t c = 0; c < width; ++c) variance += std::pow(to_double(x[first + c]) - mean, 2) / count;
        for (std::size_t c = 0; c < width; ++c)
            y[first + c] = static_cast<float>(
                (to_double(x[first + c]) - mean) / std::sqrt(variance + eps) * to_double(weight[c]) + to_double(bias[c]));
    }
    return y;
}

std::vector<float> linear(const case_file& file, const std::string& name, std::size_t out, std::size_t in,
                          const std::vector<float>& x)
{
    const auto weight = file.numbers<float>(name + "_weight", out, in);
    const auto bias = bias_of(file, name, out);
    std::vector<float> y(x.size() / in * out);
    for (std::size_t i = 0; i < y.size(); ++i) {
        const float* token = x.data() + i / out * in;
        double total = to_double(bias[i % out]);
        for (std::size_t c = 0; c < in; ++c) total += to_double(weight[i % out * in + c]) * to_double(token[c]);
        y[i] = static_cast<float>(total);
    }
    return y;
}

std::vector<float> activated(const case_file& file, const std::vector<float>& x)
{
    const std::string name = file.text("activation");
    const auto f = name == "relu" ? relu : name == "gelu" ? gelu : name == "swish" ? swish : nullptr;
    if (f == nullptr) throw unusable("activation = " + name);
    std::vector<float> y(x.size());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<float>(f(to_double(x[i])));
    return y;
}

std::vector<float> block(const case_file& file, const block_sizes& s, const std::vector<float>& x,
                         const token_function& attention)
{
    const auto norm = [&](const char* name, const std::vector<float>& tokens) {
        return layer_norm(file, name, s.width, tokens);
    };
    const auto feed_forward = [&](const std::vector<float>& tokens) {
        return linear(file, "linear2", s.width, s.feed_forward,
                      activated(file, linear(file, "linear1", s.feed_forward, s.width, tokens)));
    };
    if (file.attribute("norm_first", 0) != 0) {
        const auto attended = sum(x, attention(norm("norm1", x)));
        return sum(attended, feed_forward(norm("norm2", attended)));
    }
    const auto attended = norm("norm1", sum(x, attention(x)));
    return norm("norm2", sum(attended, feed_forward(attended)));
}

right_heads::right_heads(const std::vector<float>& qkv, std::size_t n, std::size_t heads, std::size_t d_k)
    : outputs(n * heads * d_k), weights(heads * n * n)
{
    const std::size_t e = heads * d_k;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t h = 0; h < heads; ++h) {
            const float* head = qkv.data() + h * d_k;
            attend(head + i * 3 * e, head + e, head + 2 * e, 3 * e, n, d_k, &weights[(h * n + i) * n],
                   &outputs[i * e + h * d_k]);
        }
}

}  // namespace conformance
