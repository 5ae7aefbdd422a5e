// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_EXACT_FURTHER_CASES_HPP
#define HEADSTRONG_TESTS_EXACT_FURTHER_CASES_HPP
/// @file
/// What the hash covers beside plain layers: plans, masks, scores, kinds of heads, results, caches.

#include "hash_cases.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <ratio>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tests {

/// Parameters of a score or feature, if it has them.
template <class Kind>
constexpr void fill_kind(Kind& kind, integers& from) noexcept
{
    const auto fill_matrix = [&](auto& x) { fill(x.elements, from); };
    if constexpr (requires { kind.factor; }) kind.factor = number<decltype(kind.factor)>(from);
    if constexpr (requires { kind.logit; }) kind.logit = number<decltype(kind.logit)>(from);
    if constexpr (requires { kind.w.elements; }) fill_matrix(kind.w);
    if constexpr (requires { kind.w_q; }) fill_matrix(kind.w_q), fill_matrix(kind.w_k);
    if constexpr (requires { kind.query_gain; }) fill_matrix(kind.query_gain), fill_matrix(kind.key_gain);
    if constexpr (requires { kind.key.elements; }) fill_matrix(kind.key), fill_matrix(kind.value);
}

/// No options.
struct no_options {
    template <class T, std::size_t Heads, std::size_t N, std::size_t M>
    struct data {
        std::uint64_t seed;
        template <class F>
        constexpr void with(F f) const noexcept
        {
            f();
        }
    };
};

/// Masks and biases of every kind at once; the last key is hidden from all.
struct every_mask {
    template <class T, std::size_t Heads, std::size_t N, std::size_t M>
    struct data {
        std::uint64_t seed;
        template <class F>
        constexpr void with(F f) const noexcept
        {
            const auto numbers = filled<hs::matrix<T, M, N>>(seed), bias = filled<hs::matrix<T, M, N>>(seed + 1);
            hs::matrix<bool, M, N> kept{};
            for (std::size_t i = 0; i < M * N; ++i) kept.elements[i] = numbers.elements[i] > T{-0.75};
            std::array<int, N> of_queries{};
            std::array<int, M> of_keys{};
            for (std::size_t i = 0; i < N; ++i) of_queries[i] = i + 2 < N ? 1 : 2;
            for (std::size_t j = 0; j < M; ++j) of_keys[j] = j % 5 == 4 ? 2 : 1;
            T table[8][Heads] = {};
            integers from{seed + 2};
            for (auto& row : table) fill(row, from);
            f((hs::valid_keys{M - 1} & hs::prefix_causal{M / 2, 3} & hs::window_from{2, 9, 4} & hs::keep(kept)
               & hs::documents(of_queries, of_keys))
                  + hs::score_bias(bias),
              hs::t5<true>(table), hs::modify([](auto score, std::size_t, auto i, auto j) {
                  return fma(i, j * decltype(i)::broadcast(static_cast<T>(0.01)), score);
              }));
        }
    };
};

/// The other masks.
struct more_masks {
    template <class T, std::size_t Heads, std::size_t N, std::size_t M>
    struct data {
        std::uint64_t seed;
        template <class F>
        constexpr void with(F f) const noexcept
        {
            std::array<hs::matrix<bool, M, N>, Heads> dropped{};
            integers from{seed};
            for (auto& of_head : dropped)
                for (bool& one : of_head.elements) one = from.next() % 4 == 0;
            std::array<bool, M> kept{};
            for (std::size_t j = 0; j < M; ++j) kept[j] = j % 7 != 3;
            f(hs::causal_from{2} & hs::valid_queries{N - 1}, hs::drop(dropped) & hs::keep_keys(kept),
              hs::alibi<hs::slopes::geometric, hs::corner::top_left>{});
        }
    };
};

/// One layer with features and options, by one plan; asked for all results, which are part of the hash.
template <class T, hs::dims D, std::size_t N, std::size_t M, class Options, hs::plan_kind Plan, class Score, class... Features>
struct feature_case {
    using value_type = T;
    using layer = hs::multi_head<T, D, Score, Features...>;
    using runs = hs::detail::equal_heads<T, D, Score, Features...>;
    using options = typename Options::template data<T, D.heads, N, M>;
    static constexpr std::size_t keys = M + runs::appended;
    struct input_type {
        layer l;
        hs::matrix<T, D.d_model, N> q;
        hs::matrix<T, D.d_key, M> k;
        hs::matrix<T, D.d_value, M> v;
        options with;
    };
    struct output_type {
        T elements[D.d_out * N + D.heads * keys * N + D.heads * N];
    };
    static constexpr const char* name = "features";
    static constexpr std::size_t sizes[] = {D.d_model, D.heads, D.d_k, D.d_v, N, M, D.kv_heads, static_cast<std::size_t>(Plan),
                                            keys};

