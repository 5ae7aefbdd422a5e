// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_LAYER_RUN_HPP
#define HEADSTRONG_LAYER_RUN_HPP
/// @file
/// What the plans share: the shape of a run of heads, its groups and their projections, and the scratch memory of a call.

#include "headstrong/heads.hpp"
#include "headstrong/kernel/project.hpp"
#include "headstrong/plan.hpp"
#include "headstrong/sizes.hpp"
#include "headstrong/view.hpp"
#include "headstrong/weights.hpp"

#include <cstddef>
#include <type_traits>

namespace headstrong::detail::inline HEADSTRONG_TARGET {

template <packed_shape S, class Run, std::size_t N, std::size_t M>
inline constexpr run_shape shape_of_run{S.d_model, S.d_key,  S.d_value,           S.d_out,
                                        N,         M,        Run::heads,          Run::kv_heads,
                                        Run::d_k,  Run::d_v, Run::kind::appended, matrix_score<typename Run::score>};

/// The multiply-adds of a call by a plan.
template <packed_shape S, class Runs, std::size_t N, std::size_t M>
[[nodiscard]] constexpr std::size_t multiply_adds_of(plan_kind kind) noexcept
{
    std::size_t sum = 0;
    Runs::for_each([&](auto run) { sum += multiply_adds_of(kind, shape_of_run<S, decltype(run), N, M>); });
    return sum;
}

/// The plan of a call: folded if the weights are; absorbed where it halves the multiply-adds, since its inner products sum
/// across lanes at the end; else streamed where many keys would not stay in the cache.
template <packed_shape S, class Runs, std::size_t N, std::size_t M>
[[nodiscard]] constexpr plan_kind choose_plan() noexcept
{
    if (S.folded()) return plan_kind::folded;
    const bool pays =
        2 * multiply_adds_of<S, Runs, N, M>(plan_kind::absorbed) < multiply_adds_of<S, Runs, N, M>(plan_kind::direct);
    if (Runs::can_be_absorbed && pays) return plan_kind::absorbed;
    return M >= many_keys && Runs::can_be_streamed ? plan_kind::streamed : plan_kind::direct;
}

/// The scratch memory of a call, in numbers: the most that any run needs.
template <class T, packed_shape S, class Runs, std::size_t N, std::size_t M>
[[nodiscard]] constexpr std::size_t scratch_size(plan_kind kind) noexcept
{
    std::size_t size = 0;
    Runs::for_each([&](auto run) {
        constexpr run_shape shape = shape_of_run<S, decltype(run), N, M>;
        size = larger_of(size, kind == plan_kind::absorbed   ? absorbed_layout_of<T>(shape).size
                               : kind == plan_kind::streamed ? streamed_layout_of<T>(shape).size
                               : kind == plan_kind::folded   ? folded_layout_of<T>(shape).size
                                                             : layout_of<T>(shape, walk_for<T>(shape)).size);
    });
    return size;
}

/// Whether a call may hide values, of which some may not be finite.
template <class Kind, class Options>
inline constexpr bool hides_values =
    Kind::has_modifier || !std::is_same_v<std::remove_cvref_t<decltype(Options::modifier)>, no_modifier>;

/// A bias of the packed weights, from row `row` on; null where the layer has none.
template <bias One, class T, packed_shape S>
[[nodiscard]] HEADSTRONG_INLINE constexpr const T* bias_at(const packed_weights<T, S>& w, std::size_t at,
                                                           std::size_t row) noexcept
{
    if constexpr (contains(S.biases, One)) return w.values + at + row;
    else return nullptr;
}

/// One group of key/value heads of a run, with their query heads, that are projected together: places in the packed weights,
/// and the numbers from one token to the next.
template <class T, packed_shape S, class Run, std::size_t KvHeads>
struct head_group {
    using packed = packed_weights<T, S>;
    static constexpr std::size_t count = Run::kv_heads / KvHeads, queries_per_key = Run::heads / Run::kv_heads;
    static constexpr std::size_t heads = KvHeads * queries_per_key;
    static constexpr std::size_t q_stride = padded<T>(heads * Run::d_k);
    static constexpr std::size_t k_stride = padded<T>(KvHeads * Run::d_k), v_stride = padded<T>(KvHeads * Run::d_v);

    const packed& w;
    std::size_t index;

