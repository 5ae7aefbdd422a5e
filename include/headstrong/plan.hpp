// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_PLAN_HPP
#define HEADSTRONG_PLAN_HPP
/// @file
/// How a layer brackets its products and walks its heads and queries, and what a call costs: functions of the shape alone, so
/// that the arithmetic and the workspace are the same on every target.

#include "headstrong/kernel/absorb.hpp"
#include "headstrong/kernel/attend.hpp"
#include "headstrong/kernel/pack.hpp"
#include "headstrong/sizes.hpp"

#include <cstddef>

namespace headstrong {

/// What one call of a layer costs.
struct costs {
    std::size_t multiply_adds;    ///< of all products
    std::size_t exponentials;     ///< exponentials of all softmaxes
    std::size_t weight_bytes;     ///< of the packed layer
    std::size_t workspace_bytes;  ///< of workspace<n, m>

    /// Equal in every number.
    constexpr bool operator==(const costs&) const = default;
};

/// How the products of a layer are bracketed and its sums ordered. Plans differ by rounding; within one, the result of a query
/// does not depend on the other queries.
enum class plan_kind {
    direct,    ///< keys and values are projected: W_h^K K, W_h^V V
    absorbed,  ///< W_h^K goes to the query and W_h^V to the sum of values: ((W_h^K)^T W_h^Q q) . k_j, W_h^V (V p)
    streamed,  ///< as direct, but 128 keys at a time, in memory that does not grow with m
    folded     ///< (W_h^K)^T W_h^Q and W_h^O W_h^V are one matrix each, of a folded_multi_head
};

/// Asks a call for a plan other than the planner's: layer(q, k, v, by<plan_kind::direct>).
template <plan_kind Kind>
struct by_plan {
    static constexpr plan_kind kind = Kind;  ///< the plan that is asked for
};
/// `by<plan_kind::direct>` among the options of a call.
template <plan_kind Kind>
inline constexpr by_plan<Kind> by{};

/// The plan of a call and what it costs.
struct plan_cost {
    plan_kind kind;  ///< which one
    costs cost;      ///< of a call by it

    /// Equal kind and cost.
    constexpr bool operator==(const plan_cost&) const = default;
};

}  // namespace headstrong

