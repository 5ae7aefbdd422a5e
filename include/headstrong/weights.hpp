// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_WEIGHTS_HPP
#define HEADSTRONG_WEIGHTS_HPP
/// @file
/// The weights of a layer, by name and packed.
///
/// Weights act from the left: y = W x, so W_h^Q is d_k x d_model. Frameworks store the same numbers as row-major arrays
/// (out, in); `from_rows` reads those.

#include "headstrong/checks.hpp"
#include "headstrong/dims.hpp"
#include "headstrong/feature.hpp"
#include "headstrong/kernel/pack.hpp"
#include "headstrong/matrix.hpp"
#include "headstrong/view.hpp"

#include <array>
#include <cstddef>
#include <type_traits>

namespace headstrong {

/// The place of a bias that the layer does not have.
struct no_bias {
    /// Always.
    constexpr bool operator==(const no_bias&) const = default;
};

namespace detail {
template <class T, std::size_t Rows, bool Present>
using bias_or_none = std::conditional_t<Present, matrix<T, Rows, 1>, no_bias>;
}  // namespace detail

/// The weights of a layer of equal heads, by name: an aggregate of matrices, for humans, files and tests. Kind is the head_kind
/// of a layer whose score or features have members of their own (see multi_head::weights_type).
template <class T, dims D, class Kind = no_kind>
struct weights {
    static_assert(rule::checked<(rule::dims_are_valid<D> && rule::holds<rule::numbers_are_float_or_double<T>>)>);

    using value_type = T;             ///< the type of number: float or double
    static constexpr dims sizes = D;  ///< the sizes of the layer

    std::array<matrix<T, D.d_k, D.d_model>, D.heads> w_q;     ///< W_h^Q
    std::array<matrix<T, D.d_k, D.d_key>, D.kv_heads> w_k;    ///< W_h^K
    std::array<matrix<T, D.d_v, D.d_value>, D.kv_heads> w_v;  ///< W_h^V
    std::array<matrix<T, D.d_out, D.d_v>, D.heads> w_o;       ///< W_h^O, so that W^O = [W_1^O ... W_H^O]

    /// Added to W_h^Q Q in every column; a no_bias if D.biases has none.
    std::array<detail::bias_or_none<T, D.d_k, contains(D.biases, bias::q)>, D.heads> b_q = {};
    std::array<detail::bias_or_none<T, D.d_k, contains(D.biases, bias::k)>, D.kv_heads> b_k = {};  ///< likewise for keys
    std::array<detail::bias_or_none<T, D.d_v, contains(D.biases, bias::v)>, D.kv_heads> b_v = {};  ///< likewise for values
    detail::bias_or_none<T, D.d_out, contains(D.biases, bias::o)> b_o = {};  ///< added to every column of the output

    std::array<Kind, D.heads> kinds = {};  ///< parameters of the score and features of each head
};

inline namespace HEADSTRONG_TARGET {
/// A matrix from a row-major array of (Rows, Cols), the way frameworks store a weight (out, in).
template <std::size_t Rows, std::size_t Cols, class T>
[[nodiscard]] constexpr matrix<std::remove_const_t<T>, Rows, Cols> from_rows(T* numbers) noexcept
{
    matrix<std::remove_const_t<T>, Rows, Cols> w;
    for (std::size_t j = 0; j < Cols; ++j)
        for (std::size_t r = 0; r < Rows; ++r) w(r, j) = numbers[r * Cols + j];
    return w;
}
}  // namespace HEADSTRONG_TARGET

/// The extents of packed weights: rows of each projection in whole panels, heads below each other.
struct packed_shape {
    std::size_t d_model;    ///< columns of W^Q
    std::size_t d_key;      ///< columns of W^K
    std::size_t d_value;    ///< columns of W^V
    std::size_t d_out;      ///< rows of W^O, not padded
    std::size_t q_rows;     ///< rows of W^Q, in whole panels
    std::size_t k_rows;     ///< rows of W^K, in whole panels
    std::size_t v_rows;     ///< rows of W^V, in whole panels
    std::size_t o_columns;  ///< columns of W^O, the d_v of all heads
    bias biases;            ///< which biases follow the matrices

    /// Whether there is no W^K, since it is folded into W^Q.
    [[nodiscard]] constexpr bool folded() const noexcept { return k_rows == 0; }
    /// Equal in every extent.
    constexpr bool operator==(const packed_shape&) const = default;
};

/// The weights of a layer as the kernels read them: panels of 16 rows (8 of double), a zero where a panel has no row.
/// One array, the same on every target: it may lie in flash, in a file, or in another program of the same byte order.
template <class T, packed_shape S>
struct packed_weights {
    using value_type = T;                     ///< the type of number: float or double
    static constexpr packed_shape shape = S;  ///< its extents

    static constexpr std::size_t w_q_at = 0;                              ///< where W^Q begins among the values
    static constexpr std::size_t w_k_at = w_q_at + S.q_rows * S.d_model;  ///< where W^K begins
    static constexpr std::size_t w_v_at = w_k_at + S.k_rows * S.d_key;    ///< where W^V begins
    static constexpr std::size_t w_o_at = w_v_at + S.v_rows * S.d_value;  ///< where W^O begins
    /// Where b_q begins, if there is one.
    static constexpr std::size_t b_q_at = w_o_at + detail::padded<T>(S.d_out) * S.o_columns;
    /// Where b_k begins, if there is one.
    static constexpr std::size_t b_k_at = b_q_at + (contains(S.biases, bias::q) ? S.q_rows : 0);
    /// Where b_v begins, if there is one.
    static constexpr std::size_t b_v_at = b_k_at + (contains(S.biases, bias::k) ? S.k_rows : 0);
    /// Where b_o begins, if there is one.
    static constexpr std::size_t b_o_at = b_v_at + (contains(S.biases, bias::v) ? S.v_rows : 0);
    /// How many numbers there are.
    static constexpr std::size_t size = b_o_at + (contains(S.biases, bias::o) ? detail::padded<T>(S.d_out) : 0);

    alignas(64) T values[size];  ///< all numbers
};

}  // namespace headstrong

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// Writes w as rows first_row ... and columns first_column ... of the panels at `values`, whose columns count `depth`.
template <class T, class W>
constexpr void pack_into(T* values, std::size_t depth, const W& w, std::size_t first_row, std::size_t first_column) noexcept
{
    for (std::size_t j = 0; j < W::columns; ++j)
        for (std::size_t r = 0; r < W::rows; ++r)
            values[panel_index<T>(first_row + r, first_column + j, depth)] = w.elements[j * W::rows + r];
}

/// A bias is a column of panels of its own; a missing one takes no place.
template <class T>
constexpr void pack_into(T*, std::size_t, const no_bias&, std::size_t, std::size_t) noexcept
{
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