    template <lanes L, class Q, class Finish = finish_as_it_is>
    HEADSTRONG_INLINE constexpr void project_queries(Q q, T* out, Finish finish = {}) const
    {
        const std::size_t row = Run::at.q_row + index * heads * Run::d_k;
        project_tokens<L, q_stride>(w.values + packed::w_q_at + row * S.d_model, bias_at<bias::q>(w, packed::b_q_at, row), q,
                                    out, finish);
    }
    template <lanes L, class K, class Finish = finish_as_it_is>
    HEADSTRONG_INLINE constexpr void project_keys(K k, T* out, Finish finish = {}) const
    {
        const std::size_t row = Run::at.k_row + index * KvHeads * Run::d_k;
        project_tokens<L, k_stride>(w.values + packed::w_k_at + row * S.d_key, bias_at<bias::k>(w, packed::b_k_at, row), k, out,
                                    finish);
    }
    template <lanes L, class V, class Finish = finish_as_it_is>
    HEADSTRONG_INLINE constexpr void project_values(V v, T* out, Finish finish = {}) const
    {
        const std::size_t row = Run::at.v_row + index * KvHeads * Run::d_v;
        project_tokens<L, v_stride>(w.values + packed::w_v_at + row * S.d_value, bias_at<bias::v>(w, packed::b_v_at, row), v,
                                    out, finish);
    }
    /// The first query head of the group among those of the run.
    [[nodiscard]] HEADSTRONG_INLINE constexpr std::size_t first_head() const noexcept { return index * heads; }

    /// Between projection and score: transforms of the heads' kinds, for `tokens` tokens at positions `first` ...
    template <class Kinds>
    HEADSTRONG_INLINE constexpr void prepare_queries(const Kinds& kinds, T* queries, std::size_t tokens,
                                                     std::size_t first) const
    {
        if constexpr (Run::kind::transforms_keys)
            for (std::size_t h = 0; h < heads; ++h)
                transform_columns<true, Run::d_k>(kinds[first_head() + h], queries + h * Run::d_k, q_stride, tokens, first);
    }
    template <class Kinds>
    HEADSTRONG_INLINE constexpr void prepare_keys(const Kinds& kinds, T* keys, std::size_t tokens, std::size_t first) const
    {
        if constexpr (Run::kind::transforms_keys)
            for (std::size_t kv = 0; kv < KvHeads; ++kv)
                transform_columns<false, Run::d_k>(kinds[first_head() + kv * queries_per_key], keys + kv * Run::d_k, k_stride,
                                                   tokens, first);
    }
    /// Tokens that the kinds append, behind the keys and values that are projected.
    template <class Kinds>
    HEADSTRONG_INLINE constexpr void append(const Kinds& kinds, T* keys, T* values) const
    {
        if constexpr (Run::kind::appended > 0)
            for (std::size_t kv = 0; kv < KvHeads; ++kv)
                append_tokens(kinds[first_head() + kv * queries_per_key], keys + kv * Run::d_k, k_stride, Run::d_k,
                              values + kv * Run::d_v, v_stride, Run::d_v);
    }
    /// The first column of W^O of query head h of the group.
    [[nodiscard]] HEADSTRONG_INLINE constexpr std::size_t o_column(std::size_t h) const noexcept
    {
        return Run::at.o_column + (index * heads + h) * Run::d_v;
    }
};

/// Columns first ... first + Count - 1 of a view.
template <std::size_t Count, class X>
[[nodiscard]] HEADSTRONG_INLINE constexpr auto columns_of(X x, std::size_t first) noexcept
{
    using T = std::remove_pointer_t<decltype(x.data)>;
    return matrix_view<T, X::rows, Count, X::row_stride, X::column_stride>{x.data + first * X::column_stride};
}

/// The outputs of one head, queries in the lanes, panel by panel to sink(O, first, column): O is a view of the outputs of the
/// queries from `first` on, column that of W^O. There are as many as q has columns.
template <lanes L, std::size_t DV, class Q, class Sink>
HEADSTRONG_INLINE constexpr void give_outputs(const typename L::value_type* output, std::size_t column, Q q, const Sink& sink)
{
    constexpr std::size_t n = columns_by_type<Q>, end = n / L::size * L::size;
    const auto view = [&]<std::size_t Count>(std::size_t first) HEADSTRONG_INLINE {
        return outputs_in_lanes<const typename L::value_type, DV, Count, L::size>{{output + first * DV}};
    };
    // One code for whole and last panels, slower for the last, pays where that is one of many.
    constexpr bool one_code = counts_when_running<Q> || (end < n && (are_of_cortex_m<L> || n > 4 * L::size));
    if constexpr (of_single_numbers<L> && one_code) {
        for (std::size_t first = 0; first < q.columns; first += L::size) {
            const auto panel = view.template operator()<L::size>(first);
            sink(some_columns{panel, smaller_of(q.columns - first, L::size)}, first, column);
        }
    } else {
        for (std::size_t first = 0; first < end; first += L::size)
            sink(view.template operator()<L::size>(first), first, column);
        if constexpr (end < n) sink(view.template operator()<n - end>(end), end, column);
    }
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