    [[nodiscard]] static constexpr layer layer_of(std::uint64_t seed) noexcept
    {
        const auto plain = filled_weights<T, D>(seed);
        typename layer::weights_type w{plain.w_q, plain.w_k, plain.w_v, plain.w_o, plain.b_q,
                                       plain.b_k, plain.b_v, plain.b_o, {}};
        integers from{seed + 7};
        for (auto& kind : w.kinds) fill_kind(kind, from);
        return layer{w};
    }
    [[nodiscard]] static constexpr input_type inputs(std::uint64_t seed) noexcept
    {
        return {layer_of(seed),
                filled<decltype(input_type::q)>(seed + 1),
                filled<decltype(input_type::k)>(seed + 2),
                filled<decltype(input_type::v)>(seed + 3),
                {seed + 4}};
    }
    template <class Lanes>
    [[nodiscard]] static constexpr output_type output(const input_type& in) noexcept
    {
        typename layer::template workspace<N, M, Plan> scratch;
        hs::matrix<T, D.d_out, N> y;
        std::array<hs::matrix<T, keys, N>, D.heads> weights;
        hs::matrix<T, D.heads, N> log_sums;
        in.with.with([&](const auto&... some) {
            if constexpr (std::is_same_v<Lanes, called>) {
                in.l(in.q, in.k, in.v, y, scratch, some..., hs::weights_into(weights), hs::log_sum_exp_into(log_sums));
            } else {
                hs::detail::multi_head_into<Lanes, Plan, runs>(
                    in.l.packed, in.l.kinds, hs::as_view(in.q), hs::as_view(in.k), hs::as_view(in.v), hs::as_view(y),
                    scratch.values, hs::detail::sorted(some..., hs::weights_into(weights), hs::log_sum_exp_into(log_sums)));
            }
        });
        output_type all{};
        T* end = all.elements;
        for (const T x : y.elements) *end++ = x;
        for (const auto& of_head : weights)
            for (const T x : of_head.elements) *end++ = x;
        for (const T x : log_sums.elements) *end++ = x;
        return all;
    }
};

/// As feature_case, with a rotary embedding whose table is part of the case.
template <class T, hs::dims D, std::size_t N, hs::rotation Pairs, class Score, class... Features>
struct rotary_case {
    using value_type = T;
    using table = hs::rotary_table<T, D.d_k, N>;
    using layer =
        hs::multi_head<T, D, Score, Features..., hs::rotary<Pairs, T, D.d_k, N>, hs::causal<hs::corner::bottom_right>>;
    using runs =
        hs::detail::equal_heads<T, D, Score, Features..., hs::rotary<Pairs, T, D.d_k, N>, hs::causal<hs::corner::bottom_right>>;
    struct input_type {
        typename layer::weights_type weights;
        table turns;
        hs::matrix<T, D.d_model, N> x;
    };
    static constexpr const char* name = "rotary";
    static constexpr std::size_t sizes[] = {D.d_model, D.heads, D.d_k, D.d_v, N, static_cast<std::size_t>(Pairs)};

    [[nodiscard]] static constexpr input_type inputs(std::uint64_t seed) noexcept
    {
        const auto plain = filled_weights<T, D>(seed);
        input_type in{{plain.w_q, plain.w_k, plain.w_v, plain.w_o, plain.b_q, plain.b_k, plain.b_v, plain.b_o, {}},
                      hs::make_rotary_table<T, D.d_k, N>(),
                      filled<hs::matrix<T, D.d_model, N>>(seed + 1)};
        integers from{seed + 7};
        for (auto& kind : in.weights.kinds) fill_kind(kind, from);
        return in;
    }
    /// The outputs of the whole sequence; where `called`, token by token through a cache, whose bits are the same.
    template <class Lanes>
    [[nodiscard]] static constexpr auto output(const input_type& in) noexcept
    {
        auto weights = in.weights;
        for (auto& kind : weights.kinds) kind.table = &in.turns;
        const layer l{weights};
        hs::matrix<T, D.d_out, N> y{};
        if constexpr (std::is_same_v<Lanes, called>) {
            hs::kv_cache<T, D, N> cache{};
            for (std::size_t i = 0; i < N; ++i) {
                const auto token = hs::as_view(in.x).column(i);
                if (!l.append(cache, token, token)) return y;
                const auto column = l(token, cache);
                for (std::size_t r = 0; r < D.d_out; ++r) y(r, i) = column(r, 0);
            }
        } else {
            typename layer::template workspace<N, N, hs::plan_kind::direct> scratch;
            const auto x = hs::as_view(in.x);
            hs::detail::multi_head_into<Lanes, hs::plan_kind::direct, runs>(l.packed, l.kinds, x, x, x, hs::as_view(y),
                                                                            scratch.values, hs::detail::sorted());
        }
        return y;
    }
};

