// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_EXACT_SHAPE_CASES_HPP
#define HEADSTRONG_TESTS_EXACT_SHAPE_CASES_HPP
/// @file
/// The shapes that run_bench measures, by the planner's plan, and layers whose heads share the lanes.

#include "hash_cases.hpp"

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace tests {

/// One layer whose packed weights are numbers of the stream as they come: a large layer has no room on the stack for others.
template <hs::dims D, std::size_t N, std::size_t M>
struct shape_case {
    using value_type = float;
    using layer = hs::multi_head<float, D>;
    static constexpr hs::plan_kind plan = layer::template plan<N, M>().kind;
    struct input_type {
        typename layer::packed_type packed;
        hs::matrix<float, D.d_model, N> q;
        hs::matrix<float, D.d_model, M> k, v;
    };
    static constexpr const char* name = "shape";
    static constexpr std::size_t sizes[] = {D.d_model, D.heads, D.d_k, N, M, static_cast<std::size_t>(plan)};

    [[nodiscard]] static constexpr input_type inputs(std::uint64_t seed) noexcept
    {
        input_type in{};
        integers from{seed};
        fill(in.packed.values, from), fill(in.q.elements, from), fill(in.k.elements, from), fill(in.v.elements, from);
        return in;
    }
    template <class Lanes>
    [[nodiscard]] static constexpr auto output(const input_type& in) noexcept
    {
        typename layer::template workspace<N, M, plan> scratch;
        hs::matrix<float, D.d_model, N> y;
        if constexpr (std::is_same_v<Lanes, called>) layer{in.packed}(in.q, in.k, in.v, y, scratch);
        else
            hs::detail::multi_head_into<Lanes, plan, hs::detail::equal_heads<float, D, hs::scaled_dot>>(
                in.packed, {}, hs::as_view(in.q), hs::as_view(in.k), hs::as_view(in.v), hs::as_view(y), scratch.values,
                hs::detail::sorted());
        return y;
    }
};

/// One query to a full cache of M tokens, always through the public functions.
template <hs::dims D, std::size_t M>
struct decode_case {
    using value_type = float;
    using layer = hs::multi_head<float, D>;
    struct input_type {
        typename layer::packed_type packed;
        hs::matrix<float, D.d_model, M> tokens;
    };
    static constexpr const char* name = "decode";
    static constexpr std::size_t sizes[] = {D.d_model, D.heads, D.d_k, M};

    [[nodiscard]] static constexpr input_type inputs(std::uint64_t seed) noexcept
    {
        input_type in{};
        integers from{seed};
        fill(in.packed.values, from), fill(in.tokens.elements, from);
        return in;
    }
    template <class Lanes>
    [[nodiscard]] static auto output(const input_type& in) noexcept
    {
        static const layer l{in.packed};
        static hs::kv_cache<float, D, M> cache;
        cache.reset();
        if (!l.append(cache, in.tokens, in.tokens)) cache.reset();
        return l(hs::as_view(in.tokens).column(0), cache);
    }
};

/// Attention without projections, one head.
using core_of_16 = attention_case<float, 16, 16, 32, 32>;
using core_of_32 = attention_case<float, 32, 32, 128, 128>;

using small_cases =
    std::tuple<shape_case<hs::dims{.d_model = 16, .heads = 2}, 8, 8>,
               shape_case<hs::dims{.d_model = 5, .heads = 2, .d_k = 8, .d_v = 8, .biases = hs::bias::all}, 3, 7>>;

using large_cases = std::tuple<
    shape_case<hs::dims{.d_model = 32, .heads = 4}, 16, 16>, shape_case<hs::dims{.d_model = 64, .heads = 4}, 32, 32>,
    shape_case<hs::dims{.d_model = 128, .heads = 8}, 64, 64>, shape_case<hs::dims{.d_model = 256, .heads = 8}, 128, 128>,
    shape_case<hs::dims{.d_model = 512, .heads = 8}, 128, 128>, shape_case<hs::dims{.d_model = 768, .heads = 12}, 128, 128>,
    shape_case<hs::dims{.d_model = 64, .heads = 4}, 1, 64>, shape_case<hs::dims{.d_model = 256, .heads = 8}, 1, 256>,
    shape_case<hs::dims{.d_model = 512, .heads = 8}, 1, 128>, decode_case<hs::dims{.d_model = 64, .heads = 4}, 128>,
    decode_case<hs::dims{.d_model = 256, .heads = 8}, 512>, decode_case<hs::dims{.d_model = 768, .heads = 12}, 512>,
    shape_case<hs::dims{.d_model = 40, .heads = 5}, 17, 23>, shape_case<hs::dims{.d_model = 100, .heads = 5}, 33, 33>,
    core_of_16, core_of_32, attention_case<float, 64, 64, 512, 512>,
    shape_case<hs::dims{.d_model = 35, .heads = 6, .d_k = 8, .d_v = 8, .biases = hs::bias::all}, 7, 261>>;

}  // namespace tests

#endif
