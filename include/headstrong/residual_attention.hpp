// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_RESIDUAL_ATTENTION_HPP
#define HEADSTRONG_RESIDUAL_ATTENTION_HPP
/// @file
/// The residual form of mathematical papers.

#include "headstrong/checks.hpp"
#include "headstrong/layer/direct.hpp"
#include "headstrong/multi_head.hpp"
#include "headstrong/weights.hpp"

#include <array>
#include <cstddef>

namespace headstrong {

/// The weights of the residual form: W_h^V is square, there is no W^O.
template <class T, dims D>
struct residual_weights {
    static_assert(
        rule::checked<(rule::dims_are_valid<D>
                       && rule::holds<rule::numbers_are_float_or_double<T>,
                                      rule::residual_form_is_square<D.d_model, D.d_v, D.d_key, D.d_value, D.d_out>>)>);

    using value_type = T;  ///< the type of number: float or double

    std::array<matrix<T, D.d_k, D.d_model>, D.heads> w_q;         ///< W_h^Q
    std::array<matrix<T, D.d_k, D.d_model>, D.kv_heads> w_k;      ///< W_h^K
    std::array<matrix<T, D.d_model, D.d_model>, D.kv_heads> w_v;  ///< W_h^V, square
};

namespace detail::inline HEADSTRONG_TARGET {

/// Y = X + sum of the heads' outputs, in order.
template <lanes L, class Runs, packed_shape S, class X, class Y, class Options>
constexpr void residual_into(const packed_weights<typename L::value_type, S>& w, X x, Y y, typename L::value_type* scratch,
                             const Options& options)
{
    for (std::size_t i = 0; i < X::columns; ++i)
        for (std::size_t r = 0; r < X::rows; ++r) y(r, i) = x(r, i);
    Runs::for_each({}, [&](auto run, const auto& kinds) HEADSTRONG_INLINE {
        walk_directly<L, Runs::heads, decltype(run)>(w, kinds, x, x, x, scratch, options,
                                                     [&](auto o, std::size_t first, std::size_t) {
                                                         for (std::size_t i = 0; i < o.columns; ++i)
                                                             for (std::size_t row = 0; row < o.rows; ++row)
                                                                 y(row, first + i) = sum_of(y(row, first + i), o(row, i));
                                                     });
    });
}

}  // namespace detail::inline HEADSTRONG_TARGET

/// Attention as mathematical papers write it ("A mathematical perspective on transformers", Geshkovski et al., 2023, and
/// others): residual, with the inner product as score and without an output projection.
/// @par Equation
///   @f[ Y = X + \sum_h (W_h^V X) \, Softmax[(W_h^K X)^T (W_h^Q X)] @f]
/// @par Shapes
///   X, Y [d_model x n]; dims has d_v = d_model
/// @par Numerics
///   the same bits everywhere; X and the heads are added in order
/// @par Edge cases
///   NaN in X reaches every column, since every column is a key; y must not overlap x
/// @par Cost
///   n (heads d_model d_k + kv_heads d_model (d_k + d_model)) + n^2 heads (d_k + d_model) multiply-adds, n^2 heads exp
template <class T, dims D, class Score = dot, class... Features>
class residual_attention {
    static_assert(rule::checked<(rule::holds<rule::residual_form_is_square<D.d_model, D.d_v, D.d_key, D.d_value, D.d_out>>)>);
    static constexpr packed_shape shape{D.d_model,
                                        D.d_model,
                                        D.d_model,
                                        D.d_model,
                                        detail::padded<T>(D.heads* D.d_k),
                                        detail::padded<T>(D.kv_heads* D.d_k),
                                        detail::padded<T>(D.kv_heads* D.d_v),
                                        0,
                                        bias::none};
    using heads = detail::equal_heads<T, D, Score, Features...>;
    static_assert(!heads::have_kinds,
                  "the residual form keeps nothing for its heads: its score and features are empty types, whose constants "
                  "are part of the type");

public:
    using value_type = T;                         ///< the type of number: float or double
    using weights_type = residual_weights<T, D>;  ///< the weights by name

    /// Scratch memory of one call with n tokens; its contents mean nothing between calls.
    template <std::size_t N>
    struct workspace {
        /// Scratch memory, aligned to 64 bytes.
        alignas(64) T values[detail::scratch_size<T, shape, heads, N, N>(plan_kind::direct)];
    };

    packed_weights<T, shape> packed;  ///< the weights

    /// Packs weights: a constexpr layer is packed by the compiler.
    HEADSTRONG_INLINE constexpr explicit residual_attention(const weights_type& w) noexcept : packed{}
    {
        using place = packed_weights<T, shape>;
        for (std::size_t h = 0; h < D.heads; ++h)
            detail::pack_into(packed.values + place::w_q_at, D.d_model, w.w_q[h], h * D.d_k, 0);
        for (std::size_t h = 0; h < D.kv_heads; ++h) {
            detail::pack_into(packed.values + place::w_k_at, D.d_model, w.w_k[h], h * D.d_k, 0);
            detail::pack_into(packed.values + place::w_v_at, D.d_model, w.w_v[h], h * D.d_v, 0);
        }
    }

    /// Y into memory of the caller, with scratch memory of the caller; options as for multi_head.
    template <class Target = native_target, matrix_like X, matrix_like Y, class Workspace, class... Options>
    constexpr void operator()(const X& x, Y&& y, Workspace& scratch, const Options&... options) const noexcept
    {
        using input = detail::view_of<const X>;
        using output = detail::view_of<Y>;
        if constexpr (rule::holds<
                          rule::query_has_d_model_rows<input::rows, D.d_model>,
                          rule::one_number_type<typename input::value_type, T>,
                          rule::one_number_type<typename output::value_type, T>,
                          rule::output_has_the_shape_of_the_result<output::rows, output::columns, D.d_model, input::columns>,
                          rule::workspace_of_this_call<Workspace, workspace<input::columns>>>
                      && heads::template kinds_serve<input::columns, input::columns>
                      && detail::options_serve_layer<D.heads, input::columns, input::columns, input::columns + heads::appended,
                                                     Options...>
                      && detail::plan_is_taken<plan_kind::direct, Options...>) {
            detail::assert_apart(as_view(y), as_view(x));
            detail::with_lanes<T>([&]<class L>() {
                detail::residual_into<L, heads>(packed, as_view(x), as_view(y), scratch.values, detail::sorted(options...));
            });
        }
    }

    /// The same with scratch memory on the stack, at most HEADSTRONG_MAX_STACK_BYTES, and the result by value.
    template <class Target = native_target, matrix_like X, call_option... Options>
    [[nodiscard]] constexpr auto operator()(const X& x, const Options&... options) const noexcept
    {
        constexpr std::size_t n = detail::view_of<const X>::columns;
        matrix<T, D.d_model, n> y;
        if constexpr (rule::holds<rule::fits_the_stack<sizeof(workspace<n>) + sizeof(y), HEADSTRONG_MAX_STACK_BYTES>>) {
            workspace<n> scratch;
            operator()<Target>(x, y, scratch, options...);
        }
        return y;
    }
};

}  // namespace headstrong

#endif
