// SPDX-License-Identifier: BSL-1.0
// Layers, masks and caches on any numbers. What holds for all of them:
// - moderate numbers give finite ones: weights, keys, values, and this query; whatever the other queries are;
// - a query does not know of the others, nor of keys that its mask hides, nor whether keys come by a cache;
// - two instruction sets give the same bits.
#include "levels.hpp"
#include "numbers.hpp"
#include "require.hpp"

#include "headstrong/headstrong.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>

namespace {

namespace hs = headstrong;
using fuzz::same, fuzz::source;

template <class T, std::size_t R, std::size_t C>
bool all_moderate(const hs::matrix<T, R, C>& x)
{
    return std::ranges::all_of(x.elements, fuzz::moderate<T>);
}

template <class Heads>
bool fill_heads(Heads& heads, source& from)
{
    bool moderate = true;
    for (auto& head : heads) {
        from.fill(head.span());
        moderate = moderate && all_moderate(head);
    }
    return moderate;
}

template <class T, std::size_t R, std::size_t C>
void require_same_column(const hs::matrix<T, R, C>& a, const hs::matrix<T, R, C>& b, std::size_t column)
{
    for (std::size_t r = 0; r < R; ++r) require(same(a(r, column), b(r, column)));
}

template <class T, hs::dims D, std::size_t N, std::size_t M>
struct trial {
    using layer = hs::multi_head<T, D>;

    hs::matrix<T, D.d_model, N> q;
    hs::matrix<T, D.d_key, M> k;
    hs::matrix<T, D.d_value, M> v;
    std::unique_ptr<const layer> attend;
    bool moderate = true;

    explicit trial(source& from)
    {
        typename layer::weights_type w{};
        for (const bool one :
             {fill_heads(w.w_q, from), fill_heads(w.w_k, from), fill_heads(w.w_v, from), fill_heads(w.w_o, from)})
            moderate = moderate && one;
        attend = std::make_unique<const layer>(w);
        from.fill(q.span()), from.fill(k.span()), from.fill(v.span());
        moderate = moderate && all_moderate(k) && all_moderate(v);
    }

    template <class... Options>
    auto run(const Options&... options) const
    {
        return (*attend)(q, k, v, options...);
    }

    void require_finite(const hs::matrix<T, D.d_out, N>& y) const
    {
        if (!moderate) return;
        for (std::size_t i = 0; i < N; ++i) {
            const auto query = q.column(i);
            if (!std::ranges::all_of(query, fuzz::moderate<T>)) continue;
            for (const T number : y.column(i)) require(fuzz::finite(number));
        }
    }

    /// By the mask and in all plans: it means what a matrix of what is seen means, and keys that query i does not see have no
    /// say.
    template <class Seen, class Mask>
    void hide(source& from, const Mask& mask, Seen seen) const
    {
        constexpr auto direct = hs::by<hs::plan_kind::direct>;
        const auto y = run(mask, direct), absorbed = run(mask, hs::by<hs::plan_kind::absorbed>),
                   streamed = run(mask, hs::by<hs::plan_kind::streamed>);
        require_finite(y), require_finite(absorbed), require_finite(streamed);
        if constexpr (Mask::hides) {
            hs::matrix<bool, M, N> shown;
            for (std::size_t i = 0; i < N; ++i)
                for (std::size_t j = 0; j < M; ++j) shown(j, i) = seen(i, j);
            compare(y, run(hs::keep(shown), direct));
            compare(absorbed, run(hs::keep(shown), hs::by<hs::plan_kind::absorbed>));
            compare(streamed, run(hs::keep(shown), hs::by<hs::plan_kind::streamed>));
        }
        const std::size_t i = from.byte() % N;
        hs::matrix<T, D.d_key, M> other_k = k;
        hs::matrix<T, D.d_value, M> other_v = v;
        bool sees_one = false;
        for (std::size_t j = 0; j < M; ++j) {
            sees_one = sees_one || seen(i, j);
            if (!seen(i, j)) from.fill(other_k.column(j)), from.fill(other_v.column(j));
        }
        require_same_column(y, (*attend)(q, other_k, other_v, mask, direct), i);
        require_same_column(absorbed, (*attend)(q, other_k, other_v, mask, hs::by<hs::plan_kind::absorbed>), i);
        require_same_column(streamed, (*attend)(q, other_k, other_v, mask, hs::by<hs::plan_kind::streamed>), i);
        if (!sees_one && std::ranges::all_of(q.column(i), fuzz::moderate<T>) && moderate)
            for (const T number : y.column(i)) require(number == 0);
    }

    void alone(std::size_t i, const hs::matrix<T, D.d_out, N>& y) const
    {
        hs::matrix<T, D.d_model, 1> one;
        std::ranges::copy(q.column(i), one.elements);
        const auto single = (*attend)(one, k, v, hs::by<hs::plan_kind::direct>);
        for (std::size_t r = 0; r < D.d_out; ++r) require(same(single(r, 0), y(r, i)));
    }