namespace headstrong::detail::inline HEADSTRONG_TARGET {

/// One call of a run of equal heads, for the planner.
struct run_shape {
    std::size_t d_model, d_key, d_value, d_out, n, m;
    std::size_t heads, kv_heads, d_k, d_v;
    std::size_t appended;  ///< keys behind the m that are projected
    bool at_once;          ///< whether the scores are a function of all queries
};

[[nodiscard]] constexpr std::size_t multiply_adds_of(plan_kind kind, const run_shape& s) noexcept
{
    const std::size_t for_a_query = s.heads * (s.d_model * s.d_k + s.d_v * s.d_out);
    if (kind == plan_kind::absorbed)
        return s.n * (for_a_query + s.heads * (s.d_k * s.d_key + s.m * (s.d_key + s.d_value) + s.d_value * s.d_v));
    return s.n * (for_a_query + s.heads * (s.m + s.appended) * (s.d_k + s.d_v))
           + (kind == plan_kind::folded ? 0 : s.m * s.kv_heads * (s.d_key * s.d_k + s.d_value * s.d_v));
}

/// Directly, a run is walked in groups of key/value heads whose keys and values are projected together, for blocks of queries
/// that are so many panels wide. Both change memory and speed, never a bit of the result.
struct walk {
    std::size_t kv_heads;      ///< of one group; divides those of the run
    std::size_t query_panels;  ///< of one block
    bool by_blocks = false;    ///< queries and outputs are kept for one block of queries instead of all
};

/// Where the parts of the scratch memory lie, in numbers from its start.
struct scratch_layout {
    std::size_t keys, values, queries, query_lanes, scores, output, size;
};

template <class T>
[[nodiscard]] constexpr scratch_layout layout_of(const run_shape& s, const walk& p) noexcept
{
    const std::size_t block = p.query_panels * lane_count<T>;
    const std::size_t keys = s.m + s.appended, queries = p.by_blocks ? block : s.n;
    scratch_layout at{};
    at.keys = 0;
    at.values = at.keys + padded<T>(p.kv_heads * s.d_k) * keys;
    at.queries = at.values + padded<T>(p.kv_heads * s.d_v) * keys;
    at.query_lanes = at.queries + padded<T>(p.kv_heads * (s.heads / s.kv_heads) * s.d_k) * queries;
    at.scores = at.query_lanes + s.d_k * block;
    at.output = at.scores + keys * block;
    at.size = at.output + s.d_v * padded<T>(queries);
    return at;
}

/// Scratch memory that a walk may use before it takes smaller groups: within the first-level cache of small cores.
inline constexpr std::size_t comfortable_workspace_bytes = 40960;  // 40 KiB

/// The widest walk that stays comfortable; else the smallest by blocks if that does, which projects with fewer columns at once;
/// else the smallest. A group other than the whole run begins and ends at panels.
template <class T>
[[nodiscard]] constexpr walk walk_for(const run_shape& s) noexcept
{
    const std::size_t widest_block = smaller_of(panels_for<T>(s.n), most_query_panels);
    walk smallest{s.kv_heads, 1};
    std::size_t smallest_size = layout_of<T>(s, smallest).size;
    for (std::size_t panels = widest_block; panels >= 1; --panels)
        for (std::size_t groups = 1; groups <= s.kv_heads; ++groups) {
            const std::size_t kv = s.kv_heads / groups;
            const bool whole_panels = kv * s.d_k % lane_count<T> == 0 && kv * s.d_v % lane_count<T> == 0
                                      && kv * (s.heads / s.kv_heads) * s.d_k % lane_count<T> == 0;
            if (s.kv_heads % groups != 0 || (groups > 1 && !whole_panels)) continue;
            const walk candidate{kv, panels};
            const std::size_t size = layout_of<T>(s, candidate).size;
            if (size * sizeof(T) <= comfortable_workspace_bytes) return candidate;
            if (size < smallest_size) smallest = candidate, smallest_size = size;
        }
    const walk by_blocks{smallest.kv_heads, 1, true};
    const bool fits = layout_of<T>(s, by_blocks).size * sizeof(T) <= comfortable_workspace_bytes;
    return fits && !s.at_once ? by_blocks : smallest;
}

/// The keys of one block of the streamed plan, and from how many keys on the planner takes it.
inline constexpr std::size_t streamed_keys = 128, many_keys = 1024;

/// The same for the streamed plan, one group of heads at a time, for all queries.
struct streamed_layout {
    std::size_t kv_heads;  ///< of one group
    std::size_t keys, values, queries, query_lanes, scores, maxima, sums, output, size;
};

template <class T>
[[nodiscard]] constexpr streamed_layout streamed_layout_of(const run_shape& s) noexcept
{
    run_shape block = s;
    block.m = smaller_of(s.m, streamed_keys);
    streamed_layout at{};
    at.kv_heads = walk_for<T>(block).kv_heads;
    const std::size_t heads = at.kv_heads * (s.heads / s.kv_heads);
    at.keys = 0;
    at.values = at.keys + padded<T>(at.kv_heads * s.d_k) * block.m;
    at.queries = at.values + padded<T>(at.kv_heads * s.d_v) * block.m;
    at.query_lanes = at.queries + padded<T>(heads * s.d_k) * s.n;
    at.scores = at.query_lanes + s.d_k * lane_count<T>;
    at.maxima = at.scores + block.m * lane_count<T>;
    at.sums = at.maxima + heads * padded<T>(s.n);
    at.output = at.sums + heads * padded<T>(s.n);
    at.size = at.output + heads * s.d_v * padded<T>(s.n);
    return at;
}

/// The same for the folded plan, one head at a time. Keys and values have a row of ones more than the tokens where a bias was
/// folded, and only then lie here.
struct folded_layout {
    std::size_t query_panels;  ///< of one block
    std::size_t keys, values, queries, query_lanes, scores, output, size;
};

template <class T>
[[nodiscard]] constexpr folded_layout folded_layout_of(const run_shape& s) noexcept
{
    folded_layout at{};
    at.query_panels = smaller_of(panels_for<T>(s.n), most_query_panels);
    const std::size_t block = at.query_panels * lane_count<T>;
    at.keys = 0;
    at.values = at.keys + (s.d_k > s.d_key ? padded<T>(s.d_k * s.m) : 0);
    at.queries = at.values + (s.d_v > s.d_value ? padded<T>(s.d_v * s.m) : 0);
    at.query_lanes = at.queries + padded<T>(s.d_k) * s.n;
    at.scores = at.query_lanes + s.d_k * block;
    at.output = at.scores + s.m * block;
    at.size = at.output + s.d_v * padded<T>(s.n);
    return at;
}

/// The same for the absorbed plan, one query at a time.
struct absorbed_layout {
    std::size_t input, query, placed, absorbed, scores, factors, sums, output, size;
};

template <class T>
[[nodiscard]] constexpr absorbed_layout absorbed_layout_of(const run_shape& s) noexcept
{
    absorbed_layout at{};
    at.input = 0;
    at.query = at.input + padded<T>(s.d_model);
    at.placed = at.query + padded<T>(s.heads * s.d_k);
    at.absorbed = at.placed + panels_touched<T>(larger_of(s.d_k, s.d_v)) * lane_count<T>;
    at.scores = at.absorbed + s.heads * padded<T>(s.d_key);
    at.factors = at.scores + s.heads * padded<T>(s.m);
    at.sums = at.factors + padded<T>(s.heads);
    at.output = at.sums + s.heads * padded<T>(s.d_value);
    at.size = at.output + s.heads * s.d_v + lane_count<T>;  // the last head may be stored in whole panels
    at.size = padded<T>(at.size);
    return at;
}

}  // namespace headstrong::detail::inline HEADSTRONG_TARGET

#endif
