// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_FORMS_HPP
#define HEADSTRONG_FORMS_HPP
/// @file
/// Multi-head attention in the forms in which papers write it, from weights by name, matrix by matrix: for study and for
/// tests. The layer multi_head computes the same without the matrices in between.

#include "headstrong/attention.hpp"
#include "headstrong/linear.hpp"
#include "headstrong/weights.hpp"

#include <cstddef>
#include <type_traits>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

template <class W, class X, class B>
[[nodiscard]] constexpr auto projected(const W& w, const X& x, const B& b) noexcept
{
    if constexpr (std::is_same_v<B, no_bias>) return multiply(w, x);
    else return affine(w, x, b);
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

namespace headstrong::inline HEADSTRONG_TARGET {

/// head_h = Attention(W_h^Q Q, W_h^K K, W_h^V V), with the biases that the weights have.
/// @par Shapes
///   Q [d_model x n], K [d_key x m], V [d_value x m], head_h [d_v x n]; h counts from 0
/// @par Numerics
///   the bits of that head in multi_head by the direct plan
/// @par Cost
///   the projected matrices lie on the stack
template <class T, dims D, matrix_like Q, matrix_like K, matrix_like V, class Score = scaled_dot>
[[nodiscard]] constexpr auto head_h(const weights<T, D>& w, std::size_t h, const Q& q, const K& k, const V& v,
                                    const Score& score = {}) noexcept
{
    const std::size_t kv = h / (D.heads / D.kv_heads);
    return attention(detail::projected(w.w_q[h], q, w.b_q[h]), detail::projected(w.w_k[kv], k, w.b_k[kv]),
                     detail::projected(w.w_v[kv], v, w.b_v[kv]), score);
}

/// [head_1; ...; head_H]: the outputs of all heads below each other, [H d_v x n].
template <class T, dims D, matrix_like Q, matrix_like K, matrix_like V, class Score = scaled_dot>
[[nodiscard]] constexpr auto stacked_heads(const weights<T, D>& w, const Q& q, const K& k, const V& v,
                                           const Score& score = {}) noexcept
{
    matrix<T, D.heads * D.d_v, detail::view_of<const Q>::columns> y;
    for (std::size_t h = 0; h < D.heads; ++h) {
        const auto one = head_h(w, h, q, k, v, score);
        for (std::size_t i = 0; i < y.columns; ++i)
            for (std::size_t r = 0; r < D.d_v; ++r) y(h * D.d_v + r, i) = one(r, i);
    }
    return y;
}

/// W^O = [W_1^O ... W_H^O], [d_out x H d_v].
template <class T, dims D>
[[nodiscard]] constexpr auto w_o_of(const weights<T, D>& w) noexcept
{
    matrix<T, D.d_out, D.heads * D.d_v> y;
    for (std::size_t c = 0; c < y.columns; ++c)
        for (std::size_t r = 0; r < D.d_out; ++r) y(r, c) = w.w_o[c / D.d_v](r, c % D.d_v);
    return y;
}

/// MultiHead(Q, K, V) = W^O [head_1; ...; head_H] + b_o: one long sum, so equal to multi_head up to rounding.
template <class T, dims D, matrix_like Q, matrix_like K, matrix_like V, class Score = scaled_dot>
[[nodiscard]] constexpr auto multi_head_as_product(const weights<T, D>& w, const Q& q, const K& k, const V& v,
                                                   const Score& score = {}) noexcept
{
    return detail::projected(w_o_of(w), stacked_heads(w, q, k, v, score), w.b_o);
}

/// MultiHead(Q, K, V) = b_o + sum_h W_h^O head_h, each term rounded before it is added: the bits of multi_head by
/// the direct plan.
template <class T, dims D, matrix_like Q, matrix_like K, matrix_like V, class Score = scaled_dot>
[[nodiscard]] constexpr auto multi_head_as_sum(const weights<T, D>& w, const Q& q, const K& k, const V& v,
                                               const Score& score = {}) noexcept
{
    auto y = detail::projected(w.w_o[0], head_h(w, 0, q, k, v, score), w.b_o);
    for (std::size_t h = 1; h < D.heads; ++h) {
        const auto term = multiply(w.w_o[h], head_h(w, h, q, k, v, score));
        for (std::size_t e = 0; e < y.span().size(); ++e) y.elements[e] = y.elements[e] + term.elements[e];
    }
    return y;
}

/// The weights of the layer that first applies W_Q, W_K and W_V to its inputs: MultiHead(W_Q Q, W_K K, W_V V) with the one
/// equals MultiHead(Q, K, V) with the other, up to rounding.
template <class T, dims D, matrix_like WQ, matrix_like WK, matrix_like WV>
[[nodiscard]] constexpr auto fold(const weights<T, D>& w, const WQ& inner_q, const WK& inner_k, const WV& inner_v) noexcept
{
    constexpr dims folded{.d_model = detail::view_of<const WQ>::columns,
                          .heads = D.heads,
                          .d_k = D.d_k,
                          .d_v = D.d_v,
                          .d_key = detail::view_of<const WK>::columns,
                          .d_value = detail::view_of<const WV>::columns,
                          .d_out = D.d_out,
                          .kv_heads = D.kv_heads,
                          .biases = D.biases};
    weights<T, folded> y{.w_q = {}, .w_k = {}, .w_v = {}, .w_o = w.w_o, .b_q = w.b_q, .b_k = w.b_k, .b_v = w.b_v, .b_o = w.b_o};
    for (std::size_t h = 0; h < D.heads; ++h) y.w_q[h] = fold(w.w_q[h], inner_q);
    for (std::size_t h = 0; h < D.kv_heads; ++h) {
        y.w_k[h] = fold(w.w_k[h], inner_k);
        y.w_v[h] = fold(w.w_v[h], inner_v);
    }
    return y;
}

}  // namespace headstrong::inline HEADSTRONG_TARGET

#endif
