// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_LAYER_DIRECT_HPP
#define HEADSTRONG_LAYER_DIRECT_HPP
/// @file
/// The direct plan: keys and values are projected, queries lie in the lanes.

#include "headstrong/kernel/attend.hpp"
#include "headstrong/layer/run.hpp"
#include "headstrong/plan.hpp"
#include "headstrong/sizes.hpp"
#include "headstrong/weights.hpp"

#include <cstddef>
#include <type_traits>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// The queries `first` ... of one group of heads, the columns of q: their projections, attention, and their outputs to sink.
template <lanes L, std::size_t Heads, class Run, run_shape Shape, class Group, class Kinds, class Q, class Options, class Sink>
constexpr void attend_group(const Group& heads, const Kinds& kinds, Q q, std::size_t first, typename L::value_type* scratch,
                            bool finite, const Options& options, const Sink& sink)
{
    using T = typename L::value_type;
    using kind = typename Run::kind;
    constexpr std::size_t n = Shape.n, m = Shape.m, all = m + kind::appended, d_k = Run::d_k, d_v = Run::d_v;
    constexpr walk way = walk_for<T>(Shape);
    constexpr scratch_layout at = layout_of<T>(Shape, way);
    constexpr std::size_t block = way.query_panels * lane_count<T>;
    T* const output = scratch + at.output;

    heads.template project_queries<L>(q, scratch + at.queries);
    heads.prepare_queries(kinds, scratch + at.queries, q.columns, first);
    for (std::size_t h = 0; h < Group::heads; ++h) {
        const std::size_t kv = h / Group::queries_per_key;
        const auto queries = [&] {
            const T* const at_head = scratch + at.queries + h * d_k;
            // Of single numbers the last block takes the code of all others: which of them are queries is known when running.
            if constexpr (way.by_blocks && of_single_numbers<L>)
                return some_columns{matrix_view<const T, d_k, block, 1, Group::q_stride>{at_head}, q.columns};
            else return matrix_view<const T, d_k, Q::columns, 1, Group::q_stride>{at_head};
        }();
        const matrix_view<const T, d_k, all, 1, Group::k_stride> keys{scratch + at.keys + kv * d_k};
        const matrix_view<const T, d_v, all, 1, Group::v_stride> values{scratch + at.values + kv * d_v};
        const auto& own = kinds[heads.first_head() + h];
        with_scores_of(static_cast<const typename kind::score&>(own), queries, keys, [&](const auto& score) HEADSTRONG_INLINE {
            const auto t = treated_kind<Heads>(own, score, Run::at.head + heads.first_head() + h, n, m, options);
            for (std::size_t i = 0; i < q.columns; i += way.query_panels * L::size)
                attend<L, way.query_panels>(
                    queries, first + i, keys, values,
                    attend_memory<T>{scratch + at.query_lanes, scratch + at.scores, output + i * d_v, d_v * L::size}, t, finite,
                    first);
        });
        give_outputs<L, d_v>(output, heads.o_column(h), q,
                             [&](auto o, std::size_t token, std::size_t column)
                                 HEADSTRONG_INLINE { sink(o, first + token, column); });
    }
}

/// One run of equal heads by the direct plan: for each group of key/value heads its keys, values and queries, then for each
/// head its outputs, which go to sink(O, first, column of W^O), where O is a view of the outputs of the queries from `first`.
/// The layer has Heads heads.
template <lanes L, std::size_t Heads, class Run, packed_shape S, class Kinds, class Q, class K, class V, class Options,
          class Sink>
constexpr void walk_directly(const packed_weights<typename L::value_type, S>& w, const Kinds& kinds, Q q, K k, V v,
                             typename L::value_type* scratch, const Options& options, const Sink& sink)
{
    using T = typename L::value_type;
    using kind = typename Run::kind;
    constexpr std::size_t n = Q::columns, m = K::columns, all = m + kind::appended, d_v = Run::d_v;
    constexpr run_shape shape = shape_of_run<S, Run, n, m>;
    constexpr walk way = walk_for<T>(shape);
    constexpr scratch_layout at = layout_of<T>(shape, way);
    using group = head_group<T, S, Run, way.kv_heads>;
    constexpr std::size_t block = way.query_panels * lane_count<T>, rest = way.by_blocks ? n % block : 0;
    constexpr bool one_code = rest > 0 && of_single_numbers<L>;  // for whole blocks and the last, and keys and values like them
    const auto in_one_code = [&]<std::size_t Stride>(known<Stride>, auto x) HEADSTRONG_INLINE {
        using of_queries = decltype(columns_of<block>(q, 0));
        constexpr bool alike = Stride == group::q_stride && std::is_same_v<of_queries, decltype(columns_of<block>(x, 0))>;
        if constexpr (one_code && alike && m >= block) return some_columns{columns_of<block>(x, 0), x.columns};
        else return x;
    };

    for (std::size_t index = 0; index < group::count; ++index) {
        const group heads{w, index};
        heads.template project_keys<L>(in_one_code(known<group::k_stride>{}, k), scratch + at.keys);
        heads.template project_values<L>(in_one_code(known<group::v_stride>{}, v), scratch + at.values);
        heads.prepare_keys(kinds, scratch + at.keys, m, 0);
        heads.append(kinds, scratch + at.keys + m * group::k_stride, scratch + at.values + m * group::v_stride);
        const matrix_view<const T, way.kv_heads * d_v, all, 1, group::v_stride> all_values{scratch + at.values};
        const bool finite = !hides_values<kind, Options> || all_finite<L>(all_values);

        if constexpr (way.by_blocks) {
            const auto attend_block = [&](auto queries, std::size_t first) HEADSTRONG_INLINE {
                attend_group<L, Heads, Run, shape>(heads, kinds, queries, first, scratch, finite, options, sink);
            };
            if constexpr (one_code) {
                for (std::size_t first = 0; first < n; first += block)
                    attend_block(some_columns{columns_of<block>(q, first), smaller_of(n - first, block)}, first);
            } else {
                for (std::size_t first = 0; first + block <= n; first += block)
                    attend_block(columns_of<block>(q, first), first);
                if constexpr (rest > 0) attend_block(columns_of<rest>(q, n - rest), n - rest);
            }
        } else {
            attend_group<L, Heads, Run, shape>(heads, kinds, q, 0, scratch, finite, options, sink);
        }
    }
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
