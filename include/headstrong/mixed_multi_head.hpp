// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_MIXED_MULTI_HEAD_HPP
#define HEADSTRONG_MIXED_MULTI_HEAD_HPP
/// @file
/// Multi-head attention whose heads differ in d_k, d_v or score.

#include "headstrong/basic_multi_head.hpp"
#include "headstrong/checks.hpp"
#include "headstrong/heads.hpp"
#include "headstrong/weights.hpp"

#include <cstddef>

namespace headstrong {

/// The sizes of a layer that its heads have in common.
struct widths {
    std::size_t d_model;            ///< rows of Q
    std::size_t d_key = d_model;    ///< rows of K
    std::size_t d_value = d_model;  ///< rows of V
    std::size_t d_out = d_model;    ///< rows of the output
    bias biases = bias::none;       ///< which projections add a bias

    /// Equal in every width.
    constexpr bool operator==(const widths&) const = default;
};

/// The weights of one head by name.
template <class T, widths W, class Head>
struct head_weights {
    matrix<T, Head::d_k, W.d_model> w_q;  ///< W_h^Q
    matrix<T, Head::d_k, W.d_key> w_k;    ///< W_h^K
    matrix<T, Head::d_v, W.d_value> w_v;  ///< W_h^V
    matrix<T, W.d_out, Head::d_v> w_o;    ///< W_h^O

    /// Added to W_h^Q Q in every column; a no_bias if W.biases has none.
    detail::bias_or_none<T, Head::d_k, contains(W.biases, bias::q)> b_q = {};
    detail::bias_or_none<T, Head::d_k, contains(W.biases, bias::k)> b_k = {};  ///< likewise for keys
    detail::bias_or_none<T, Head::d_v, contains(W.biases, bias::v)> b_v = {};  ///< likewise for values

    [[no_unique_address]] typename Head::kind kind{};  ///< parameters of its score and features
};

/// The weights of a layer of mixed heads: `heads` is a Hana tuple, so w.heads[1_c].w_q is W_2^Q.
template <class T, widths W, class... Heads>
struct mixed_weights {
    using value_type = T;  ///< the type of number: float or double

    boost::hana::tuple<head_weights<T, W, Heads>...> heads;  ///< the weights of each head
    /// Added to every column of the output; a no_bias if W.biases has none.
    detail::bias_or_none<T, W.d_out, contains(W.biases, bias::o)> b_o = {};
};

namespace detail {

template <class T, class... Heads>
using mixed_runs = runs<T, run<Heads, 1, 1>...>;

template <class T, widths W, class... Heads>
inline constexpr packed_shape packed_shape_of_mixed{W.d_model,
                                                    W.d_key,
                                                    W.d_value,
                                                    W.d_out,
                                                    mixed_runs<T, Heads...>::end.q_row,
                                                    mixed_runs<T, Heads...>::end.k_row,
                                                    mixed_runs<T, Heads...>::end.v_row,
                                                    mixed_runs<T, Heads...>::end.o_column,
                                                    W.biases};

inline namespace HEADSTRONG_TARGET {
template <class T, widths W, class... Heads>
[[nodiscard]] constexpr auto pack(const mixed_weights<T, W, Heads...>& w) noexcept
{
    using packed = packed_weights<T, packed_shape_of_mixed<T, W, Heads...>>;
    packed p{};
    std::size_t i = 0;
    boost::hana::for_each(w.heads, [&](const auto& head) {
        const run_place at = mixed_runs<T, Heads...>::places[i++];
        pack_into(p.values + packed::w_q_at, W.d_model, head.w_q, at.q_row, 0);
        pack_into(p.values + packed::w_k_at, W.d_key, head.w_k, at.k_row, 0);
        pack_into(p.values + packed::w_v_at, W.d_value, head.w_v, at.v_row, 0);
        pack_into(p.values + packed::w_o_at, packed::shape.o_columns, head.w_o, 0, at.o_column);
        pack_into(p.values + packed::b_q_at, 1, head.b_q, at.q_row, 0);
        pack_into(p.values + packed::b_k_at, 1, head.b_k, at.k_row, 0);
        pack_into(p.values + packed::b_v_at, 1, head.b_v, at.v_row, 0);
    });
    pack_into(p.values + packed::b_o_at, 1, w.b_o, 0, 0);
    return p;
}

/// The kinds of the heads as their runs keep them.
template <class T, widths W, class... Heads>
[[nodiscard]] constexpr auto kinds_of(const mixed_weights<T, W, Heads...>& w) noexcept
{
    typename mixed_runs<T, Heads...>::kinds all{};
    if constexpr (mixed_runs<T, Heads...>::have_kinds)
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            [[maybe_unused]] const auto keep_one = [](auto& kept, const auto& kind) {
                if constexpr (requires { kept.kinds[0]; }) kept.kinds[0] = kind;
            };
            (keep_one(boost::hana::at_c<I>(all), boost::hana::at_c<I>(w.heads).kind), ...);
        }(std::index_sequence_for<Heads...>{});
    return all;
}
}  // namespace HEADSTRONG_TARGET

}  // namespace detail

/// A layer whose heads are listed: `mixed_multi_head<float, widths{.d_model = 32}, head<4, 8>, head<8, 8, dot>>`. Called like
/// multi_head and, with equal heads, giving its bits.
template <class T, widths W, class... Heads>
class mixed_multi_head
    : public basic_multi_head<T, detail::packed_shape_of_mixed<T, W, Heads...>, detail::mixed_runs<T, Heads...>> {
    static_assert(rule::checked<
                  ((rule::holds<rule::mixed_layer_has_a_head<sizeof...(Heads)>>)
                   && (rule::holds<rule::numbers_are_float_or_double<T>, rule::widths_are_positive<W.d_key, W.d_value, W.d_out>,
                                   rule::at_least_one_head<W.d_model, sizeof...(Heads)>,
                                   rule::head_size_given_or_divides<W.d_model, 1, Heads::d_k, Heads::d_v>...>))>);
    using base = basic_multi_head<T, detail::packed_shape_of_mixed<T, W, Heads...>, detail::mixed_runs<T, Heads...>>;

public:
    static constexpr widths sizes = W;                   ///< the sizes that its heads have in common
    using weights_type = mixed_weights<T, W, Heads...>;  ///< the weights by name

    /// Packs weights: a constexpr layer is packed by the compiler.
    HEADSTRONG_INLINE constexpr explicit mixed_multi_head(const weights_type& w) noexcept
        : base{detail::pack(w), detail::kinds_of(w)}
    {
    }
    /// Of weights that are packed already; what heads keep beside them, if they do, is all 0.
    HEADSTRONG_INLINE constexpr explicit mixed_multi_head(const typename base::packed_type& p) noexcept : base{p, {}} {}
};

}  // namespace headstrong

#endif
