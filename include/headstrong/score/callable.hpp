// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_SCORE_CALLABLE_HPP
#define HEADSTRONG_SCORE_CALLABLE_HPP
/// @file
/// Scores of the user's own: of two columns, of a column and 16 others in lanes, or of all queries and keys at once.

#include "headstrong/checks.hpp"
#include "headstrong/lanes.hpp"
#include "headstrong/score/inner_product.hpp"
#include "headstrong/view.hpp"

#include <concepts>
#include <cstddef>

namespace headstrong {

/// The numbers of one query or key, as a score function of the user's sees them: d_k of them, read by [].
template <class T, std::size_t Size, std::size_t Stride>
struct column_view {
    const T* data;  ///< number 0

    /// D_k.
    [[nodiscard]] HEADSTRONG_INLINE static constexpr std::size_t size() noexcept { return Size; }
    /// Number r.
    [[nodiscard]] HEADSTRONG_INLINE constexpr T operator[](std::size_t r) const noexcept { return data[r * Stride]; }
};

/// Scores that are any function of two columns: score(q_i, k_j) with something that has size() and [].
/// Its arithmetic is the user's: the same bits everywhere only if it uses headstrong::fma and headstrong::exp where it
/// adds products or needs an exponential.
template <class Score, class T>
concept column_score = requires(const Score& s, column_view<T, 4, 1> q, column_view<T, 4, 2> k) {
    { s(q, k) } -> std::convertible_to<T>;
};

/// Queries in the lanes: [] gives number r of all of them.
template <lanes L, std::size_t Size>
struct lanes_of_queries {
    const typename L::value_type* data;  ///< number 0 of the first query

    /// D_k.
    [[nodiscard]] HEADSTRONG_INLINE static constexpr std::size_t size() noexcept { return Size; }
    /// Number r of all of them.
    [[nodiscard]] HEADSTRONG_INLINE constexpr L operator[](std::size_t r) const noexcept { return L::load(data + r * L::size); }
};

/// A key beside them: [] gives its number r in all lanes.
template <lanes L, std::size_t Size, std::size_t Stride>
struct key_in_all_lanes {
    const typename L::value_type* data;  ///< number 0

    /// D_k.
    [[nodiscard]] HEADSTRONG_INLINE static constexpr std::size_t size() noexcept { return Size; }
    /// Number r, in every lane.
    [[nodiscard]] HEADSTRONG_INLINE constexpr L operator[](std::size_t r) const noexcept
    {
        return L::broadcast(data[r * Stride]);
    }
};

/// A score of two columns whose function works on lanes: f(q, k) with q[r] and k[r] lanes, written with + - / fma product exp
/// larger if_less of lanes; 16 queries at a time.
template <class F>
struct in_lanes {
    static constexpr bool works_in_lanes = true;  ///< its operands are lanes
    [[no_unique_address]] F f;                    ///< the function

    /// Of a function.
    HEADSTRONG_INLINE constexpr explicit in_lanes(F function) noexcept : f{function} {}
    /// The scores of 16 queries and a key.
    [[nodiscard]] HEADSTRONG_INLINE constexpr auto operator()(auto q, auto k) const noexcept { return f(q, k); }
};

/// A score of two columns whose numbers are lanes: see in_lanes.
template <class Score>
concept lanes_score = requires { requires Score::works_in_lanes; };

/// Equation (1) with any f : M^{d_k x n} x M^{d_k x m} -> M^{m x n}: f(q, k) takes two views and gives a matrix, column i the
/// scores of query i. All m n scores lie on the stack while the call lasts.
template <class F>
struct of_matrices {
    static constexpr bool works_on_matrices = true;  ///< its operands are matrices
    [[no_unique_address]] F f;                       ///< the function

    /// Of a function.
    HEADSTRONG_INLINE constexpr explicit of_matrices(F function) noexcept : f{function} {}
};

/// A score of all queries and keys at once: see of_matrices.
template <class Score>
concept matrix_score = requires { requires Score::works_on_matrices; };

/// Any score function. (A concept, since it asks no further once one holds: to ask whether a function of lanes takes columns
/// may be an error in its body.)
template <class Score, class T>
concept any_score = inner_product_score<Score> || lanes_score<Score> || matrix_score<Score> || column_score<Score, T>;

namespace detail {

/// Whether a score or feature has the sizes of a head; if not, its rule says so.
template <class X, std::size_t DK, std::size_t DV>
inline constexpr bool fits_head = [] {
    if constexpr (requires { X::template fits<DK, DV>; }) return X::template fits<DK, DV>;
    else return true;
}();

}  // namespace detail

namespace rule {

template <class Score, class T>
struct score_is_product_or_callable : condition<any_score<Score, T>> {
    static_assert(
        score_is_product_or_callable::holds,
        "a score is an inner product (scaled_dot, dot, dot_times) or a callable of two columns: "
        "score(q_i, k_j) -> number, where q_i and k_j have size() and []; a mask is said by name: keep(x) or drop(x)");
};

template <std::size_t Rows, std::size_t Columns, std::size_t Keys, std::size_t Queries>
struct scores_are_keys_by_queries : condition<Rows == Keys && Columns == Queries> {
    static_assert(scores_are_keys_by_queries::holds,
                  "a score function of matrices gives M^{m x n}: a row per key and a column per query");
};

}  // namespace rule
}  // namespace headstrong

#endif
