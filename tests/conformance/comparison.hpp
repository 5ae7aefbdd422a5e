// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_CONFORMANCE_COMPARISON_HPP
#define HEADSTRONG_TESTS_CONFORMANCE_COMPARISON_HPP
/// @file
/// How far results are from the right ones, and how far they may be.

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace conformance {

/// max |a - e| / max |e| over the finite elements. Infinity if an element is NaN, +infinity or -infinity in one of the
/// two and not in the other, or if their sizes differ.
[[nodiscard]] double relative_error(std::span<const double> a, std::span<const double> e);
[[nodiscard]] double relative_error(std::span<const float> a, std::span<const double> e);

/// What is known about a case beside its numbers.
struct difficulty {
    double max_abs_score = 0;   ///< the largest |score|
    std::size_t additions = 0;  ///< in the sums that a number of the result passes through: value, weighted sum, output
    bool in_double = false;     ///< whether we compute in double
};

/// The relative error that our result may have, given that of the other implementation.
[[nodiscard]] double error_limit(double framework, std::span<const double> expected, const difficulty& d);

/// One result, compared.
struct check {
    std::string tensor;
    double ours = 0;
    double framework = 0;
    std::optional<double> fused;  ///< the error of the framework's second code path
    double limit = 0;
    bool ordinary = true;  ///< no large scores, no denormal results, nothing that only one of the two computes
    std::string note;

    [[nodiscard]] bool passed() const { return ours <= limit; }
};

/// Compares our result and the framework's with the right one.
[[nodiscard]] check compare(std::string tensor, std::span<const double> ours, std::span<const double> framework,
                            std::span<const double> expected, const difficulty& d);
[[nodiscard]] check compare(std::string tensor, std::span<const float> ours, std::span<const float> framework,
                            std::span<const double> expected, const difficulty& d);

/// Our result must be the framework's, bit for bit but for the sign of 0.
[[nodiscard]] check equal(std::string tensor, std::span<const double> ours, std::span<const double> framework);

}  // namespace conformance

#endif