/// Heads of three kinds.
template <class T>
struct mixed_case {
    using value_type = T;
    static constexpr std::size_t n = 9, m = 18;
    using layer =
        hs::mixed_multi_head<T, hs::widths{.d_model = 6, .d_key = 4, .d_out = 5, .biases = hs::bias::all},
                             hs::head<3, 4, hs::scaled_dot, hs::causal<hs::corner::bottom_right>>,
                             hs::head<2, 5, hs::dot_times_ratio<std::ratio<2, 3>>, hs::window<2, 3, hs::corner::top_left>>,
                             hs::head<1, 1, hs::negative_squared_distance<>, hs::sink<T>>>;
    struct input_type {
        layer l;
        hs::matrix<T, 6, n> q;
        hs::matrix<T, 4, m> k;
        hs::matrix<T, 6, m> v;
    };
    static constexpr const char* name = "mixed";
    static constexpr std::size_t sizes[] = {n, m};

    [[nodiscard]] static constexpr input_type inputs(std::uint64_t seed) noexcept
    {
        typename layer::weights_type w{};
        integers from{seed};
        boost::hana::for_each(w.heads, [&](auto& head) {
            fill(head.w_q.elements, from), fill(head.w_k.elements, from), fill(head.w_v.elements, from),
                fill(head.w_o.elements, from);
            fill(head.b_q.elements, from), fill(head.b_k.elements, from), fill(head.b_v.elements, from);
            fill_kind(head.kind, from);
        });
        fill(w.b_o.elements, from);
        return {layer{w}, filled<hs::matrix<T, 6, n>>(seed + 1), filled<hs::matrix<T, 4, m>>(seed + 2),
                filled<hs::matrix<T, 6, m>>(seed + 3)};
    }
    template <class Lanes>
    [[nodiscard]] static constexpr auto output(const input_type& in) noexcept
    {
        typename layer::template workspace<n, m> scratch;
        hs::matrix<T, 5, n> y;
        if constexpr (std::is_same_v<Lanes, called>) in.l(in.q, in.k, in.v, y, scratch);
        else
            hs::detail::multi_head_into<Lanes, hs::plan_kind::direct, runs_of<layer>>(
                in.l.packed, in.l.kinds, hs::as_view(in.q), hs::as_view(in.k), hs::as_view(in.v), hs::as_view(y),
                scratch.values, hs::detail::sorted());
        return y;
    }

private:
    template <hs::packed_shape S, class Runs>
    static Runs runs_base(const hs::basic_multi_head<T, S, Runs>&);
    template <class Layer>
    using runs_of = decltype(runs_base(std::declval<const Layer&>()));
};

/// Scores of the user's own: of lanes, and of whole matrices, and all stages of the scores.
template <class T>
struct own_score_case {
    using value_type = T;
    static constexpr std::size_t n = 18, m = 9;
    struct input_type {
        hs::matrix<T, 5, n> q;
        hs::matrix<T, 5, m> k;
        hs::matrix<T, 3, m> v;
    };
    struct output_type {
        T elements[2 * 3 * n + 2 * m * n];
    };
    static constexpr const char* name = "own_score";
    static constexpr std::size_t sizes[] = {n, m};

