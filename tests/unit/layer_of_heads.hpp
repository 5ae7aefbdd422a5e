// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_UNIT_LAYER_OF_HEADS_HPP
#define HEADSTRONG_TESTS_UNIT_LAYER_OF_HEADS_HPP
/// @file
/// A layer in double whose heads do anything between projection and output.

#include "compare.hpp"
#include "reference/reference.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace unit {

/// sum_h W_h^O head(h, W_h^Q Q + b_q, W_h^K K + b_k, W_h^V V + b_v) + b_o
template <class Head>
reference::table layer_of_heads(const reference::layer& w, const reference::table& q, const reference::table& k,
                                const reference::table& v, Head head)
{
    using reference::affine, reference::bias_of;
    reference::table y(w.w_o[0].rows, q.columns);
    for (std::size_t e = 0; e < y.numbers.size(); ++e) y.numbers[e] = w.b_o.empty() ? 0 : w.b_o[e % y.rows];
    for (std::size_t h = 0; h < w.heads(); ++h) {
        const std::size_t kv = w.kv_head(h);
        const reference::table o = head(h, affine(w.w_q[h], q, bias_of(w.b_q, h)), affine(w.w_k[kv], k, bias_of(w.b_k, kv)),
                                        affine(w.w_v[kv], v, bias_of(w.b_v, kv)));
        const auto share = affine(w.w_o[h], o);
        for (std::size_t e = 0; e < y.numbers.size(); ++e) y.numbers[e] += share.numbers[e];
    }
    return y;
}

/// Softmax of each column with one more term exp(logit) in the denominator.
inline reference::table softmax_with_sink(const reference::table& scores, double logit)
{
    reference::table more(scores.rows + 1, scores.columns);
    for (std::size_t i = 0; i < scores.columns; ++i) {
        for (std::size_t j = 0; j < scores.rows; ++j) more(j, i) = scores(j, i);
        more(scores.rows, i) = logit;
    }
    const auto weights = reference::softmax(more);
    reference::table y(scores.rows, scores.columns);
    for (std::size_t i = 0; i < scores.columns; ++i)
        for (std::size_t j = 0; j < scores.rows; ++j) y(j, i) = weights(j, i);
    return y;
}

/// x with one more column.
inline reference::table with_column(reference::table x, const std::vector<double>& column)
{
    x.numbers.insert(x.numbers.end(), column.begin(), column.end());
    ++x.columns;
    return x;
}

/// Scores with -infinity where sees(i, j) is false.
template <class F>
reference::table masked(reference::table scores, F sees)
{
    for (std::size_t i = 0; i < scores.columns; ++i)
        for (std::size_t j = 0; j < scores.rows; ++j)
            if (!sees(i, j)) scores(j, i) = -std::numeric_limits<double>::infinity();
    return scores;
}

}  // namespace unit

#endif
