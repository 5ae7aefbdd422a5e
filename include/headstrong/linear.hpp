// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_LINEAR_HPP
#define HEADSTRONG_LINEAR_HPP
/// @file
/// The linear algebra of the notation: product, stack, fold, softmax of columns.

#include "headstrong/checks.hpp"
#include "headstrong/kernel/softmax.hpp"
#include "headstrong/kernel/tile.hpp"
#include "headstrong/kernel/transpose.hpp"
#include "headstrong/view.hpp"

#include <cstddef>
#include <utility>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// y = W x + b; b is null where there is none.
template <lanes L, class W, class X, class Y>
HEADSTRONG_KERNEL constexpr void multiply_into(W w, X x, const typename L::value_type* b, Y& y)
{
    using T = typename L::value_type;
    T panel[W::columns * L::size];
    for (std::size_t first = 0; first < W::rows; first += L::size) {
        tokens_to_lanes<L>(w.transposed(), first, T{1}, panel);
        const std::size_t count = W::rows - first < L::size ? W::rows - first : L::size;
        multiply_panels<L>(
            lanes_at<const T>{panel, 0, L::size}, known<1>{}, x, rows_of<view_of<Y>>{as_view(y), first, 0}, false,
            [&](std::size_t, std::size_t)
                HEADSTRONG_STEP { return b != nullptr ? L::load(b + first, count) : L::broadcast(0); },
            finish_as_it_is{});
    }
}

template <lanes L, class X, class Y>
constexpr void softmax_into(X x, Y& y)
{
    using T = typename L::value_type;
    T panel[X::rows * L::size];
    for (std::size_t first = 0; first < X::columns; first += L::size) {
        tokens_to_lanes<L>(x, first, T{1}, panel);
        const L factor = softmax_numerators<L>(panel, X::rows);
        for (std::size_t j = 0; j < X::rows; ++j) product(L::load(panel + j * L::size), factor).store(panel + j * L::size);
        lanes_to_tokens<L>(panel, as_view(y), first);
    }
}

template <class Left, class Right>
inline constexpr bool factors_are_valid =
    rule::holds<rule::inner_sizes_agree<Left::columns, Right::rows>,
                rule::one_number_type<typename Left::value_type, typename Right::value_type>,
                rule::numbers_are_float_or_double<typename Left::value_type>>;

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

namespace headstrong::inline HEADSTRONG_TARGET {

/// The matrix product W X.
/// @par Equation
///   @f[ y(r, j) = \sum_c w(r, c) \, x(c, j) @f]
///   chains of at most 128 fused multiply-adds in order of c, added in order
/// @par Shapes
///   W [R x C], X [C x n], result [R x n]
/// @par Numerics
///   the same bits everywhere; |error| <= min(C, 128 + C / 128) eps sum_c |w(r, c) x(c, j)|
/// @par Cost
///   R C n multiply-adds; 64 C bytes of stack beside the result
template <matrix_like W, matrix_like X>
[[nodiscard]] constexpr auto multiply(const W& w, const X& x) noexcept
{
    using left = detail::view_of<const W>;
    using right = detail::view_of<const X>;
    using T = typename left::value_type;
    matrix<T, left::rows, right::columns> y;
    if constexpr (detail::factors_are_valid<left, right>)
        detail::with_lanes<T>([&]<class L>() { detail::multiply_into<L>(as_view(w), as_view(x), nullptr, y); });
    return y;
}

/// The affine map W X + b, b added to every column: the chains of multiply, the first of which begins with b.
/// @par Shapes
///   W [R x C], X [C x n], b [R x 1], result [R x n]
/// @par Cost
///   that of multiply
template <matrix_like W, matrix_like X, class T, std::size_t Rows, std::size_t Alignment>
[[nodiscard]] constexpr auto affine(const W& w, const X& x, const matrix<T, Rows, 1, Alignment>& b) noexcept
{
    using left = detail::view_of<const W>;
    using right = detail::view_of<const X>;
    matrix<T, left::rows, right::columns> y;
    if constexpr (detail::factors_are_valid<left, right>
                  && rule::holds<rule::one_number_type<typename left::value_type, T>,
                                 rule::bias_has_the_rows_of_its_weight<Rows, left::rows>>)
        detail::with_lanes<T>([&]<class L>() { detail::multiply_into<L>(as_view(w), as_view(x), b.elements, y); });
    return y;
}

/// W W_inner: a composition of linear maps is one linear map, so `fold(w_q, w)` attends to W X as if W were not there:
/// (W_h^Q W) X = W_h^Q (W X), up to rounding.
template <matrix_like W, matrix_like Inner>
[[nodiscard]] constexpr auto fold(const W& w, const Inner& w_inner) noexcept
{
    return multiply(w, w_inner);
}

/// [a; b; ...]: the rows of each matrix below those of the one before.
/// @par Shapes
///   [R_1 x n], [R_2 x n], ..., result [R_1 + R_2 + ... x n]
template <matrix_like First, matrix_like... More>
[[nodiscard]] constexpr auto stack(const First& first, const More&... more) noexcept
{
    using view = detail::view_of<const First>;
    static_assert(rule::checked<
                  (rule::holds<rule::stacked_have_the_same_columns<view::columns, detail::view_of<const More>::columns...>>)>);
    constexpr std::size_t rows_in_all = (view::rows + ... + detail::view_of<const More>::rows);
    matrix<typename view::value_type, rows_in_all, view::columns> y;
    std::size_t row = 0;
    const auto put = [&](auto x) {
        for (std::size_t r = 0; r < x.rows; ++r, ++row)
            for (std::size_t j = 0; j < x.columns; ++j) y(row, j) = x(r, j);
    };
    put(as_view(first));
    (put(as_view(more)), ...);
    return y;
}

/// Softmax of each column.
/// @par Equation
///   @f[ y(j, i) = \frac{\exp(x(j, i) - \max_j x(j, i))}{\sum_j \exp(x(j, i) - \max_j x(j, i))} @f]
/// @par Numerics
///   the same bits everywhere; each number within 4 eps + (m / 16 + 4) eps of its value, relatively; exactly 0 where it is
///   less than 2^-64 (2^-512 for double) of the largest in its column
/// @par Edge cases
///   a column of -infinity becomes zeros; NaN or +infinity in a column makes all of it NaN
/// @par Cost
///   m n exp; 64 m bytes of stack beside the result
template <matrix_like X>
[[nodiscard]] constexpr auto softmax(const X& x) noexcept
{
    using view = detail::view_of<const X>;
    using T = typename view::value_type;
    matrix<T, view::rows, view::columns> y;
    if constexpr (rule::holds<rule::numbers_are_float_or_double<T>>)
        detail::with_lanes<T>([&]<class L>() { detail::softmax_into<L>(as_view(x), y); });
    return y;
}

}  // namespace headstrong::inline HEADSTRONG_TARGET

#endif
