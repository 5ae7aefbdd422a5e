// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_PROPERTY_MASKED_HPP
#define HEADSTRONG_TESTS_PROPERTY_MASKED_HPP
/// @file
/// Masks and biases that are chosen at run time, as the library takes them and as functions of the test's own; attention with
/// them in double.

#include "headstrong/headstrong.hpp"
#include "reference/bounds.hpp"
#include "unit/compare.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace property {

namespace hs = headstrong;

/// One of several masks (Hides) or biases: a modifier whose kind is known at run time.
template <bool Hides, class... Modifiers>
struct any_modifier {
    static constexpr bool hides = Hides;
    std::variant<Modifiers...> one;

    hs::key_range seen(const hs::query_block& q) const
    {
        return std::visit([&](const auto& x) { return hs::detail::seen_by(x, q); }, one);
    }
    hs::key_range open(const hs::query_block& q) const
    {
        return std::visit([&](const auto& x) { return hs::detail::open_to(x, q); }, one);
    }
    template <hs::lanes L, bool KeysRun, std::size_t Heads>
    [[gnu::noinline]] L operator()(const L& score, const hs::score_place<L, KeysRun, Heads>& at) const
    {
        return std::visit([&](const auto& x) { return x(score, at); }, one);
    }
};

struct see_all {
    static constexpr bool hides = true;
    hs::key_range open(const hs::query_block& q) const { return {0, q.m}; }
    auto operator()(const auto& score, const auto&) const { return score; }
};
struct add_nothing {
    static constexpr bool hides = false;
    hs::key_range open(const hs::query_block& q) const { return {0, q.m}; }
    auto operator()(const auto& score, const auto&) const { return score; }
};
/// 0.25 is added for every third head and key to the right.
struct some_function {
    constexpr auto operator()(const auto& s, std::size_t head, const auto& i, const auto& j) const
    {
        using L = std::remove_cvref_t<decltype(s)>;
        return if_less(i, j, s + L::broadcast(head % 3 == 0 ? static_cast<typename L::value_type>(0.25) : 0), s);
    }
};

/// The numbers that masks refer to.
template <class T, std::size_t N, std::size_t M, std::size_t Heads>
struct mask_tables {
    using flags = hs::matrix<bool, M, N>;
    using numbers = hs::matrix<T, M, N>;
    flags shown;
    std::array<flags, Heads> shown_per_head;
    std::array<bool, M> shown_keys;
    numbers added;
    std::array<numbers, Heads> added_per_head;
    std::array<int, N> query_documents;
    std::array<int, M> key_documents;
    T one_way[8][1];
    T both_ways[10][Heads];
};

/// What a mask or bias means: whether query i of head h sees key j, what is added to its score.
struct meaning {
    std::function<bool(std::size_t h, std::size_t i, std::size_t j)> sees = [](auto...) { return true; };
    std::function<double(std::size_t h, std::size_t i, std::size_t j)> adds = [](auto...) { return 0.0; };
};

/// T5's bucket of a distance of 0 or more, by logarithms, as the paper's code has it.
inline std::size_t t5_bucket(double distance, std::size_t buckets)
{
    const double near = static_cast<double>(buckets / 2), steps = static_cast<double>(buckets) - near;
    if (distance < near) return static_cast<std::size_t>(distance);
    const double b = near + std::floor(std::log(distance / near) / std::log(128 / near) * steps + 1e-9);
    return std::min(static_cast<std::size_t>(b), buckets - 1);
}

/// Random masks and biases for n queries and m keys; M is the most keys that there may be.
template <class T, std::size_t N, std::size_t M, std::size_t Heads>
class mask_chooser {
public:
    using tables_type = mask_tables<T, N, M, Heads>;
    using flags = typename tables_type::flags;
    using numbers = typename tables_type::numbers;
    static constexpr hs::corner top_left = hs::corner::top_left, bottom_right = hs::corner::bottom_right;
    using mask = any_modifier<true, see_all, hs::causal<top_left>, hs::causal<bottom_right>, hs::causal_from<>,
                              hs::causal_from<2>, hs::window<3, 1, top_left>, hs::window<2, 0, bottom_right>, hs::window_from,
                              hs::prefix_causal, hs::valid_keys, hs::valid_queries, hs::keep<flags>,
                              hs::keep<std::array<flags, Heads>>, hs::drop<flags>, hs::keep_keys<M>, hs::documents<N, M>>;
    using bias = any_modifier<false, add_nothing, hs::score_bias<numbers>, hs::score_bias<std::array<numbers, Heads>>,
                              hs::alibi<hs::slopes::geometric, bottom_right>, hs::alibi<hs::slopes::interleaved, top_left>,
                              hs::t5_bias<T, 8, 1, false>, hs::t5_bias<T, 10, Heads, true>, hs::modify<some_function>>;
    static constexpr std::size_t masks = 16, biases = 8;

