// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_INSTANCES_HPP
#define HEADSTRONG_TESTS_INSTANCES_HPP
/// @file
/// One call of a layer for each of the shapes whose cost on a chip is told: self-attention with four projections and biases,
/// and one query against a cache. What the numbers are changes nothing, for no branch depends on them.

#include <headstrong/headstrong.hpp>

#include <cstddef>

namespace tests {

namespace hs = headstrong;

/// n tokens that attend to each other.
template <char Name, std::size_t N, std::size_t DModel, std::size_t Heads, std::size_t HeadSize>
struct self_attention {
    static constexpr hs::dims sizes{
        .d_model = DModel, .heads = Heads, .d_k = HeadSize, .d_v = HeadSize, .biases = hs::bias::all};
    using layer = hs::multi_head<float, sizes>;
    using workspace = typename layer::template workspace<N, N>;
    static constexpr char name = Name;
    static constexpr std::size_t tokens = N, multiply_adds = layer::template cost<N, N>().multiply_adds;

    // With a linkage that lets no compiler know that all is zero.
    alignas(layer) static inline unsigned char weights[sizeof(layer)];
    static inline hs::matrix<float, DModel, N> x, y;
    static inline workspace scratch;

    static void prepare() {}
    static void call() { reinterpret_cast<const layer&>(weights)(x, x, x, y, scratch); }
};

/// One token that is appended to a cache of Capacity - 1 and attends to it.
template <char Name, std::size_t Capacity, std::size_t DModel, std::size_t Heads, std::size_t HeadSize>
struct streaming {
    static constexpr hs::dims sizes{
        .d_model = DModel, .heads = Heads, .d_k = HeadSize, .d_v = HeadSize, .biases = hs::bias::all};
    using layer = hs::multi_head<float, sizes>;
    using workspace = typename layer::template cache_workspace<1, Capacity>;
    static constexpr char name = Name;
    static constexpr std::size_t tokens = 1, multiply_adds = Heads * (4 * DModel * HeadSize + 2 * Capacity * HeadSize);

    alignas(layer) static inline unsigned char weights[sizeof(layer)];
    static inline hs::matrix<float, DModel, 1> x, y;
    static inline hs::kv_cache<float, sizes, Capacity> cache;
    static inline workspace scratch;

    static const layer& attention() { return reinterpret_cast<const layer&>(weights); }
    static void prepare()
    {
        while (cache.size() + 1 < Capacity) static_cast<void>(attention().append(cache, x, x));
    }
    static void call()
    {
        static_cast<void>(attention().append(cache, x, x));
        attention()(x, cache, y, scratch);
    }
};

using instance_a = self_attention<'A', 4, 32, 8, 32>;
using instance_b = self_attention<'B', 16, 64, 8, 8>;
using instance_c = self_attention<'C', 66, 16, 8, 2>;
using instance_d = self_attention<'D', 81, 32, 8, 32>;
using instance_e = self_attention<'E', 32, 64, 16, 64>;
using instance_p = streaming<'P', 64, 32, 4, 8>;

}  // namespace tests

#endif
