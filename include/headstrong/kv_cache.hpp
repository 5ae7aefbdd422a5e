// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_KV_CACHE_HPP
#define HEADSTRONG_KV_CACHE_HPP
/// @file
/// Projected keys and values that grow token by token: decoding, streaming.

#include "headstrong/checks.hpp"
#include "headstrong/dims.hpp"
#include "headstrong/kernel/pack.hpp"
#include "headstrong/sizes.hpp"

#include <cstddef>

namespace headstrong {

/// The keys and values that a layer projected, of at most Capacity tokens. Plain data: no heap, copied like an array, the same
/// bytes for every instruction set. A layer of the same dims fills it (append) and attends to it:
/// @code
///   hs::kv_cache<float, sizes, 128> cache{};
///   while (next(x)) {                         // x: one token
///       if (!decoder.append(cache, x, x)) break;
///       y = decoder(x, cache);                // attends to all tokens so far: the causal sequence, step by step
///   }
/// @endcode
/// @par Numerics
///   a query has the bits of decoder(x, k, v, by<plan_kind::direct>) with the appended tokens as columns of k and v,
///   whatever the capacity
/// @par Edge cases
///   a query that attends to an empty cache gets the bias of the output, zeros where there is none
/// @par Cost
///   bytes() of memory; reset and truncate take constant time
template <class T, dims D, std::size_t Capacity>
class kv_cache {
    static_assert(rule::checked<(rule::dims_are_valid<D>
                                 && rule::holds<rule::numbers_are_float_or_double<T>, rule::cache_holds_a_token<Capacity>>)>);

public:
    using value_type = T;                              ///< the type of number: float or double
    static constexpr dims sizes = D;                   ///< the dims of its layer
    static constexpr std::size_t capacity = Capacity;  ///< the most tokens

    /// Empty; constinit, so that a cache in static memory costs no code before main.
    HEADSTRONG_INLINE constexpr kv_cache() noexcept : keys_{}, values_{} {}

    /// The tokens that are held.
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
    /// Forgets all tokens.
    constexpr void reset() noexcept { size_ = 0; }
    /// Keeps the first `count` tokens; all, if there are no more.
    constexpr void truncate(std::size_t count) noexcept { size_ = detail::smaller_of(size_, count); }

private:
    template <class, dims, class, class...>
    friend class multi_head;

    static constexpr std::size_t lanes_of_tokens = detail::padded<T>(Capacity);
    static constexpr std::size_t value_stride = detail::padded<T>(D.kv_heads * D.d_v);

    std::size_t size_ = 0;
    alignas(64) T keys_[D.kv_heads * D.d_k * lanes_of_tokens];  // of each head: panels of 16 tokens, number c at c * 16
    alignas(64) T values_[value_stride * Capacity];             // a token's numbers of all heads beside each other
};

namespace detail {

template <class X>
inline constexpr bool is_kv_cache = false;
template <class T, dims D, std::size_t Capacity>
inline constexpr bool is_kv_cache<kv_cache<T, D, Capacity>> = true;

template <class X, class T, dims D>
inline constexpr bool is_kv_cache_of = false;
template <class T, dims D, std::size_t Capacity>
inline constexpr bool is_kv_cache_of<kv_cache<T, D, Capacity>, T, D> = true;

}  // namespace detail
}  // namespace headstrong

#endif
