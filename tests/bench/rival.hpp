// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_BENCH_RIVAL_HPP
#define HEADSTRONG_BENCH_RIVAL_HPP
/// @file
/// What the hand-put-together rivals share: weights made ready beforehand, and sizes as they want them.

#include "data.hpp"

#include <cmath>
#include <cstddef>

namespace bench {

/// The (columns, rows) array factor x^T of a (rows, columns) array x.
inline floats transposed(const floats& x, std::size_t rows, std::size_t columns, float factor = 1.0f)
{
    floats y(x.size());
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c) y[c * rows + r] = factor * x[r * columns + c];
    return y;
}

/// 1 / sqrt(d_k), folded into the query weights where there are some.
inline float score_scale(const shape& s) { return 1.0f / std::sqrt(static_cast<float>(s.d_k)); }

/// The sizes of a shape as C libraries take them.
struct int_sizes {
    explicit int_sizes(const shape& s)
        : d_model(static_cast<int>(s.d_model)),
          heads(static_cast<int>(s.heads)),
          d_k(static_cast<int>(s.d_k)),
          n(static_cast<int>(s.n)),
          m(static_cast<int>(s.m)),
          width(heads * d_k)
    {
    }
    int d_model, heads, d_k, n, m, width;
};

/// Intermediate results: a token is `width` numbers in the first three.
struct rival_memory {
    explicit rival_memory(const shape& s)
        : q(s.n * s.width()), k(s.m * s.width()), v(s.m * s.width()), o(s.n * s.width()), scores(s.n * s.m),
          y(s.kind == shape_kind::core ? s.n * s.width() : s.n * s.d_model)
    {
    }
    floats q, k, v, o, scores, y;
};

}  // namespace bench

#endif