    /// The first keys by a cache, in two steps, give what a call with the others hidden gives.
    template <std::size_t First>
    void by_cache() const
    {
        auto past = std::make_unique<hs::kv_cache<T, D, M + 3>>();
        hs::matrix<T, D.d_key, First> k_first;
        hs::matrix<T, D.d_value, First> v_first;
        hs::matrix<T, D.d_key, M - First> k_rest;
        hs::matrix<T, D.d_value, M - First> v_rest;
        std::copy_n(k.elements, D.d_key * First, k_first.elements);
        std::copy_n(v.elements, D.d_value * First, v_first.elements);
        std::copy_n(k.elements + D.d_key * First, D.d_key * (M - First), k_rest.elements);
        std::copy_n(v.elements + D.d_value * First, D.d_value * (M - First), v_rest.elements);
        require(attend->append(*past, k_first, v_first));
        compare((*attend)(q, *past), run(hs::valid_keys{First}, hs::by<hs::plan_kind::direct>));
        require(attend->append(*past, k_rest, v_rest));
        compare((*attend)(q, *past), run(hs::by<hs::plan_kind::direct>));
        past->truncate(First);
        compare((*attend)(q, *past), run(hs::valid_keys{First}, hs::by<hs::plan_kind::direct>));
        require(attend->append(*past, k_rest, v_rest));
        if constexpr (M > 3) require(!attend->append(*past, k, v) && past->size() == M);
    }

    static void compare(const hs::matrix<T, D.d_out, N>& a, const hs::matrix<T, D.d_out, N>& b)
    {
        for (std::size_t i = 0; i < N; ++i) require_same_column(a, b, i);
    }
};

template <class T, hs::dims D, std::size_t N, std::size_t M>
void test(source& from)
{
    const std::uint8_t what = from.byte();
    const std::ptrdiff_t offset = from.place(), left = from.place(), right = from.place();
    const std::size_t count = static_cast<std::size_t>(from.place());
    const trial<T, D, N, M> t(from);
    // Places as numbers without an end; the library's own must not overflow.
    const auto distance = [&](std::size_t i, std::size_t j) {
        return static_cast<__int128>(j) - static_cast<__int128>(i) - offset;
    };
    switch (what % 9) {
        case 0: {
            const auto y = t.run(hs::by<hs::plan_kind::direct>);
            t.require_finite(y);
            t.require_finite(t.run());
            t.require_finite(t.run(hs::by<hs::plan_kind::streamed>));
            t.alone(what / 9 % N, y);
            break;
        }
        case 1:
            t.hide(from, hs::valid_keys{count}, [&](std::size_t, std::size_t j) { return j < count; });
            break;
        case 2:
            t.hide(from, hs::causal_from{offset}, [&](std::size_t i, std::size_t j) { return distance(i, j) <= 0; });
            break;
        case 3:
            t.hide(from, hs::window_from{offset, left, right}, [&](std::size_t i, std::size_t j) {
                const auto ahead = distance(i, j);
                constexpr std::ptrdiff_t unbounded = hs::unbounded / 8;
                return (left >= unbounded || -ahead <= std::max<std::ptrdiff_t>(left, 0))
                       && (right >= unbounded || ahead <= std::max<std::ptrdiff_t>(right, 0));
            });
            break;
        case 4: {
            hs::matrix<bool, M, 1> kept;
            for (bool& one : kept.elements) one = from.byte() % 3 != 0;
            t.hide(from, hs::keep_keys(kept), [&](std::size_t, std::size_t j) { return kept(j, 0); });
            break;
        }
        case 5: {
            hs::matrix<std::uint8_t, M, N> kept;
            for (auto& one : kept.elements) one = from.byte() % 3;
            t.hide(from, hs::keep(kept), [&](std::size_t i, std::size_t j) { return kept(j, i) != 0; });
            break;
        }
        case 6: {
            hs::matrix<T, M, N> bias;
            for (T& one : bias.elements) {
                const std::uint8_t b = from.byte();
                one = b % 4 == 0 ? -std::numeric_limits<T>::infinity() : static_cast<T>(b) / 128 - 1;
            }
            t.hide(from, hs::score_bias(bias), [&](std::size_t i, std::size_t j) { return fuzz::finite(bias(j, i)); });
            break;
        }
        case 7:
            t.hide(from, hs::causal_from{offset} & hs::valid_keys{count},
                   [&](std::size_t i, std::size_t j) { return distance(i, j) <= 0 && j < count; });
            break;
        default:
            t.template by_cache<M / 2>();
            t.template by_cache<1>();
    }
}

void compare_levels(source& from)
{
    fuzz::small_layer::weights_type w{};
    fill_heads(w.w_q, from), fill_heads(w.w_k, from), fill_heads(w.w_v, from), fill_heads(w.w_o, from);
    const fuzz::small_layer layer{w};
    fuzz::small_tokens x, direct, absorbed, other_direct, other_absorbed;
    from.fill(x.span());
    fuzz::with_vectors(layer, x, direct, absorbed);
    for (auto* const level : {fuzz::without_vectors, fuzz::single_numbers}) {
        level(layer, x, other_direct, other_absorbed);
        for (std::size_t i = 0; i < 5; ++i)
            require_same_column(direct, other_direct, i), require_same_column(absorbed, other_absorbed, i);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    source from(data, size);
    switch (from.byte() % 6) {
        case 0:
            test<float, hs::dims{.d_model = 5, .heads = 2, .d_k = 3, .d_v = 2}, 3, 17>(from);
            break;
        case 1:
            test<float,
                 hs::dims{.d_model = 3, .heads = 4, .d_k = 1, .d_v = 5, .d_key = 2, .d_value = 7, .d_out = 1, .kv_heads = 2},
                 17, 5>(from);
            break;
        case 2:
            test<float, hs::dims{.d_model = 16, .heads = 2, .d_k = 8, .d_v = 8}, 1, 16>(from);
            break;
        case 3:
            test<float, hs::dims{.d_model = 2, .heads = 1}, 2, 131>(from);
            break;
        case 4:
            test<double, hs::dims{.d_model = 3, .heads = 3}, 2, 9>(from);
            break;
        default:
            compare_levels(from);
    }
    return 0;
}
