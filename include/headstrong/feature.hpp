// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_FEATURE_HPP
#define HEADSTRONG_FEATURE_HPP
/// @file
/// Features of heads: what a head does beside its score, as types that are listed behind it.
///
/// A feature is a mask or score bias (any score_modifier), a sink, appended tokens, or a transform of queries and keys between
/// projection and score. An empty one costs nothing; one with members has an object for each head, in the weights:
/// weights.kinds[h].

#include "headstrong/checks.hpp"
#include "headstrong/mask/combine.hpp"
#include "headstrong/mask/place.hpp"
#include "headstrong/matrix.hpp"
#include "headstrong/options.hpp"
#include "headstrong/score.hpp"

#include <cstddef>
#include <type_traits>

namespace headstrong {

/// One more key and value behind the projected ones, as they are: never masked (PyTorch's bias_k and bias_v). Heads that share
/// a key take those of the first of them.
template <class T, std::size_t DK, std::size_t DV>
struct appended_token {
    static constexpr std::size_t appends = 1;  ///< tokens that it appends
    matrix<T, DK, 1> key;                      ///< the key, as it is: W_h^K does not act on it
    matrix<T, DV, 1> value;                    ///< the value, likewise

    /// Whether it has the sizes of a head; a rule says so if not.
    template <std::size_t HeadDK, std::size_t HeadDV>
    static constexpr bool fits = rule::holds<rule::feature_has_the_sizes_of_its_head<DK, DV, HeadDK, HeadDV>>;

    /// Writes the key to k and the value to v.
    HEADSTRONG_INLINE constexpr void append(T* k, T* v) const noexcept
    {
        for (std::size_t r = 0; r < DK; ++r) k[r] = key.elements[r];
        for (std::size_t r = 0; r < DV; ++r) v[r] = value.elements[r];
    }
};

/// One more key and value of zeros (PyTorch's add_zero_attn): never masked.
struct appended_zero {
    static constexpr std::size_t appends = 1;  ///< tokens that it appends
};

/// A transform of queries and keys between projection and score: for a column of d_k numbers at a position,
/// transform.query(...) and transform.key(...).
template <class X>
concept key_transform = requires { requires X::transforms; };

namespace rule {

template <bool Known>
struct feature_of_a_head : condition<Known> {
    static_assert(feature_of_a_head::holds,
                  "behind its score a head lists features: masks, score biases, sink, appended_token, appended_zero, "
                  "rotary, or norms of queries and keys");
};

}  // namespace rule

namespace detail {

template <class X>
concept token_feature = requires { X::appends; };

template <class X>
inline constexpr bool is_feature = score_modifier<X> || is_sink<X> || token_feature<X> || key_transform<X>;

}  // namespace detail

/// The score and the features of a head, each a base: their members are its members.
template <class Score, class... Features>
struct head_kind : Score, Features... {
    static_assert(rule::checked<(rule::holds<rule::feature_of_a_head<detail::is_feature<Features>>> && ...)>);
    using score = Score;  ///< the score function f
    /// Tokens that the features append.
    static constexpr std::size_t appended = [] {
        std::size_t sum = 0;
        [[maybe_unused]] const auto count = [&]<class F>(const F*) {
            if constexpr (detail::token_feature<F>) sum += F::appends;
        };
        (count(static_cast<const Features*>(nullptr)), ...);
        return sum;
    }();
    /// Whether a feature acts between projection and score.
    static constexpr bool transforms_keys = (key_transform<Features> || ...);
    static constexpr bool has_modifier = (score_modifier<Features> || ...);  ///< whether a feature is a mask or score bias
    /// Whether the score turns queries into others before it is an inner product.
    static constexpr bool prepares_queries =
        requires(const Score& s, float* q) { s.template prepare<portable_lanes<float>>(q); };
    /// Keys may lie in the lanes: the score is an inner product of a query as it is projected.
    static constexpr bool can_be_cached = inner_product_score<Score> && appended == 0 && !prepares_queries;
    /// The projection of the keys may go to the query: nothing stands between them.
    static constexpr bool can_be_absorbed = can_be_cached && !transforms_keys;
    /// The softmax may go on from block to block of keys: none is appended, none is scored with all others.
    static constexpr bool can_be_streamed = appended == 0 && !matrix_score<Score>;