    mask_chooser(unsigned seed, std::size_t keys) : random_(seed), m_(keys)
    {
        for (std::size_t i = 0; i < N; ++i) {
            tables_.query_documents[i] = below(3);
            for (std::size_t j = 0; j < M; ++j) {
                tables_.shown(j, i) = below(3) > 0;
                tables_.added(j, i) = below(4) > 0 ? number() : -std::numeric_limits<T>::infinity();
                for (std::size_t h = 0; h < Heads; ++h) {
                    tables_.shown_per_head[h](j, i) = below(3) == 0;
                    tables_.added_per_head[h](j, i) = number();
                }
            }
        }
        for (std::size_t j = 0; j < M; ++j) tables_.key_documents[j] = below(3), tables_.shown_keys[j] = below(4) > 0;
        for (auto& row : tables_.one_way) row[0] = number();
        for (auto& row : tables_.both_ways)
            for (T& e : row) e = number();
    }
    mask_chooser(const mask_chooser&) = delete;
    mask_chooser& operator=(const mask_chooser&) = delete;

    int below(std::size_t count) { return static_cast<int>(random_() % count); }
    std::mt19937& random() { return random_; }

    /// Mask number `kind` with random parameters.
    std::pair<mask, meaning> mask_of(std::size_t kind)
    {
        const double d_m = static_cast<double>(m_), d_n = static_cast<double>(N);
        const auto within = [](double low, double high) {
            return [=](std::size_t, std::size_t i, std::size_t j) {
                const double distance = static_cast<double>(j) - static_cast<double>(i);
                return low <= distance && distance <= high;
            };
        };
        const double most = std::numeric_limits<double>::infinity();
        const std::ptrdiff_t offset = any_offset(), left = any_width(), right = any_width();
        const double from = static_cast<double>(offset);
        const std::size_t length = any_length();
        const tables_type* const x = &tables_;
        switch (kind) {
            case 1:
                return {{hs::causal<top_left>{}}, {within(-most, 0)}};
            case 2:
                return {{hs::causal<bottom_right>{}}, {within(-most, d_m - d_n)}};
            case 3:
                return {{hs::causal_from{offset}}, {within(-most, from)}};
            case 4:
                return {{hs::causal_from<2>{}}, {within(-most, 2)}};
            case 5:
                return {{hs::window<3, 1, top_left>{}}, {within(-3, 1)}};
            case 6:
                return {{hs::window<2, 0, bottom_right>{}}, {within(d_m - d_n - 2, d_m - d_n)}};
            case 7:
                return {{hs::window_from{offset, left, right}}, {window_of(from, left, right)}};
            case 8:
                return {{hs::prefix_causal{length, offset}}, {[=](std::size_t, std::size_t i, std::size_t j) {
                            return j < length || static_cast<double>(j) <= static_cast<double>(i) + from;
                        }}};
            case 9:
                return {{hs::valid_keys{length}}, {[=](std::size_t, std::size_t, std::size_t j) { return j < length; }}};
            case 10:
                return {{hs::valid_queries{length}}, {[=](std::size_t, std::size_t i, std::size_t) { return i < length; }}};
            case 11:
                return {{hs::keep(x->shown)}, {[=](std::size_t, std::size_t i, std::size_t j) { return x->shown(j, i); }}};
            case 12:
                return {{hs::keep(x->shown_per_head)},
                        {[=](std::size_t h, std::size_t i, std::size_t j) { return x->shown_per_head[h](j, i); }}};
            case 13:
                return {{hs::drop(x->shown)}, {[=](std::size_t, std::size_t i, std::size_t j) { return !x->shown(j, i); }}};
            case 14:
                return {{hs::keep_keys<M>(x->shown_keys)},
                        {[=](std::size_t, std::size_t, std::size_t j) { return x->shown_keys[j]; }}};
            case 15:
                return {{hs::documents(x->query_documents, x->key_documents)}, {[=](std::size_t, std::size_t i, std::size_t j) {
                            return x->query_documents[i] == x->key_documents[j];
                        }}};
            default:
                return {{see_all{}}, {}};
        }
    }
    /// Bias number `kind`.
    std::pair<bias, meaning> bias_of(std::size_t kind)
    {
        const tables_type* const x = &tables_;
        const double d_m = static_cast<double>(m_);
        const std::ptrdiff_t offset = any_offset();
        const double from = static_cast<double>(offset);
        const auto added = [](auto f) {
            return meaning{[=](std::size_t h, std::size_t i, std::size_t j) {
                               return f(h, i, j) > -std::numeric_limits<double>::infinity();
                           },
                           f};
        };
        const auto place = [](std::size_t i) { return static_cast<double>(i); };
        switch (kind) {
            case 1:
                return {{hs::score_bias(x->added)},
                        added([=](std::size_t, std::size_t i, std::size_t j) { return static_cast<double>(x->added(j, i)); })};
            case 2:
                return {{hs::score_bias(x->added_per_head)}, added([=](std::size_t h, std::size_t i, std::size_t j) {
                            return static_cast<double>(x->added_per_head[h](j, i));
                        })};
            case 3:
                return {{hs::alibi<hs::slopes::geometric, bottom_right>{}},
                        added([=](std::size_t h, std::size_t i, std::size_t j) {
                            return -std::exp2(-8.0 * place(h + 1) / static_cast<double>(Heads))
                                   * std::abs(place(i) + d_m - static_cast<double>(N) - place(j));
                        })};
            case 4:
                return {{hs::alibi<hs::slopes::interleaved, top_left>{}},
                        added([=](std::size_t h, std::size_t i, std::size_t j) {
                            return -slope_of_authors(h) * std::abs(place(i) - place(j));
                        })};
            case 5:
                return {{hs::t5_bias<T, 8, 1, false>{x->one_way, offset}},
                        added([=](std::size_t, std::size_t i, std::size_t j) {
                            return static_cast<double>(x->one_way[t5_bucket(std::max(0.0, place(i) + from - place(j)), 8)][0]);
                        })};
            case 6:
                return {{hs::t5<true>(x->both_ways, offset)}, added([=](std::size_t h, std::size_t i, std::size_t j) {
                            const double right = place(j) - place(i) - from;
                            return static_cast<double>(x->both_ways[t5_bucket(std::abs(right), 5) + (right > 0 ? 5 : 0)][h]);
                        })};
            case 7:
                return {{hs::modify(some_function{})},
                        added([](std::size_t h, std::size_t i, std::size_t j) { return h % 3 == 0 && i < j ? 0.25 : 0.0; })};
            default:
                return {{add_nothing{}}, {}};
        }
    }

private:
    T number() { return static_cast<T>(below(1 << 16)) / (1 << 15) - 1; }
    /// From below -n to beyond m, sometimes far away.
    std::ptrdiff_t any_offset()
    {
        constexpr std::ptrdiff_t most = std::numeric_limits<std::ptrdiff_t>::max(),
                                 least = std::numeric_limits<std::ptrdiff_t>::min();
        const std::ptrdiff_t far[] = {most, most - 3, most / 2, least, least + 1, least / 2};
        if (below(10) == 0) return far[below(6)];
        return static_cast<std::ptrdiff_t>(below(N + m_ + 7)) - static_cast<std::ptrdiff_t>(N) - 3;
    }
    std::ptrdiff_t any_width()
    {
        if (below(8) == 0) return below(2) == 0 ? hs::unbounded : -5;
        return below(m_ + 3);
    }
    std::size_t any_length()
    {
        if (below(8) == 0) return std::numeric_limits<std::size_t>::max() - static_cast<std::size_t>(below(2));
        return static_cast<std::size_t>(below(m_ + 4));
    }
    static auto window_of(double offset, std::ptrdiff_t left, std::ptrdiff_t right)
    {
        const double low = left == hs::unbounded ? -std::numeric_limits<double>::infinity()
                                                 : offset - static_cast<double>(std::max<std::ptrdiff_t>(left, 0));
        const double high = right == hs::unbounded ? std::numeric_limits<double>::infinity()
                                                   : offset + static_cast<double>(std::max<std::ptrdiff_t>(right, 0));
        return [=](std::size_t, std::size_t i, std::size_t j) {
            const double distance = static_cast<double>(j) - static_cast<double>(i);
            return low <= distance && distance <= high;
        };
    }
    /// Press, Smith and Lewis's get_slopes.
    static double slope_of_authors(std::size_t h)
    {
        std::size_t power = 1;
        while (2 * power <= Heads) power *= 2;
        const auto slope = [](std::size_t index, std::size_t heads) {
            return std::exp2(-8.0 * static_cast<double>(index + 1) / static_cast<double>(heads));
        };
        return h < power ? slope(h, power) : slope(2 * (h - power), 2 * power);
    }

