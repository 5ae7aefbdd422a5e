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

/// Decode: W^Q, W^K and W^V below each other, (3 width, d_model), so that one product projects the token.
inline floats stacked_weights(const problem& p)
{
    floats w(p.w_q);
    for (float& e : w) e *= score_scale(p.shape);
    for (const floats* more : {&p.w_k, &p.w_v}) w.insert(w.end(), more->begin(), more->end());
    return w;
}

/// Decode: a cache with the tokens of a head one behind the other, (heads, m, d_k).
inline floats heads_apart(const floats& cache, const shape& s)
{
    floats apart(cache.size());
    for (std::size_t h = 0; h < s.heads; ++h)
        for (std::size_t j = 0; j < s.m; ++j)
            for (std::size_t c = 0; c < s.d_k; ++c) apart[(h * s.m + j) * s.d_k + c] = cache[j * s.width() + h * s.d_k + c];
    return apart;
}

/// Decode: such a cache with each head in panels of so many tokens, in which a number of all tokens is contiguous:
/// (heads, m / panel, d_k, panel).
inline floats in_panels(const floats& cache, const shape& s, std::size_t panel)
{
    floats panels(cache.size());
    for (std::size_t h = 0; h < s.heads; ++h)
        for (std::size_t j = 0; j < s.m; ++j)
            for (std::size_t c = 0; c < s.d_k; ++c)
                panels[((h * (s.m / panel) + j / panel) * s.d_k + c) * panel + j % panel] =
                    cache[j * s.width() + h * s.d_k + c];
    return panels;
}

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
        : q(s.n * s.width()),
          k(s.m * s.width()),
          v(s.m * s.width()),
          o(s.n * s.width()),
          scores(s.n * s.m),
          y(s.kind == shape_kind::core ? s.n * s.width() : s.n * s.d_model)
    {
    }
    floats q, k, v, o, scores, y;
};

}  // namespace bench

#endif