    [[nodiscard]] static constexpr input_type inputs(std::uint64_t seed) noexcept
    {
        return {filled<hs::matrix<T, 5, n>>(seed + 1), filled<hs::matrix<T, 5, m>>(seed + 2),
                filled<hs::matrix<T, 3, m>>(seed + 3)};
    }
    template <class Lanes>
    [[nodiscard]] static constexpr output_type output(const input_type& in) noexcept
    {
        const hs::in_lanes nearness([](auto q, auto k) {
            auto sum = q[0] - k[0];
            for (std::size_t r = 1; r < q.size(); ++r) sum = fma(q[r], k[r], larger(sum, k[r]));
            return sum;
        });
        const hs::of_matrices products([](auto q, auto k) {
            hs::matrix<T, decltype(k)::columns, decltype(q)::columns> scores{};
            for (std::size_t i = 0; i < decltype(q)::columns; ++i)
                for (std::size_t j = 0; j < decltype(k)::columns; ++j)
                    for (std::size_t r = 0; r < decltype(q)::rows; ++r) scores(j, i) = hs::fma(q(r, i), k(r, j), scores(j, i));
            return scores;
        });
        hs::matrix<T, 3, n> y[2];
        hs::matrix<T, m, n> scaled, masked;
        const hs::causal_from<1> mask;
        if constexpr (std::is_same_v<Lanes, called>) {
            y[0] = hs::attention(in.q, in.k, in.v, nearness, mask, hs::scores_into<hs::score_stage::scaled>(scaled));
            y[1] = hs::attention(in.q, in.k, in.v, products, mask, hs::scores_into<hs::score_stage::masked>(masked));
        } else {
            hs::attention_workspace<T, 5, 3, n, m> scratch;
            const auto q = hs::as_view(in.q);
            const auto k = hs::as_view(in.k);
            const auto v = hs::as_view(in.v);
            hs::detail::attention_into<Lanes>(q, k, v, hs::as_view(y[0]), scratch, nearness,
                                              hs::detail::sorted(mask, hs::scores_into<hs::score_stage::scaled>(scaled)));
            hs::detail::attention_into<Lanes>(q, k, v, hs::as_view(y[1]), scratch, products,
                                              hs::detail::sorted(mask, hs::scores_into<hs::score_stage::masked>(masked)));
        }
        output_type all{};
        T* end = all.elements;
        for (const auto& one : y)
            for (const T x : one.elements) *end++ = x;
        for (const T x : scaled.elements) *end++ = x;
        for (const T x : masked.elements) *end++ = x;
        return all;
    }
};

struct tanh_function {
    static constexpr const char* name = "tanh";
    constexpr auto operator()(auto x) const noexcept { return hs::tanh(x); }
};
struct log_of_square {
    static constexpr const char* name = "log";
    constexpr auto operator()(auto x) const noexcept { return hs::log(x * x); }
};

using causal = hs::causal<hs::corner::bottom_right>;
using near = hs::alibi<hs::slopes::interleaved, hs::corner::bottom_right>;

/// Small enough for constant evaluation.
using small_cases = std::tuple<
    layer_case<float, hs::dims{.d_model = 17, .heads = 2, .d_k = 3, .d_v = 5, .biases = hs::bias::all}, 2, 17,
               hs::plan_kind::absorbed>,
    layer_case<double, hs::dims{.d_model = 9, .heads = 2, .d_k = 2, .d_v = 3, .kv_heads = 1}, 1, 9, hs::plan_kind::absorbed>,
    layer_case<float, hs::dims{.d_model = 2, .biases = hs::bias::all}, 1, 131, hs::plan_kind::streamed>,
    layer_case<
        float,
        hs::dims{
            .d_model = 3, .heads = 2, .d_k = 4, .d_v = 2, .d_key = 2, .d_value = 5, .kv_heads = 1, .biases = hs::bias::all},
        3, 5, hs::plan_kind::folded>,
    feature_case<float, hs::dims{.d_model = 4, .heads = 2, .d_k = 3}, 3, 6, every_mask, hs::plan_kind::direct, hs::scaled_dot>,
    feature_case<float, hs::dims{.d_model = 4, .heads = 3, .d_k = 2, .kv_heads = 1}, 2, 5, no_options, hs::plan_kind::direct,
                 hs::soft_capped<std::ratio<3, 2>, hs::dot_times<float>>, near, causal, hs::sink<float>>,
    rotary_case<float, hs::dims{.d_model = 4, .heads = 1, .d_k = 4}, 3, hs::rotation::half_split, hs::scaled_dot,
                hs::rms_norm<float, 4>>,
    function_case<float, tanh_function, 16, 4>, function_case<double, log_of_square, 8, 4>,
    residual_case<float, hs::dims{.d_model = 5, .heads = 2, .d_k = 3, .d_v = 5}, 3>, attention_case<float, 5, 3, 17, 2>,
    attention_case<double, 3, 5, 2, 9>, softmax_case<float, 17, 3>, softmax_case<double, 9, 2>, multiply_case<float, 17, 3, 5>,
    multiply_case<double, 3, 5, 2>, exp_case<float, 64, 64>, exp_case<double, 16, 512>>;