    /// Whether the transforms serve N queries and M keys.
    template <std::size_t N, std::size_t M>
    static constexpr bool transforms_serve = ([] {
        if constexpr (key_transform<Features> && requires { Features::template serves<N, M>; })
            return Features::template serves<N, M>;
        else return true;
    }() && ...);
    /// Whether all features serve Heads heads called with N queries and M keys; a rule says so if not.
    template <std::size_t Heads, std::size_t N, std::size_t M>
    static constexpr bool serves = ([] {
                                       if constexpr (score_modifier<Features>)
                                           return detail::modifier_serves<Features, Heads, N, M>;
                                       else return true;
                                   }()
                                    && ...)
                                   && transforms_serve<N, M>;
};

/// The place of what heads keep beside weights, if they keep nothing.
struct no_kind {};

namespace detail {

/// The kinds of the heads of one run, if there is anything in them.
template <class Kind, std::size_t Heads>
struct kept_kinds {
    Kind kinds[Heads];
    [[nodiscard]] HEADSTRONG_INLINE constexpr const Kind& operator[](std::size_t h) const noexcept { return kinds[h]; }
};
template <class Kind, std::size_t Heads>
    requires std::is_empty_v<Kind>
struct kept_kinds<Kind, Heads> {
    [[nodiscard]] HEADSTRONG_INLINE constexpr Kind operator[](std::size_t) const noexcept { return {}; }
};

inline namespace HEADSTRONG_TARGET {

/// The features of a kind, as references to its bases, to f.
template <class Score, class... Features, class F>
HEADSTRONG_INLINE constexpr auto with_features(const head_kind<Score, Features...>& kind, F f)
{
    return f(static_cast<const Features&>(kind)...);
}

/// All that heads of one kind do to scores, joined with the options of a call.
template <std::size_t Heads, class Kind, class Score, class Options>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto treated_kind(const Kind& kind, const Score& score, std::size_t head,
                                                            std::size_t n, std::size_t m, const Options& options)
{
    return with_features(kind, [&](const auto&... features) HEADSTRONG_INLINE {
        return treated<Heads>(
            score, head, n, m,
            call_options{joined(modifiers_among(features...), options.modifier), options.results, sink_among(features...)});
    });
}

/// Appends the tokens of a kind: keys from k on, k_stride apart, values from v on.
template <class Kind, class T>
HEADSTRONG_INLINE constexpr void append_tokens(const Kind& kind, T* k, std::size_t k_stride, std::size_t d_k, T* v,
                                               std::size_t v_stride, std::size_t d_v)
{
    with_features(kind, [&](const auto&... features) HEADSTRONG_INLINE {
        std::size_t i = 0;
        [[maybe_unused]] const auto append = [&](const auto& feature) HEADSTRONG_INLINE {
            if constexpr (requires { feature.append(k, v); }) {
                feature.append(k + i * k_stride, v + i * v_stride), ++i;
            } else if constexpr (token_feature<std::remove_cvref_t<decltype(feature)>>) {
                for (std::size_t r = 0; r < d_k; ++r) k[i * k_stride + r] = 0;
                for (std::size_t r = 0; r < d_v; ++r) v[i * v_stride + r] = 0;
                ++i;
            }
        };
        (append(features), ...);
    });
}

/// Transforms the queries (Query) or keys of one head in place: `count` columns of d_k numbers, `stride` apart, at positions
/// first ...
template <bool Query, std::size_t DK, class Kind, class T>
HEADSTRONG_INLINE constexpr void transform_columns(const Kind& kind, T* columns, std::size_t stride, std::size_t count,
                                                   std::size_t first)
{
    if constexpr (Kind::transforms_keys)
        with_features(kind, [&](const auto&... features) HEADSTRONG_INLINE {
            [[maybe_unused]] const auto transform = [&](const auto& feature, T* column,
                                                        std::size_t position) HEADSTRONG_INLINE {
                if constexpr (key_transform<std::remove_cvref_t<decltype(feature)>>) {
                    if constexpr (Query) feature.template query<DK>(column, position);
                    else feature.template key<DK>(column, position);
                }
            };
            for (std::size_t i = 0; i < count; ++i) (transform(features, columns + i * stride, first + i), ...);
        });
}

}  // namespace HEADSTRONG_TARGET
}  // namespace detail
}  // namespace headstrong

#endif
