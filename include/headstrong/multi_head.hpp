// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_MULTI_HEAD_HPP
#define HEADSTRONG_MULTI_HEAD_HPP
/// @file
/// Multi-head attention with equal heads: equation (2).

#include "headstrong/basic_multi_head.hpp"
#include "headstrong/checks.hpp"
#include "headstrong/kv_cache.hpp"
#include "headstrong/layer/cached.hpp"
#include "headstrong/weights.hpp"

#include <cstddef>
#include <type_traits>

namespace headstrong {
namespace detail {

template <class T, dims D, class Score, class... Features>
using equal_heads = runs<T, run<head<D.d_k, D.d_v, Score, Features...>, D.heads, D.kv_heads>>;

/// The kind of the heads if it has members.
template <class Kind>
using kind_or_none = std::conditional_t<std::is_empty_v<Kind>, no_kind, Kind>;

template <class T, dims D>
inline constexpr packed_shape packed_shape_of{D.d_model,
                                              D.d_key,
                                              D.d_value,
                                              D.d_out,
                                              padded<T>(D.heads* D.d_k),
                                              padded<T>(D.kv_heads* D.d_k),
                                              padded<T>(D.kv_heads* D.d_v),
                                              D.heads* D.d_v,
                                              D.biases};

inline namespace HEADSTRONG_TARGET {
/// Weights by name into panels.
template <class T, dims D, class Kind>
[[nodiscard]] constexpr packed_weights<T, packed_shape_of<T, D>> pack(const weights<T, D, Kind>& w) noexcept
{
    using packed = packed_weights<T, packed_shape_of<T, D>>;
    packed p{};
    for (std::size_t h = 0; h < D.heads; ++h) {
        pack_into(p.values + packed::w_q_at, D.d_model, w.w_q[h], h * D.d_k, 0);
        pack_into(p.values + packed::b_q_at, 1, w.b_q[h], h * D.d_k, 0);
        pack_into(p.values + packed::w_o_at, D.heads * D.d_v, w.w_o[h], 0, h * D.d_v);
    }
    for (std::size_t h = 0; h < D.kv_heads; ++h) {
        pack_into(p.values + packed::w_k_at, D.d_key, w.w_k[h], h * D.d_k, 0);
        pack_into(p.values + packed::b_k_at, 1, w.b_k[h], h * D.d_k, 0);
        pack_into(p.values + packed::w_v_at, D.d_value, w.w_v[h], h * D.d_v, 0);
        pack_into(p.values + packed::b_v_at, 1, w.b_v[h], h * D.d_v, 0);
    }
    pack_into(p.values + packed::b_o_at, 1, w.b_o, 0, 0);
    return p;
}
}  // namespace HEADSTRONG_TARGET

template <class W>
inline constexpr bool is_weights = false;
template <class T, dims D, class Kind>
inline constexpr bool is_weights<weights<T, D, Kind>> = true;

inline namespace HEADSTRONG_TARGET {
struct kept_as_it_is {
    template <class Kind>
    [[nodiscard]] HEADSTRONG_INLINE constexpr Kind operator()(const Kind& kind) const noexcept
    {
        return kind;
    }
};

/// The kinds of equal heads as their runs keep them: kept(kind) for each.
template <class Runs, class Kind, std::size_t Heads, class F = kept_as_it_is>
[[nodiscard]] constexpr typename Runs::kinds kinds_of(const std::array<Kind, Heads>& kinds,
                                                      [[maybe_unused]] F kept = {}) noexcept
{
    typename Runs::kinds all{};
    if constexpr (Runs::have_kinds)
        for (std::size_t h = 0; h < Heads; ++h) boost::hana::at_c<0>(all).kinds[h] = kept(kinds[h]);
    return all;
}
}  // namespace HEADSTRONG_TARGET

}  // namespace detail

/// A layer of equal heads. Its one member is the packed weights, so a constexpr layer is a constant in flash, and a layer
/// may be a symbol of another object file.
template <class T, dims D, class Score = scaled_dot, class... Features>
class multi_head : public basic_multi_head<T, detail::packed_shape_of<T, D>, detail::equal_heads<T, D, Score, Features...>> {
    static_assert(rule::checked<(rule::dims_are_valid<D> && rule::holds<rule::numbers_are_float_or_double<T>>)>);
    using run_types = detail::equal_heads<T, D, Score, Features...>;
    using base = basic_multi_head<T, detail::packed_shape_of<T, D>, run_types>;
    using run = detail::run<head<D.d_k, D.d_v, Score, Features...>, D.heads, D.kv_heads>;
    template <std::size_t N, std::size_t Capacity>
    static constexpr detail::run_shape shape = detail::shape_of_run<detail::packed_shape_of<T, D>, run, N, Capacity>;
    template <class Cache>
    static constexpr bool serves = rule::holds<rule::cache_is_of_this_layer<Cache, detail::is_kv_cache_of<Cache, T, D>>,
                                               rule::cache_serves_the_score<run::kind::can_be_cached>>;

public:
    static constexpr dims sizes = D;                                               ///< the sizes of the layer
    using weights_type = weights<T, D, detail::kind_or_none<typename run::kind>>;  ///< the weights by name

