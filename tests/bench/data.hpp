// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_BENCH_DATA_HPP
#define HEADSTRONG_BENCH_DATA_HPP
/// @file
/// The numbers that every peer works on.

#include "shapes.hpp"

#include <boost/align/aligned_allocator.hpp>

#include <cstddef>
#include <vector>

namespace bench {

using floats = std::vector<float, boost::alignment::aligned_allocator<float, 64>>;

/// One shape with its inputs and the right result. Tokens stand one behind the other.
struct problem {
    bench::shape shape;
    floats x_q, x_k, x_v;           // layer: n, m, m tokens of d_model numbers; decode: x_k and x_v all tokens, x_q their last
    floats w_q, w_k, w_v, w_o;      // layer: row-major (out, in), heads below each other; w_o is (d_model, H d_k)
    floats k_cache, v_cache;        // decode: m tokens of width numbers, x_k and x_v projected; the last is NaN, to be written
    floats q, k, v;                 // core: head after head, each n, m, m tokens of d_k numbers
    std::vector<double> reference;  // layer: n tokens of d_model numbers; core: laid out as q
};

/// Normally distributed inputs, the same in every run, and their float64 result.
[[nodiscard]] problem make_problem(const shape& s);

/// Of a layer whose inputs or weights were changed.
void compute_reference(problem& p);

/// The largest difference from the reference over its largest magnitude; NaN if a result is NaN.
[[nodiscard]] double relative_error(const std::vector<double>& reference, const float* result);

}  // namespace bench

#endif