using large_cases = std::tuple<
    layer_case<float,
               hs::dims{.d_model = 35,
                        .heads = 8,
                        .d_k = 15,
                        .d_v = 17,
                        .d_key = 2,
                        .d_value = 3,
                        .d_out = 5,
                        .kv_heads = 2,
                        .biases = hs::bias::all},
               3, 35, hs::plan_kind::absorbed>,
    layer_case<double, hs::dims{.d_model = 16, .heads = 3, .d_k = 17, .d_v = 8, .d_key = 35, .d_value = 33}, 2, 131,
               hs::plan_kind::absorbed>,
    layer_case<
        float,
        hs::dims{
            .d_model = 5, .heads = 6, .d_k = 3, .d_v = 17, .d_key = 7, .d_value = 4, .kv_heads = 2, .biases = hs::bias::all},
        17, 261, hs::plan_kind::streamed>,
    layer_case<double, hs::dims{.d_model = 3, .heads = 2, .d_k = 8, .d_v = 2}, 9, 130, hs::plan_kind::streamed>,
    layer_case<float,
               hs::dims{.d_model = 17, .heads = 3, .d_k = 35, .d_v = 16, .d_key = 16, .biases = hs::bias::q | hs::bias::v}, 35,
               17, hs::plan_kind::folded>,
    layer_case<double, hs::dims{.d_model = 5, .heads = 2, .d_k = 9, .biases = hs::bias::k}, 9, 130, hs::plan_kind::folded>,
    feature_case<double, hs::dims{.d_model = 5, .heads = 2, .d_k = 3, .d_v = 17}, 17, 35, every_mask, hs::plan_kind::direct,
                 hs::scaled_dot, hs::sink<double>>,
    feature_case<float, hs::dims{.d_model = 5, .heads = 4, .d_k = 3, .d_v = 2, .kv_heads = 2}, 2, 35, every_mask,
                 hs::plan_kind::absorbed, hs::dot, hs::sink<float>>,
    feature_case<float, hs::dims{.d_model = 5, .heads = 2, .d_k = 5}, 17, 150, every_mask, hs::plan_kind::streamed,
                 hs::soft_capped<std::ratio<2>>, near, hs::sink<float>>,
    feature_case<float, hs::dims{.d_model = 5, .heads = 2, .d_k = 5, .d_v = 3}, 17, 19, no_options, hs::plan_kind::direct,
                 hs::additive<float, 4, 5>, causal, hs::appended_token<float, 5, 3>, hs::appended_zero>,
    feature_case<double, hs::dims{.d_model = 5, .heads = 2, .d_k = 3}, 9, 9, no_options, hs::plan_kind::direct,
                 hs::bilinear<double, 3>, hs::window<3, 1>>,
    feature_case<float, hs::dims{.d_model = 5, .heads = 2, .d_k = 3}, 17, 9, no_options, hs::plan_kind::direct,
                 hs::cosine<std::ratio<7>>, hs::l2_norm<float>>,
    feature_case<float, hs::dims{.d_model = 5, .heads = 3, .d_k = 2}, 17, 18, more_masks, hs::plan_kind::direct,
                 hs::scaled_dot>,
    mixed_case<double>, own_score_case<float>,
    feature_case<double, hs::dims{.d_model = 5, .heads = 1, .d_k = 5}, 3, 17, no_options, hs::plan_kind::direct,
                 hs::negative_squared_distance<>>,
    rotary_case<float, hs::dims{.d_model = 16, .heads = 4, .d_k = 6, .d_v = 5, .kv_heads = 2, .biases = hs::bias::all}, 19,
                hs::rotation::interleaved, hs::dot_times<float>, hs::sink<float>>,
    rotary_case<double, hs::dims{.d_model = 9, .heads = 2, .d_k = 8, .d_v = 3}, 17, hs::rotation::half_split, hs::scaled_dot,
                hs::rms_norm<double, 8>>,
    function_case<float, tanh_function, 2048, 16>, function_case<double, tanh_function, 2048, 32>,
    function_case<float, log_of_square, 2048, 1024>, function_case<double, log_of_square, 2048, 1024>,
    layer_case<float, hs::dims{.d_model = 16, .heads = 8, .d_k = 3, .d_v = 5, .kv_heads = 2, .biases = hs::bias::all}, 17, 35>,
    layer_case<float, hs::dims{.d_model = 131, .heads = 1, .d_k = 130, .d_v = 131, .biases = hs::bias::all}, 18, 5>,
    layer_case<float, hs::dims{.d_model = 9, .heads = 1, .d_k = 40, .d_v = 40, .biases = hs::bias::all}, 86, 67>,
    attention_case<float, 35, 17, 16, 35>, softmax_case<float, 35, 35>, multiply_case<float, 35, 17, 35>,
    multiply_case<double, 3, 131, 2>, exp_case<float, 4096, 128>, exp_case<double, 4096, 1024>>;

}  // namespace tests

#endif
