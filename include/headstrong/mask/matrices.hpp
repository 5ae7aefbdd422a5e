// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_MASK_MATRICES_HPP
#define HEADSTRONG_MASK_MATRICES_HPP
/// @file
/// Masks and score biases that are given number by number, and documents.

#include "headstrong/checks.hpp"
#include "headstrong/mask/place.hpp"
#include "headstrong/view.hpp"

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace headstrong {
namespace rule {

template <std::size_t Rows, std::size_t Columns, std::size_t Keys, std::size_t Queries>
struct mask_has_a_number_per_score : condition<Rows == Keys && Columns == Queries> {
    static_assert(mask_has_a_number_per_score::holds,
                  "a mask or score bias is M^{m x n}: a row per key and a column per query, as "
                  "the scores; a row-major array (n, m) is seen so by rows<n, m>(data)");
};

template <std::size_t Matrices, std::size_t Heads>
struct mask_is_shared_or_per_head : condition<Matrices == 1 || Matrices == Heads> {
    static_assert(mask_is_shared_or_per_head::holds,
                  "a mask or score bias is one matrix for all heads or an array of one per head");
};

template <std::size_t QueryIds, std::size_t KeyIds, std::size_t Queries, std::size_t Keys>
struct documents_name_every_token : condition<QueryIds == Queries && KeyIds == Keys> {
    static_assert(documents_name_every_token::holds, "documents has one number for each query and one for each key");
};

}  // namespace rule

namespace detail {

template <class X>
inline constexpr bool is_array_of_matrices = false;
template <class X, std::size_t Count>
inline constexpr bool is_array_of_matrices<std::array<X, Count>> = matrix_like<X&>;

template <class X>
concept matrix_or_one_per_head = matrix_like<X&> || is_array_of_matrices<std::remove_const_t<X>>;

/// One matrix for all heads, by a view, or an array of one per head, by a pointer.
template <class X>
struct per_head {
    using view = view_of<X>;
    static constexpr std::size_t count = 1;
    view numbers;

    HEADSTRONG_INLINE constexpr explicit per_head(X& x) noexcept : numbers{as_view(x)} {}
    [[nodiscard]] HEADSTRONG_INLINE constexpr auto& operator()(std::size_t, std::size_t i, std::size_t j) const noexcept
    {
        return numbers(j, i);
    }
};
template <class X>
    requires is_array_of_matrices<std::remove_const_t<X>>
struct per_head<X> {
    using view = view_of<typename X::value_type>;
    static constexpr std::size_t count = std::tuple_size_v<std::remove_const_t<X>>;
    X* numbers;

    HEADSTRONG_INLINE constexpr explicit per_head(X& x) noexcept : numbers{&x} {}
    [[nodiscard]] HEADSTRONG_INLINE constexpr auto& operator()(std::size_t head, std::size_t i, std::size_t j) const noexcept
    {
        return numbers->data()[count > 1 ? head : 0](j, i);
    }
};

/// Whether numbers per score, shared or per head, serve a call.
template <class X, std::size_t Heads, std::size_t N, std::size_t M>
inline constexpr bool numbers_serve =
    rule::holds<rule::mask_has_a_number_per_score<per_head<X>::view::rows, per_head<X>::view::columns, M, N>,
                rule::mask_is_shared_or_per_head<per_head<X>::count, Heads>>;

/// The score where shown(query, key) holds; hidden elsewhere.
template <lanes L, bool KeysRun, std::size_t Heads, class F>
[[nodiscard]] HEADSTRONG_INLINE constexpr L hidden_unless(F shown, const L& score,
                                                          const score_place<L, KeysRun, Heads>& at) noexcept
{
    using T = typename L::value_type;
    const L seen = at.gathered([&](std::size_t i, std::size_t j) { return T(shown(i, j) ? 1 : 0); }, T{0});
    return if_less(L::broadcast(0), seen, score, hidden<L>());
}

/// Hides where a number is 0 (Keep) or is not 0.
template <class X, bool Keep>
struct matrix_mask {
    static constexpr bool hides = true;
    per_head<const X> numbers;

    template <std::size_t Heads, std::size_t N, std::size_t M>
    static constexpr bool serves = numbers_serve<const X, Heads, N, M>;

    template <lanes L, bool KeysRun, std::size_t Heads>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L operator()(const L& score,
                                                           const score_place<L, KeysRun, Heads>& at) const noexcept
    {
        return hidden_unless([&](std::size_t i, std::size_t j) { return (numbers(at.head, i, j) != 0) == Keep; }, score, at);
    }
};

}  // namespace detail

/// A key is seen where the number of x is not 0: x(j, i) for key j and query i, one matrix or a std::array of one per head. The
/// numbers may be bool, integers or floating; x is not copied and must outlive the call.
template <detail::matrix_or_one_per_head X>
struct keep : detail::matrix_mask<X, true> {
    /// Of numbers that outlive the call.
    HEADSTRONG_INLINE constexpr explicit keep(const X& x) noexcept : detail::matrix_mask<X, true>{detail::per_head<const X>(x)}
    {
    }
};

/// A key is hidden where the number of x is not 0; as keep otherwise.
template <detail::matrix_or_one_per_head X>
struct drop : detail::matrix_mask<X, false> {
    /// Of numbers that outlive the call.
    HEADSTRONG_INLINE constexpr explicit drop(const X& x) noexcept : detail::matrix_mask<X, false>{detail::per_head<const X>(x)}
    {
    }
};

/// Adds x(j, i) to the score of key j for query i; -infinity hides it. One matrix or a std::array of one per head.
template <detail::matrix_or_one_per_head X>
struct score_bias {
    static constexpr bool hides = false;  ///< it changes scores
    detail::per_head<const X> numbers;    ///< what is added, read where it lies

    /// Of numbers that outlive the call.
    HEADSTRONG_INLINE constexpr explicit score_bias(const X& x) noexcept : numbers{x} {}

    /// Whether it serves Heads heads, N queries and M keys; a rule says so if not.
    template <std::size_t Heads, std::size_t N, std::size_t M>
    static constexpr bool serves = detail::numbers_serve<const X, Heads, N, M>;

    /// The scores with the biases of their places added.
    template <lanes L, bool KeysRun, std::size_t Heads>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L operator()(const L& score,
                                                           const score_place<L, KeysRun, Heads>& at) const noexcept
    {
        using T = typename L::value_type;
        const L added = at.gathered([&](std::size_t i, std::size_t j) { return static_cast<T>(numbers(at.head, i, j)); }, T{0});
        return if_less(hidden<L>(), added, score + added, added);
    }
};

/// A key is kept or dropped for all queries: x has one number per key (key padding).
template <std::size_t M>
struct keep_keys {
    static constexpr bool hides = true;  ///< it only hides keys
    const bool* shown;                   ///< one number a key, read where it lies

    /// Of an array that outlives the call.
    HEADSTRONG_INLINE constexpr explicit keep_keys(const std::array<bool, M>& x) noexcept : shown{x.data()} {}
    /// Of a column that outlives the call.
    HEADSTRONG_INLINE constexpr explicit keep_keys(const matrix<bool, M, 1>& x) noexcept : shown{x.elements} {}

    /// Whether it has a number for each of Keys keys; a rule says so if not.
    template <std::size_t Heads, std::size_t N, std::size_t Keys>
    static constexpr bool serves = rule::holds<rule::mask_has_a_number_per_score<M, N, Keys, N>>;

    /// The scores of the keys that are kept; hidden() for the others.
    template <lanes L, bool KeysRun, std::size_t Heads>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L operator()(const L& score,
                                                           const score_place<L, KeysRun, Heads>& at) const noexcept
    {
        return detail::hidden_unless([&](std::size_t, std::size_t j) { return shown[j]; }, score, at);
    }
};

/// Block-diagonal: a query sees the keys of its own document. One number per token names the document; they may be mixed.
template <std::size_t N, std::size_t M>
struct documents {
    static constexpr bool hides = true;  ///< it only hides keys
    const int* of_queries;               ///< the document of each query
    const int* of_keys;                  ///< the document of each key

    /// Of two arrays that outlive the call.
    HEADSTRONG_INLINE constexpr documents(const std::array<int, N>& queries, const std::array<int, M>& keys) noexcept
        : of_queries{queries.data()}, of_keys{keys.data()}
    {
    }
    /// Of one array where queries and keys are the same tokens.
    HEADSTRONG_INLINE constexpr explicit documents(const std::array<int, N>& tokens) noexcept
        requires(N == M)
        : documents{tokens, tokens}
    {
    }

    /// Whether it names every query and key; a rule says so if not.
    template <std::size_t Heads, std::size_t Queries, std::size_t Keys>
    static constexpr bool serves = rule::holds<rule::documents_name_every_token<N, M, Queries, Keys>>;

    /// The scores of keys of the query's document; hidden() for the others.
    template <lanes L, bool KeysRun, std::size_t Heads>
    [[nodiscard]] HEADSTRONG_INLINE constexpr L operator()(const L& score,
                                                           const score_place<L, KeysRun, Heads>& at) const noexcept
    {
        return detail::hidden_unless([&](std::size_t i, std::size_t j) { return of_queries[i] == of_keys[j]; }, score, at);
    }
};
/// One array names queries and keys.
template <std::size_t N>
documents(const std::array<int, N>&) -> documents<N, N>;

}  // namespace headstrong

#endif