    std::mt19937 random_;
    std::size_t m_;
    tables_type tables_;
};

/// Queries, keys and values of one head, as they are scored, with sums of magnitudes in place of each number: whatever the
/// order in which products are bracketed, a number is off by at most depth u times it.
struct head_inputs {
    reference::table q, k, v, q_size, k_size, v_size;
    double factor, depth, value_depth;
};

/// One head with masks: scores (m x n), weights, log-sum-exp (1 x n), output, and how far the library may be from them.
struct masked_head {
    reference::table scaled, masked, weights, sums, output;
    double score_error, weight_error, sum_error, output_error, output_size;
};

template <class T>
masked_head masked_attention(const head_inputs& x, std::size_t h, const meaning& what)
{
    constexpr double hidden = -std::numeric_limits<double>::infinity();
    const std::size_t n = x.q.columns, m = x.k.columns;
    const double u = reference::unit_roundoff<T>, keys = static_cast<double>(m);
    masked_head y{reference::scores(x.q, x.k, reference::dot_times(x.factor)),
                  reference::table(m, n),
                  {},
                  reference::table(1, n),
                  {},
                  0,
                  0,
                  0,
                  0,
                  0};
    double added = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < m; ++j) {
            const bool sees = what.sees(h, i, j);
            if (sees) added = std::max(added, std::abs(what.adds(h, i, j)));
            y.masked(j, i) = sees ? y.scaled(j, i) + what.adds(h, i, j) : hidden;
        }
    y.weights = reference::softmax(y.masked);
    y.output = reference::affine(x.v, y.weights);
    for (std::size_t i = 0; i < n; ++i) {
        double most = hidden, sum = 0;
        for (std::size_t j = 0; j < m; ++j) most = std::max(most, y.masked(j, i));
        for (std::size_t j = 0; j < m && most > hidden; ++j) sum += std::exp(y.masked(j, i) - most);
        y.sums(0, i) = most > hidden ? most + std::log(sum) : hidden;
    }
    // As in reference/bounds.hpp; an added number is rounded with its factor and its sum, and each of the blocks of the
    // streamed plan is scaled once more, by an exponential of a difference of scores.
    const double size = reference::largest(reference::scores(x.q_size, x.k_size, reference::dot_times(x.factor)));
    const double all = size + added, blocks = std::ceil(keys / 128);
    y.score_error = 1.1 * ((x.depth + 3) * u * size + 3 * u * all);
    const double eps = 2 * y.score_error + (1 + blocks) * (2 * all * u + 4 * u);
    const double flushed = keys * 0x1p-64;
    y.weight_error = 1.1 * (2 * eps + (keys / 16 + 8) * u) + flushed;
    y.sum_error = 1.1 * (y.score_error + eps + (keys / 16 + 8) * u + u * (all + std::log(keys)));
    y.output_size = reference::largest(x.v_size);
    y.output_error = 1.1 * y.output_size * (2 * eps + (keys + keys / 16 + x.value_depth + 10) * u + flushed);
    if (y.weight_error > 0.1) throw std::domain_error("inputs too large for a bound of first order");
    return y;
}

}  // namespace property

#endif
