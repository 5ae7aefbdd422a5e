// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_LAYER_PAIRED_HPP
#define HEADSTRONG_LAYER_PAIRED_HPP
/// @file
/// The direct plan for few queries and small heads: two heads share the lanes, which one alone would leave half empty. Lane
/// 2 i is query i of the first head, lane 2 i + 1 of the second; their keys and values lie in turns, too. No sum is ordered
/// otherwise.

#include "headstrong/kernel/project.hpp"
#include "headstrong/kernel/softmax.hpp"
#include "headstrong/kernel/tile.hpp"
#include "headstrong/kernel/transpose.hpp"
#include "headstrong/layer/run.hpp"
#include "headstrong/plan.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// Whether heads of a run share the lanes of a call of n queries: two of them fill a register with a token's numbers and with
/// queries, and nothing but scale and softmax is done to the scores.
template <lanes L, class Run, std::size_t N, class Options>
[[nodiscard]] constexpr bool heads_share_lanes() noexcept
{
    using score = typename Run::score;
    if constexpr (requires(const typename L::value_type* p) { L::alternate(p); }
                  && inner_product_score<score> && std::is_empty_v<typename Run::kind>)
        return 2 * Run::d_k == L::size && 2 * Run::d_v == L::size && 2 * N <= L::size && Run::heads % 2 == 0
               && Run::heads == Run::kv_heads && Run::kind::appended == 0 && !Run::kind::transforms_keys
               && decltype(treated_kind<1>(typename Run::kind{}, score{}, 0, 0, 0, std::declval<const Options&>()))::plain;
    else return false;
}

/// The queries of two heads, in turns: number c of query i of both, at tokens + i * Stride + 2 c, to lanes 2 i and 2 i + 1 of
/// panel c. Lanes behind the last query are zero.
template <lanes L, std::size_t N, std::size_t Stride>
HEADSTRONG_STEP constexpr void pairs_to_lanes(const typename L::value_type* tokens, typename L::value_type* panels) noexcept
{
    using vector = typename L::vector;
    using reg = typename L::pair_register_type;
    constexpr std::size_t width = vector::size / 2, pairs = L::size / 2;
    const auto load = [&](std::size_t c, std::size_t i) HEADSTRONG_STEP {
        return __builtin_bit_cast(reg, i < N ? vector::load(tokens + i * Stride + 2 * c) : vector::broadcast(0));
    };
    const auto transpose_block = [&]<std::size_t... I>(std::size_t c, std::size_t i,
                                                       std::index_sequence<I...>) HEADSTRONG_STEP {
        reg rows[] = {load(c, i + I)...};
        transpose(rows);
        (vector::store(panels + (c + I) * L::size + 2 * i, __builtin_bit_cast(typename L::register_type, rows[I])), ...);
    };
    for (std::size_t c = 0; c < pairs; c += width)
        for (std::size_t i = 0; i < pairs; i += width) transpose_block(c, i, std::make_index_sequence<width>{});
}

/// As walk_directly.
template <lanes L, class Run, packed_shape S, class Q, class K, class V, class Sink>
HEADSTRONG_KERNEL constexpr void walk_in_pairs(const packed_weights<typename L::value_type, S>& w, Q q, K k, V v,
                                               typename L::value_type* scratch, const Sink& sink)
{
    using T = typename L::value_type;
    constexpr std::size_t n = Q::columns, m = K::columns, d = Run::d_k;
    constexpr run_shape shape = shape_of_run<S, Run, n, m>;
    constexpr walk way = walk_for<T>(shape);
    constexpr scratch_layout at = layout_of<T>(shape, way);
    using group = head_group<T, S, Run, way.kv_heads>;
    constexpr std::size_t stride = group::k_stride;
    const L scale = L::broadcast(query_scale<T, d>(typename Run::score{}));
    T *const query_lanes = scratch + at.query_lanes, *const scores = scratch + at.scores, *const output = scratch + at.output;
    const auto in_turns = [](std::size_t, std::size_t, const L& sum) HEADSTRONG_STEP { return halves_dealt(sum); };
    const auto scaled = [&](std::size_t, std::size_t, const L& sum) HEADSTRONG_STEP { return halves_dealt(sum * scale); };
    const auto weighted = [&](const L& factor) HEADSTRONG_STEP {
        return [=](std::size_t, std::size_t, const L& sum) HEADSTRONG_STEP { return product(sum, factor); };
    };

    for (std::size_t index = 0; index < group::count; ++index) {
        const group heads{w, index};
        heads.template project_keys<L>(k, scratch + at.keys, in_turns);
        heads.template project_values<L>(v, scratch + at.values, in_turns);
        heads.template project_queries<L>(q, scratch + at.queries, scaled);
        for (std::size_t h = 0; h < group::heads; h += 2) {
            const pair_view<const T, d, m, 2, stride> keys{{scratch + at.keys + h * d}};
            const pair_view<const T, m, d, stride, 2> values{{scratch + at.values + h * d}};
            pairs_to_lanes<L, n, stride>(scratch + at.queries + h * d, query_lanes);
            multiply_panels<L>(lanes_at<const T>{query_lanes, 0, L::size}, known<1>{}, keys, lanes_at<T>{scores, 0, L::size},
                               false, start_with_zero<L>{}, finish_as_it_is{});
            const L factor = softmax_numerators<L>(scores, m);
            multiply_panels<L>(lanes_at<const T>{scores, 0, L::size}, known<1>{}, values, lanes_at<T>{output, 0, L::size},
                               false, start_with_zero<L>{}, weighted(factor));
            for (std::size_t other = 0; other < 2; ++other)
                sink(matrix_view<const T, d, n, L::size, 2>{output + other}, 0, heads.o_column(h + other));
        }
    }
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
