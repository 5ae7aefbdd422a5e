// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_EXACT_HASH_CASES_HPP
#define HEADSTRONG_TESTS_EXACT_HASH_CASES_HPP
/// @file
/// The computations whose bits are compared between compilers, flags, instruction sets and constant evaluation. Each case
/// makes its inputs from a seed and its output from the inputs, with given lanes or, where Lanes is `called`, through the
/// public function.

#include "inputs.hpp"

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace tests {

/// In place of lanes: the public function, which takes its lanes itself.
struct called {};

/// One layer, n queries, m keys, by one plan.
template <class T, hs::dims D, std::size_t N, std::size_t M, hs::plan_kind Plan = hs::plan_kind::direct>
struct layer_case {
    using value_type = T;
    static constexpr bool folded = Plan == hs::plan_kind::folded;
    using layer = std::conditional_t<folded, hs::folded_multi_head<T, D>, hs::multi_head<T, D>>;
    using heads = std::conditional_t<folded, hs::detail::folded_heads<T, D, hs::scaled_dot>,
                                     hs::detail::equal_heads<T, D, hs::scaled_dot>>;
    struct input_type {
        layer l;
        hs::matrix<T, D.d_model, N> q;
        hs::matrix<T, D.d_key, M> k;
        hs::matrix<T, D.d_value, M> v;
    };
    static constexpr const char* name = Plan == hs::plan_kind::direct     ? "layer"
                                        : Plan == hs::plan_kind::absorbed ? "layer_absorbed"
                                        : Plan == hs::plan_kind::streamed ? "layer_streamed"
                                                                          : "layer_folded";
    static constexpr std::size_t sizes[] = {
        D.d_model, D.heads, D.d_k, D.d_v, N, M, D.d_key, D.d_value, D.d_out, D.kv_heads, static_cast<std::size_t>(D.biases)};

    [[nodiscard]] static constexpr input_type inputs(std::uint64_t seed) noexcept
    {
        return {layer{filled_weights<T, D>(seed)}, filled<decltype(input_type::q)>(seed + 1),
                filled<decltype(input_type::k)>(seed + 2), filled<decltype(input_type::v)>(seed + 3)};
    }
    template <class Lanes>
    [[nodiscard]] static constexpr auto output(const input_type& in) noexcept
    {
        typename layer::template workspace<N, M, Plan> scratch;
        hs::matrix<T, D.d_out, N> y;
        if constexpr (std::is_same_v<Lanes, called>) in.l(in.q, in.k, in.v, y, scratch);
        else
            hs::detail::multi_head_into<Lanes, Plan, heads>(in.l.packed, in.l.kinds, hs::as_view(in.q), hs::as_view(in.k),
                                                            hs::as_view(in.v), hs::as_view(y), scratch.values,
                                                            hs::detail::sorted());
        return y;
    }
};

/// The residual form, n tokens.
template <class T, hs::dims D, std::size_t N>
struct residual_case {
    using value_type = T;
    using layer = hs::residual_attention<T, D>;
    struct input_type {
        layer l;
        hs::matrix<T, D.d_model, N> x;
    };
    static constexpr const char* name = "residual";
    static constexpr std::size_t sizes[] = {D.d_model, D.heads, D.d_k, N};

    [[nodiscard]] static constexpr input_type inputs(std::uint64_t seed) noexcept
    {
        integers from{seed};
        hs::residual_weights<T, D> w{};
        for (std::size_t h = 0; h < D.heads; ++h) fill(w.w_q[h].elements, from), fill(w.w_k[h].elements, from);
        for (auto& one : w.w_v) fill(one.elements, from);
        return {layer{w}, filled<decltype(input_type::x)>(seed + 1)};
    }
    template <class Lanes>
    [[nodiscard]] static constexpr auto output(const input_type& in) noexcept
    {
        typename layer::template workspace<N> scratch;
        hs::matrix<T, D.d_model, N> y;
        if constexpr (std::is_same_v<Lanes, called>) in.l(in.x, y, scratch);
        else
            hs::detail::residual_into<Lanes, hs::detail::equal_heads<T, D, hs::dot>>(
                in.l.packed, hs::as_view(in.x), hs::as_view(y), scratch.values, hs::detail::sorted());
        return y;
    }
};

template <class T, std::size_t DK, std::size_t DV, std::size_t N, std::size_t M>
struct attention_case {
    using value_type = T;
    struct input_type {
        hs::matrix<T, DK, N> q;
        hs::matrix<T, DK, M> k;
        hs::matrix<T, DV, M> v;
    };
    static constexpr const char* name = "attention";
    static constexpr std::size_t sizes[] = {DK, DV, N, M};

    [[nodiscard]] static constexpr input_type inputs(std::uint64_t seed) noexcept
    {
        return {filled<decltype(input_type::q)>(seed + 1), filled<decltype(input_type::k)>(seed + 2),
                filled<decltype(input_type::v)>(seed + 3)};
    }
    template <class Lanes>
    [[nodiscard]] static constexpr auto output(const input_type& in) noexcept
    {
        if constexpr (std::is_same_v<Lanes, called>) {
            return hs::attention(in.q, in.k, in.v);
        } else {
            hs::attention_workspace<T, DK, DV, N, M> scratch;
            hs::matrix<T, DV, N> y;
            hs::detail::attention_into<Lanes>(hs::as_view(in.q), hs::as_view(in.k), hs::as_view(in.v), hs::as_view(y), scratch,
                                              hs::scaled_dot{}, hs::detail::sorted());
            return y;
        }
    }
};

template <class T, std::size_t Rows, std::size_t Columns>
struct softmax_case {
    using value_type = T;
    using input_type = hs::matrix<T, Rows, Columns>;
    static constexpr const char* name = "softmax";
    static constexpr std::size_t sizes[] = {Rows, Columns};

    [[nodiscard]] static constexpr input_type inputs(std::uint64_t seed) noexcept
    {
        input_type x = filled<input_type>(seed);
        for (T& one : x.elements) one *= 8;
        return x;
    }
    template <class Lanes>
    [[nodiscard]] static constexpr auto output(const input_type& x) noexcept
    {
        if constexpr (std::is_same_v<Lanes, called>) {
            return hs::softmax(x);
        } else {
            input_type y;
            hs::detail::softmax_into<Lanes>(hs::as_view(x), y);
            return y;
        }
    }
};

template <class T, std::size_t Rows, std::size_t Inner, std::size_t Columns>
struct multiply_case {
    using value_type = T;
    struct input_type {
        hs::matrix<T, Rows, Inner> w;
        hs::matrix<T, Inner, Columns> x;
    };
    static constexpr const char* name = "multiply";
    static constexpr std::size_t sizes[] = {Rows, Inner, Columns};

    [[nodiscard]] static constexpr input_type inputs(std::uint64_t seed) noexcept
    {
        return {filled<decltype(input_type::w)>(seed), filled<decltype(input_type::x)>(seed + 1)};
    }
    template <class Lanes>
    [[nodiscard]] static constexpr auto output(const input_type& in) noexcept
    {
        if constexpr (std::is_same_v<Lanes, called>) {
            return hs::multiply(in.w, in.x);
        } else {
            hs::matrix<T, Rows, Columns> y;
            hs::detail::multiply_into<Lanes>(hs::as_view(in.w), hs::as_view(in.x), nullptr, y);
            return y;
        }
    }
};

/// F, a function of one number or of lanes, of Count numbers between -Range and Range, Range a power of two; `called` is that
/// of one number.
template <class T, class F, std::size_t Count, std::size_t Range>
struct function_case {
    using value_type = T;
    using input_type = hs::matrix<T, Count, 1>;
    static constexpr const char* name = F::name;
    static constexpr std::size_t sizes[] = {Count, Range};

    [[nodiscard]] static constexpr input_type inputs(std::uint64_t seed) noexcept
    {
        input_type x = filled<input_type>(seed);
        for (T& one : x.elements) one *= static_cast<T>(Range);
        return x;
    }
    template <class Lanes>
    [[nodiscard]] static constexpr auto output(const input_type& x) noexcept
    {
        input_type y;
        if constexpr (std::is_same_v<Lanes, called>) {
            for (std::size_t i = 0; i < Count; ++i) y.elements[i] = F{}(x.elements[i]);
        } else {
            static_assert(Count % Lanes::size == 0);
            for (std::size_t i = 0; i < Count; i += Lanes::size) F{}(Lanes::load(x.elements + i)).store(y.elements + i);
        }
        return y;
    }
};
struct exp_function {
    static constexpr const char* name = "exp";
    constexpr auto operator()(auto x) const noexcept { return hs::exp(x); }
};
template <class T, std::size_t Count, std::size_t Range>
using exp_case = function_case<T, exp_function, Count, Range>;

inline constexpr std::uint64_t seed_of_all_cases = 2017;

/// Small enough for constant evaluation within the default limits of GCC 12, Clang 14, 16 and 19.
using core_small_cases = std::tuple<
    layer_case<float, hs::dims{.d_model = 16, .heads = 2}, 16, 16>,
    layer_case<
        float,
        hs::dims{.d_model = 8, .heads = 2, .d_k = 3, .d_v = 5, .d_key = 5, .d_value = 3, .d_out = 17, .biases = hs::bias::all},
        2, 15>,
    layer_case<double,
               hs::dims{.d_model = 5, .heads = 2, .d_k = 2, .d_v = 3, .kv_heads = 1, .biases = hs::bias::q | hs::bias::o}, 3,
               8>>;

/// The first nine: every size of 1, 2, 3, 5, 8, 15, 16, 17 and 35 once in each of d_model, H, d_k, d_v, n and m. Among them
/// widths of their own for keys, values and output, key/value heads that are shared, and biases. Then sums that are longer
/// than one chain of multiply-adds.
using core_large_cases = std::tuple<
    layer_case<double, hs::dims{.d_model = 1, .heads = 5, .d_k = 15, .d_v = 17, .biases = hs::bias::all}, 3, 2>,
    layer_case<float, hs::dims{.d_model = 2, .heads = 8, .d_k = 16, .d_v = 35}, 5, 3>,
    layer_case<double, hs::dims{.d_model = 3, .heads = 15, .d_k = 17, .d_v = 1, .d_key = 2, .d_value = 16, .d_out = 5}, 8, 5>,
    layer_case<float, hs::dims{.d_model = 5, .heads = 16, .d_k = 35, .d_v = 2, .kv_heads = 4}, 15, 8>,
    layer_case<double, hs::dims{.d_model = 8, .heads = 17, .d_k = 1, .d_v = 3}, 16, 15>,
    layer_case<float,
               hs::dims{.d_model = 15, .heads = 35, .d_k = 2, .d_v = 5, .kv_heads = 7, .biases = hs::bias::k | hs::bias::v}, 17,
               16>,
    layer_case<double, hs::dims{.d_model = 16, .heads = 1, .d_k = 3, .d_v = 8}, 35, 17>,
    layer_case<
        float,
        hs::dims{.d_model = 17, .heads = 2, .d_k = 5, .d_v = 15, .d_key = 3, .d_value = 35, .d_out = 16, .biases = hs::bias::o},
        1, 35>,
    layer_case<double, hs::dims{.d_model = 35, .heads = 3, .d_k = 8, .d_v = 16}, 2, 1>, attention_case<float, 3, 2, 1, 261>>;

/// The hash of the outputs that constant evaluation computed for small case number `index`: constants.cpp.
[[nodiscard]] std::uint64_t hash_of_constants(std::size_t index) noexcept;

/// The input_type of case number `index` of the small or large cases: constants.cpp. Filling and packing weights is no
/// arithmetic, yet half of what there is to compile.
[[nodiscard]] const void* inputs_of_small(std::size_t index);
[[nodiscard]] const void* inputs_of_large(std::size_t index);

#if !defined(HASH_FURTHER_CASES) && !defined(HASH_SHAPE_CASES)
using small_cases = core_small_cases;
using large_cases = core_large_cases;
#endif

}  // namespace tests

#endif