    /// Packs weights: a constexpr layer is packed by the compiler.
    HEADSTRONG_INLINE constexpr explicit multi_head(const weights_type& w) noexcept
        : base{detail::pack(w), detail::kinds_of<run_types>(w.kinds)}
    {
    }
    /// Of weights that are packed already, and what the heads keep beside them.
    HEADSTRONG_INLINE constexpr explicit multi_head(const typename base::packed_type& p,
                                                    const decltype(weights_type::kinds)& k = {}) noexcept
        : base{p, detail::kinds_of<run_types>(k)}
    {
    }

    /// Weights of another layer are refused by a sentence.
    template <class Other>
        requires detail::is_weights<Other>
    HEADSTRONG_INLINE constexpr explicit multi_head(const Other&) noexcept : base{}
    {
        static_assert(rule::checked<(rule::holds<rule::weights_have_the_dims_of_the_layer<Other, weights_type>>)>);
    }

    using base::operator();

    /// Scratch memory of one call with n queries and a cache of this capacity.
    template <std::size_t N, std::size_t Capacity>
    struct cache_workspace {
        alignas(64) T values[detail::cached_layout_of<T>(shape<N, Capacity>).size];  ///< scratch memory, aligned to 64 bytes
    };

    /// Projects tokens, the columns of k and v, and puts them behind those that the cache holds. Returns false and changes
    /// nothing if there is no room for all of them.
    /// @par Cost
    ///   columns (d_key d_k + d_value d_v) kv_heads multiply-adds; sizeof(T) d_k kv_heads
    ///   bytes of stack for each of up to 16 columns (a multiple of 64)
    template <class Target = native_target, matrix_like K, matrix_like V, class Cache>
    [[nodiscard]] constexpr bool append(Cache& cache, const K& k, const V& v) const noexcept
    {
        using key = detail::view_of<const K>;
        using value = detail::view_of<const V>;
        if constexpr (serves<Cache>
                      && rule::holds<rule::key_has_d_key_rows<key::rows, D.d_key>,
                                     rule::value_has_d_value_rows<value::rows, D.d_value>,
                                     rule::one_value_per_key<key::columns, value::columns>,
                                     rule::one_number_type<typename key::value_type, T>,
                                     rule::one_number_type<typename value::value_type, T>>
                      && run::kind::template transforms_serve<1, Cache::capacity>) {
            if (key::columns > Cache::capacity - cache.size_) return false;
            detail::with_lanes<T>([&]<class L>() {
                detail::append_to_cache<L, run>(this->packed, run_types::template kinds_of_run<0>(this->kinds), as_view(k),
                                                as_view(v), cache.keys_, Cache::lanes_of_tokens * D.d_k, cache.values_,
                                                cache.size_);
            });
            cache.size_ += key::columns;
        }
        return true;
    }

    /// Multi-head attention of queries to all tokens of a cache: see kv_cache.
    /// @par Shapes
    ///   Q [d_model x n], Y [d_out x n]
    /// @par Cost
    ///   n heads (d_model d_k + size (d_k + d_v) + d_v d_out) multiply-adds, n heads size exp
    template <class Target = native_target, matrix_like Q, class Cache, matrix_like Y, class Workspace, class... Options>
        requires detail::is_kv_cache<Cache>
    constexpr void operator()(const Q& q, const Cache& cache, Y&& y, Workspace& scratch,
                              const Options&... options) const noexcept
    {
        using query = detail::view_of<const Q>;
        using output = detail::view_of<Y>;
        if constexpr (serves<Cache>
                      && rule::holds<
                          rule::query_has_d_model_rows<query::rows, D.d_model>,
                          rule::one_number_type<typename query::value_type, T>,
                          rule::one_number_type<typename output::value_type, T>,
                          rule::output_has_the_shape_of_the_result<output::rows, output::columns, D.d_out, query::columns>,
                          rule::workspace_of_this_call<Workspace, cache_workspace<query::columns, Cache::capacity>>>
                      && run::kind::template serves<D.heads, query::columns, Cache::capacity>
                      && detail::options_serve_layer<D.heads, query::columns, Cache::capacity, Cache::capacity, Options...>
                      && detail::plan_is_taken<plan_kind::direct, Options...>) {
            detail::assert_apart(as_view(y), as_view(q));
            detail::with_lanes<T>([&]<class L>() {
                detail::attend_to_cache<L, run, Cache::capacity>(this->packed, run_types::template kinds_of_run<0>(this->kinds),
                                                                 as_view(q), cache.keys_, Cache::lanes_of_tokens * D.d_k,
                                                                 cache.values_, cache.size_, as_view(y), scratch.values,
                                                                 detail::sorted(options...));
            });
        }
    }

    /// The same with scratch memory on the stack, at most HEADSTRONG_MAX_STACK_BYTES, and the result by value.
    template <class Target = native_target, matrix_like Q, class Cache, class... Options>
        requires(detail::is_kv_cache<Cache> && (call_option<Options> && ...))
    [[nodiscard]] constexpr auto operator()(const Q& q, const Cache& cache, const Options&... options) const noexcept
    {
        constexpr std::size_t n = detail::view_of<const Q>::columns;
        matrix<T, D.d_out, n> y;
        using memory = cache_workspace<n, Cache::capacity>;
        if constexpr (rule::holds<rule::fits_the_stack<sizeof(memory) + sizeof(y), HEADSTRONG_MAX_STACK_BYTES>>) {
            memory scratch;
            operator()<Target>(q, cache, y, scratch, options...);
        }
        return y;
    }
};

}  // namespace headstrong

#endif
