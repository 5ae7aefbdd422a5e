// SPDX-License-Identifier: BSL-1.0
#include "block.hpp"

#include <algorithm>
#include <cmath>

namespace conformance {
namespace {

double to_double(float x) { return static_cast<double>(x); }

/// One token of one head attends: scores of its query q with all keys, their softmax, the weighted sum of the values.
void attend(const float* q, const float* k, const float* v, std::size_t stride, std::size_t n, std::size_t d_k, double* o)
{
    std::vector<double> weights(n);
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t c = 0; c < d_k; ++c) weights[j] += to_double(q[c]) * to_double(k[j * stride + c]);
        weights[j] /= std::sqrt(static_cast<double>(d_k));
    }
    const double largest = *std::max_element(weights.begin(), weights.end());
    double total = 0;
    for (double& w : weights) total += w = std::exp(w - largest);
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t c = 0; c < d_k; ++c) o[c] += weights[j] / total * to_double(v[j * stride + c]);
}

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
    const auto bias = file.numbers<float>(name + "_bias", 1, width);
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
    const auto bias = file.numbers<float>(name + "_bias", 1, out);
    std::vector<float> y(x.size() / in * out);
    for (std::size_t i = 0; i < y.size(); ++i) {
        const float* token = x.data() + i / out * in;
        double total = to_double(bias[i % out]);
        for (std::size_t c = 0; c < in; ++c) total += to_double(weight[i % out * in + c]) * to_double(token[c]);
        y[i] = static_cast<float>(total);
    }
    return y;
}

std::vector<float> swish(const std::vector<float>& x)
{
    std::vector<float> y(x.size());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<float>(to_double(x[i]) / (1 + std::exp(-to_double(x[i]))));
    return y;
}

std::vector<double> right_heads(const std::vector<float>& qkv, std::size_t n, std::size_t heads, std::size_t d_k)
{
    const std::size_t e = heads * d_k;
    std::vector<double> o(n * e);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t h = 0; h < heads; ++h) {
            const float* head = qkv.data() + h * d_k;
            attend(head + i * 3 * e, head + e, head + 2 * e, 3 * e, n, d_k, &o[i * e + h * d_k]);
        }
    return o;
}

}  // namespace conformance
