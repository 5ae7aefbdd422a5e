// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_FOLDED_MULTI_HEAD_HPP
#define HEADSTRONG_FOLDED_MULTI_HEAD_HPP
/// @file
/// Multi-head attention whose projections are folded when its weights are packed.

#include "headstrong/basic_multi_head.hpp"
#include "headstrong/checks.hpp"
#include "headstrong/linear.hpp"
#include "headstrong/multi_head.hpp"
#include "headstrong/weights.hpp"

#include <cstddef>
#include <type_traits>

namespace headstrong {
namespace detail {

/// The rows of keys and values that a folded layer multiplies: those of the tokens, and one of ones for a bias.
template <dims D>
inline constexpr std::size_t folded_key_rows = D.d_key + (contains(D.biases, bias::k) ? 1 : 0);
template <dims D>
inline constexpr std::size_t folded_value_rows = D.d_value + (contains(D.biases, bias::v) ? 1 : 0);

/// An inner product whose scale is folded into the weights.
template <class Score>
struct folded_score {
    template <class T, std::size_t>
    [[nodiscard]] HEADSTRONG_INLINE static constexpr T scale() noexcept
    {
        return T{1};
    }
    template <class T>
    [[nodiscard]] HEADSTRONG_INLINE static constexpr T cap() noexcept
        requires capped_score<Score>
    {
        return Score::template cap<T>();
    }
};

template <class T, dims D, class Score, class... Features>
using folded_heads =
    runs<T, run<head<folded_key_rows<D>, folded_value_rows<D>, folded_score<Score>, Features...>, D.heads, D.heads>>;

/// W^Q has (W_h^K)^T W_h^Q for each head, in whole panels.
template <class T, dims D>
inline constexpr packed_shape folded_shape_of{
    D.d_model,
    D.d_key,
    D.d_value,
    D.d_out,
    D.heads* padded<T>(folded_key_rows<D>),
    0,
    0,
    D.heads* folded_value_rows<D>,
    (contains(D.biases, bias::q) ? bias::q : bias::none) | (contains(D.biases, bias::o) ? bias::o : bias::none)};

inline namespace HEADSTRONG_TARGET {

/// w, with the bias as one more column if there is one.
template <std::size_t Columns, class T, std::size_t Rows, std::size_t WeightColumns, class Bias>
[[nodiscard]] constexpr matrix<T, Rows, Columns> beside(const matrix<T, Rows, WeightColumns>& w,
                                                        [[maybe_unused]] const Bias& b) noexcept
{
    matrix<T, Rows, Columns> all;
    for (std::size_t i = 0; i < Rows * WeightColumns; ++i) all.elements[i] = w.elements[i];
    if constexpr (Columns > WeightColumns)
        for (std::size_t r = 0; r < Rows; ++r) all(r, WeightColumns) = b.elements[r];
    return all;
}

template <class M, class T>
constexpr void scale_by(M& w, T factor) noexcept
{
    for (T& one : w.elements) one = fma(one, factor, T{0});
}

/// Weights by name, folded, into panels.
template <class T, dims D, class Score, class Kind>
[[nodiscard]] constexpr packed_weights<T, folded_shape_of<T, D>> pack_folded(const weights<T, D, Kind>& w) noexcept
{
    using packed = packed_weights<T, folded_shape_of<T, D>>;
    constexpr std::size_t rows = padded<T>(folded_key_rows<D>), d_v = folded_value_rows<D>;
    packed p{};
    for (std::size_t h = 0; h < D.heads; ++h) {
        const std::size_t kv = h / (D.heads / D.kv_heads);
        const T scale = [&] {
            if constexpr (std::is_base_of_v<Score, Kind>) return query_scale<T, D.d_k>(static_cast<const Score&>(w.kinds[h]));
            else return query_scale<T, D.d_k>(Score{});
        }();
        const auto w_k = beside<folded_key_rows<D>>(w.w_k[kv], w.b_k[kv]);
        auto w_qk = fold(transposed(w_k), w.w_q[h]);
        scale_by(w_qk, scale);
        pack_into(p.values + packed::w_q_at, D.d_model, w_qk, h * rows, 0);
        if constexpr (contains(D.biases, bias::q)) {
            auto b_qk = fold(transposed(w_k), w.b_q[h]);
            scale_by(b_qk, scale);
            pack_into(p.values + packed::b_q_at, 1, b_qk, h * rows, 0);
        }
        pack_into(p.values + packed::w_o_at, D.heads * d_v, fold(w.w_o[h], beside<d_v>(w.w_v[kv], w.b_v[kv])), 0, h * d_v);
    }
    pack_into(p.values + packed::b_o_at, 1, w.b_o, 0, 0);
    return p;
}

/// The features of a kind, its score being folded.
struct kept_with_folded_score {
    template <class Score, class... Features>
    [[nodiscard]] HEADSTRONG_INLINE constexpr head_kind<folded_score<Score>, Features...> operator()(
        const head_kind<Score, Features...>& kind) const noexcept
    {
        return {folded_score<Score>{}, static_cast<const Features&>(kind)...};
    }
};

}  // namespace HEADSTRONG_TARGET
}  // namespace detail

/// A layer of equal heads with two matrices a head in place of four: (W_h^K)^T W_h^Q, scaled, and W_h^O W_h^V, which are
/// multiplied when the weights are packed. Keys and values are the tokens as they come. Where folding_pays, a call costs less
/// than that of a multi_head of the same weights; it rounds differently, and is called the same way.
/// @par Equation
///   (2) of README's notation, its linear maps composed:
///   @f[ Y = b_o + \sum_h (W_h^O W_h^V) V \, Softmax(K^T ((W_h^K)^T W_h^Q) Q / \sqrt{d_k}) @f]
///   biases are a column more of the folded matrices and a row of ones below K and V
/// @par Numerics
///   the same bits everywhere; each folded matrix is rounded once more than the weights
/// @par Errors
///   a score that is no inner product, a rotation, norm or appended token: one sentence, see Troubleshooting in README.md
/// @par Cost
///   cost<n, m>(); H (d_key d_model + d_out d_value) numbers of weights
template <class T, dims D, class Score = scaled_dot, class... Features>
class folded_multi_head
    : public basic_multi_head<T, detail::folded_shape_of<T, D>, detail::folded_heads<T, D, Score, Features...>> {
    using kind = typename head<D.d_k, D.d_v, Score, Features...>::kind;
    static_assert(
        rule::checked<
            (rule::dims_are_valid<D>
             && rule::holds<rule::numbers_are_float_or_double<T>, rule::folding_serves_the_heads<kind::can_be_absorbed>>)>);
    using run_types = detail::folded_heads<T, D, Score, Features...>;
    using base = basic_multi_head<T, detail::folded_shape_of<T, D>, run_types>;

public:
    static constexpr dims sizes = D;                                 ///< the sizes of the layer
    using weights_type = weights<T, D, detail::kind_or_none<kind>>;  ///< the weights by name, as those of a multi_head

    /// Folds and packs weights: a constexpr layer is folded by the compiler.
    HEADSTRONG_INLINE constexpr explicit folded_multi_head(const weights_type& w) noexcept
        : base{detail::pack_folded<T, D, Score>(w), detail::kinds_of<run_types>(w.kinds, detail::kept_with_folded_score{})}
    {
    }
    /// Of weights that are packed already, and what the heads keep beside them.
    HEADSTRONG_INLINE constexpr explicit folded_multi_head(const typename base::packed_type& p,
                                                           const typename run_types::kinds& k = {}) noexcept
        : base{p, k}
    {
    }
};

/// Whether a folded_multi_head of these sizes takes at most nine tenths of the multiply-adds of a multi_head, in calls with N
/// queries and M keys: where d_k is not small beside d_key and the keys are not many beside d_k.
template <dims D, std::size_t N, std::size_t M>
inline constexpr bool folding_pays = 10 * folded_multi_head<float, D>::template cost<N, M>().multiply_adds
                                     <= 9 * multi_head<float, D>::template cost<N, M>().multiply_adds;

}  // namespace headstrong

#endif
