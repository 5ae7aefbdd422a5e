// SPDX-License-Identifier: BSL-1.0
#include "comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace conformance {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double largest_finite(std::span<const double> e)
{
    double largest = 0;
    for (const double x : e)
        if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
    return largest;
}

bool same_kind(double a, double e)
{
    if (std::isnan(a) || std::isnan(e)) return std::isnan(a) && std::isnan(e);
    return std::isinf(a) || std::isinf(e) ? a == e : true;
}

}  // namespace

double relative_error(std::span<const double> a, std::span<const double> e)
{
    if (a.size() != e.size()) return infinity;
    double difference = 0;
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (!same_kind(a[i], e[i])) return infinity;
        if (std::isfinite(e[i])) difference = std::max(difference, std::abs(a[i] - e[i]));
    }
    return difference == 0 ? 0 : difference / largest_finite(e);
}

double relative_error(std::span<const float> a, std::span<const double> e)
{
    return relative_error(std::vector<double>(a.begin(), a.end()), e);
}

// The rule: our error may be twice that of the other implementation or, if that is more, the sum of what float makes
// unavoidable. (The other implementation is sometimes nearer than float can promise, by luck, and then twice its error
// would fail a right result.)
// - 6 eps for the roundings of projection, scores, weighted sum and output projection. Sums are chains of at most 128
//   multiply-adds, so their length hardly matters.
// - A score s lies on a step of eps |s|, and the weights change by that factor, so eps |s| more. At 1e-3 this ends: scores that
//   large leave one key to each query, with a weight of exactly 1.
// - Results near the smallest float, 2^-149: each addition rounds to a multiple of it, so k of them stray by about
//   sqrt(k) / 2 of it, whatever the size of the result.
// - A framework whose result is not of the same kind, such as NaN for a number, gives no allowance.
double error_limit(double framework, std::span<const double> expected, const difficulty& d)
{
    const double eps = d.in_double ? 0x1p-52 : 0x1p-23, smallest = d.in_double ? 0x1p-1074 : 0x1p-149;
    const double largest = largest_finite(expected);
    const double roundings = 6 * eps;
    const double scores = std::min(eps * d.max_abs_score, 1e-3);
    const double denormals = largest > 0 ? std::sqrt(static_cast<double>(d.additions)) / 2 * smallest / largest : 0;
    return std::max(std::isfinite(framework) ? 2 * framework : 0, roundings + scores + denormals);
}

check compare(std::string tensor, std::span<const double> ours, std::span<const double> framework,
              std::span<const double> expected, const difficulty& d)
{
    check c;
    c.tensor = std::move(tensor);
    c.ours = relative_error(ours, expected);
    c.framework = relative_error(framework, expected);
    c.limit = error_limit(c.framework, expected, d);
    c.ordinary = d.max_abs_score < 100 && (largest_finite(expected) == 0 || largest_finite(expected) > 1e-30);
    return c;
}

check compare(std::string tensor, std::span<const float> ours, std::span<const float> framework,
              std::span<const double> expected, const difficulty& d)
{
    return compare(std::move(tensor), std::vector<double>(ours.begin(), ours.end()),
                   std::vector<double>(framework.begin(), framework.end()), expected, d);
}

check equal(std::string tensor, std::span<const double> ours, std::span<const double> framework)
{
    check c;
    c.tensor = std::move(tensor);
    c.ours = relative_error(ours, framework);
    c.ordinary = false;
    return c;
}

}  // namespace conformance
