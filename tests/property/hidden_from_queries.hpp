// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_PROPERTY_HIDDEN_FROM_QUERIES_HPP
#define HEADSTRONG_TESTS_PROPERTY_HIDDEN_FROM_QUERIES_HPP
/// @file
/// For one kind of call: what a query does not see changes no bit of it, results agree with the reference, asking for more
/// changes nothing.

#include "masked.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace property {

/// `Call` says value_type, n, m (the most keys), heads, q_rows, k_rows and v_rows; call(q, k, v, keys, options...) with the
/// first `keys` keys; heads_of(q, k, v) -> std::vector<head_inputs> from tables, and output(heads) -> the output and how far it
/// may be off.
template <class Call>
class hidden_from_queries {
    using T = typename Call::value_type;
    static constexpr std::size_t n = Call::n, m = Call::m, heads = Call::heads;
    using chooser = mask_chooser<T, n, m, heads>;
    using queries = hs::matrix<T, Call::q_rows, n>;
    using keys = hs::matrix<T, Call::k_rows, m>;
    using values = hs::matrix<T, Call::v_rows, m>;
    using scores = std::array<hs::matrix<T, m, n>, heads>;

    struct results {
        scores scaled, masked, weights;
        hs::matrix<T, m, n> mean;
        hs::matrix<T, heads, n> sums;
    };

public:
    explicit hidden_from_queries(unsigned seed) : random_(seed), call_(random_) {}

    /// Masks a and b, biases c and d, by number.
    void check(unsigned seed, std::size_t a, std::size_t b, std::size_t c, std::size_t d)
    {
        const std::size_t count = Call::any_number_of_keys ? seed % (m + 1) : m;
        chooser choose(seed, std::max<std::size_t>(count, 1));
        const auto [mask_a, means_a] = choose.mask_of(a);
        const auto [mask_b, means_b] = choose.mask_of(b);
        const auto [bias_c, means_c] = choose.bias_of(c);
        const auto [bias_d, means_d] = choose.bias_of(d);
        const std::array<meaning, 4> parts{means_a, means_b, means_c, means_d};
        const meaning all{[&](auto... at) {
                              return parts[0].sees(at...) && parts[1].sees(at...) && parts[2].sees(at...)
                                     && parts[3].sees(at...);
                          },
                          [&](auto... at) { return parts[2].adds(at...) + parts[3].adds(at...); }};
        BOOST_TEST_CONTEXT("masks " << a << " and " << b << ", biases " << c << " and " << d << ", " << count << " keys, seed "
                                    << seed)
        {
            const auto q = random_.matrix<queries>();
            const auto k = random_.matrix<keys>();
            const auto v = random_.matrix<values>();
            const auto plain = [&](const keys& some_k, const values& some_v) {
                return call_(q, some_k, some_v, count, (mask_a & mask_b) + bias_c, bias_d);
            };
            const auto y = plain(k, v);
            for (int round = 0; round < 3; ++round) hide_and_change(choose, all, count, k, v, y, plain);

            const auto with_results = [&](const keys& some_k, const values& some_v, results& r) {
                return call_(q, some_k, some_v, count, hs::weights_into(one_or_all(r.weights)), bias_c + mask_a,
                             hs::mean_weights_into(r.mean), hs::scores_into<hs::score_stage::scaled>(one_or_all(r.scaled)),
                             mask_b + bias_d, hs::scores_into<hs::score_stage::masked>(one_or_all(r.masked)),
                             hs::log_sum_exp_into(r.sums));
            };
            const auto found = std::make_unique<results>();
            const bool asking_changes_nothing = unit::same_bits(with_results(k, v, *found), y);
            BOOST_TEST(asking_changes_nothing);
            hide_from_all(choose, all, count, k, v, y, *found, with_results);
            compare(all, count, q, k, v, y, *found);
        }
    }

private:
    static auto& one_or_all(scores& all)
    {
        if constexpr (heads == 1) return all[0];
        else return all;
    }

    /// Other numbers, NaN or infinities in column j.
    template <class X>
    void change(X& x, std::size_t j, int how)
    {
        const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
        for (std::size_t r = 0; r < X::rows; ++r) {
            const T number = static_cast<T>(random_(50));
            x(r, j) = how == 0   ? number
                      : how == 1 ? nan
                      : how == 2 ? infinity
                      : how == 3 ? (r == 0 ? -infinity : number)
                                 : (r % 2 == 0 ? nan : infinity);
        }
    }

    template <class Y, class F>
    void hide_and_change(chooser& choose, const meaning& all, std::size_t count, const keys& k, const values& v, const Y& y,
                         F call)
    {
        const auto i = static_cast<std::size_t>(choose.below(n));
        auto other_k = k;
        auto other_v = v;
        const int how = choose.below(5), which = choose.below(3);
        bool any = false;
        for (std::size_t j = 0; j < count; ++j) {
            bool seen = false;
            for (std::size_t h = 0; h < heads; ++h) seen = seen || all.sees(h, i, j);
            if (seen || choose.below(4) == 0) continue;
            any = true;
            if (which != 0) change(other_k, j, how);
            if (which != 1) change(other_v, j, how);
        }
        if (!any) return;
        const auto other = call(other_k, other_v);
        const bool column_has_the_same_bits = std::memcmp(&other(0, i), &y(0, i), sizeof(T) * Y::rows) == 0;
        BOOST_TEST(column_has_the_same_bits, "query " << i << ", change " << how << " of " << which);
        ++changes;
    }

    template <class Y, class F>
    void hide_from_all(chooser& choose, const meaning& all, std::size_t count, const keys& k, const values& v, const Y& y,
                       const results& found, F call)
    {
        auto other_k = k;
        auto other_v = v;
        const int how = choose.below(5);
        bool any = false;
        for (std::size_t j = 0; j < count; ++j) {
            bool seen = false;
            for (std::size_t h = 0; h < heads; ++h)
                for (std::size_t i = 0; i < n; ++i) seen = seen || all.sees(h, i, j);
            if (seen) continue;
            any = true;
            change(other_k, j, how);
            change(other_v, j, how);
        }
        if (!any) return;
        const auto other = std::make_unique<results>(found);
        const bool all_has_the_same_bits =
            unit::same_bits(call(other_k, other_v, *other), y) && unit::same_bits(other->mean, found.mean)
            && unit::same_bits(other->sums, found.sums) && std::memcmp(&other->weights, &found.weights, sizeof(scores)) == 0;
        BOOST_TEST(all_has_the_same_bits, "change " << how);
    }

    static reference::table first_columns(const auto& x, std::size_t count)
    {
        return reference::table_of(x.elements, x.rows, count, 1, static_cast<std::ptrdiff_t>(x.rows));
    }
    /// The first `count` rows.
    static reference::table first_rows(const hs::matrix<T, m, n>& x, std::size_t count)
    {
        return reference::table_of(x.elements, count, n, 1, static_cast<std::ptrdiff_t>(m));
    }
    /// As unit::distance; infinities must be equal.
    static double distance(const reference::table& found, const reference::table& expected)
    {
        auto a = found, b = expected;
        for (std::size_t e = 0; e < a.numbers.size(); ++e)
            if (std::isinf(b.numbers[e]) && a.numbers[e] == b.numbers[e]) a.numbers[e] = b.numbers[e] = 0;
        return unit::distance(a, b);
    }

    template <class Y>
    void compare(const meaning& all, std::size_t count, const queries& q, const keys& k, const values& v, const Y& y,
                 const results& found)
    {
        const auto inputs = call_.heads_of(reference::table_of(q), first_columns(k, count), first_columns(v, count));
        std::vector<masked_head> expected;
        reference::table mean(count, n);
        double mean_error = 0;
        for (std::size_t h = 0; h < heads; ++h) {
            if (count > 0) expected.push_back(masked_attention<T>(inputs[h], h, all));
            if (count == 0) continue;
            const auto& e = expected.back();
            const auto weights = first_rows(found.weights[h], count);
            BOOST_TEST(distance(first_rows(found.scaled[h], count), e.scaled) <= e.score_error);
            BOOST_TEST(distance(first_rows(found.masked[h], count), e.masked) <= e.score_error);
            BOOST_TEST(distance(weights, e.weights) <= e.weight_error);
            for (std::size_t i = 0; i < n; ++i) {
                double sum = 0;
                bool none_hidden = true;
                for (std::size_t j = 0; j < count; ++j) {
                    sum += weights(j, i);
                    none_hidden = none_hidden && (all.sees(h, i, j) || weights(j, i) == 0);
                    mean(j, i) += e.weights(j, i) / static_cast<double>(heads);
                }
                BOOST_TEST(none_hidden);
                const bool sees_any = e.sums(0, i) > -std::numeric_limits<double>::infinity();
                BOOST_TEST(std::abs(sum - (sees_any ? 1 : 0))
                           <= (sees_any ? static_cast<double>(count + 4) * reference::unit_roundoff<T> : 0));
            }
            reference::table sums(1, n);
            for (std::size_t i = 0; i < n; ++i) sums(0, i) = static_cast<double>(found.sums(h, i));
            BOOST_TEST(distance(sums, e.sums) <= e.sum_error);
            mean_error = std::max(mean_error, e.weight_error);
        }
        if (count == 0) {
            for (const T sum : found.sums.elements) BOOST_TEST(sum == -std::numeric_limits<T>::infinity());
            return;
        }
        BOOST_TEST(distance(first_rows(found.mean, count), mean)
                   <= mean_error + static_cast<double>(heads + 1) * reference::unit_roundoff<T>);
        const auto [output, error] = call_.output(expected);
        BOOST_TEST(unit::distance(y, output) <= error);
    }

    unit::random_numbers random_;
    Call call_;

public:
    int changes = 0;  ///< of hidden keys or values that were tried
};

/// Every mask and every bias alone, then `more` pairs of masks and of biases; masks are by numbers, 0 is none.
template <class Call>
void check_masks(unsigned seed, unsigned more)
{
    hidden_from_queries<Call> law(seed);
    using chooser = mask_chooser<typename Call::value_type, Call::n, Call::m, Call::heads>;
    for (unsigned a = 0; a < chooser::masks; ++a) law.check(seed + 1000 * a, a, 0, 0, 0);
    for (unsigned c = 1; c < chooser::biases; ++c) law.check(seed + 77 * c, 0, c % 3, c, 0);
    std::mt19937 random(seed);
    for (unsigned i = 0; i < more; ++i)
        law.check(seed + 13 * i, random() % chooser::masks, random() % 2 == 0 ? random() % chooser::masks : 0,
                  random() % 2 == 0 ? random() % chooser::biases : 0, random() % 4 == 0 ? random() % chooser::biases : 0);
    BOOST_TEST(law.changes > 20);
}

/// attention() of one head.
template <class T, std::size_t DK, std::size_t DV, std::size_t N, std::size_t M>
struct call_of_attention {
    using value_type = T;
    static constexpr std::size_t n = N, m = M, heads = 1, q_rows = DK, k_rows = DK, v_rows = DV;
    static constexpr bool any_number_of_keys = false;

    explicit call_of_attention(unit::random_numbers&) {}
    template <class... Options>
    auto operator()(const auto& q, const auto& k, const auto& v, std::size_t, const Options&... options) const
    {
        return hs::attention(q, k, v, options...);
    }
    static std::vector<head_inputs> heads_of(const reference::table& q, const reference::table& k, const reference::table& v)
    {
        using reference::magnitude;
        return {{q, k, v, magnitude(q), magnitude(k), magnitude(v), 1 / std::sqrt(static_cast<double>(DK)),
                 static_cast<double>(DK), 0}};
    }
    static std::pair<reference::table, double> output(const std::vector<masked_head>& heads_found)
    {
        return {heads_found[0].output, heads_found[0].output_error};
    }
};

/// The weights of a layer for the reference.
template <class T, hs::dims D>
struct reference_of_layer {
    using value_type = T;
    static constexpr std::size_t heads = D.heads, q_rows = D.d_model, k_rows = D.d_key, v_rows = D.d_value;
    hs::weights<T, D> weights;
    reference::layer w = reference::layer_of(weights);

    explicit reference_of_layer(unit::random_numbers& random) : weights(random.weights<hs::weights<T, D>>(0.7)) {}

    std::vector<head_inputs> heads_of(const reference::table& q, const reference::table& k, const reference::table& v) const
    {
        using reference::affine, reference::magnitude, reference::bias_of;
        std::vector<head_inputs> all;
        for (std::size_t h = 0; h < heads; ++h) {
            const std::size_t kv = w.kv_head(h);
            const auto project = [&](const auto& by, const auto& bias, std::size_t g, const auto& x) {
                return affine(by[g], x, bias_of(bias, g));
            };
            const auto size = [&](const auto& by, const auto& bias, std::size_t g, const auto& x) {
                return affine(magnitude(by[g]), magnitude(x), magnitude(bias_of(bias, g)));
            };
            all.push_back({project(w.w_q, w.b_q, h, q), project(w.w_k, w.b_k, kv, k), project(w.w_v, w.b_v, kv, v),
                           size(w.w_q, w.b_q, h, q), size(w.w_k, w.b_k, kv, k), size(w.w_v, w.b_v, kv, v),
                           1 / std::sqrt(static_cast<double>(D.d_k)), static_cast<double>(D.d_model + D.d_k + D.d_key + 4),
                           static_cast<double>(D.d_value + 2)});
        }
        return all;
    }
    std::pair<reference::table, double> output(const std::vector<masked_head>& found) const
    {
        const std::size_t n = found[0].output.columns;
        reference::table y(D.d_out, n);
        double error = 0;
        for (std::size_t e = 0; e < y.numbers.size(); ++e) y.numbers[e] = w.b_o.empty() ? 0 : w.b_o[e % D.d_out];
        double size = w.b_o.empty() ? 0 : 0.7;
        for (std::size_t h = 0; h < heads; ++h) {
            reference::table of_ones(D.d_v, 1);
            std::fill(of_ones.numbers.begin(), of_ones.numbers.end(), 1.0);
            const auto share = reference::affine(w.w_o[h], found[h].output);
            for (std::size_t e = 0; e < y.numbers.size(); ++e) y.numbers[e] += share.numbers[e];
            const double rows = reference::largest(reference::affine(reference::magnitude(w.w_o[h]), of_ones));
            error += rows * found[h].output_error;
            size += rows * found[h].output_size;
        }
        return {y, error + 1.1 * static_cast<double>(heads * D.d_v + 2) * reference::unit_roundoff<T> * size};
    }
};

/// A layer of equal heads by one plan.
template <class T, hs::dims D, std::size_t N, std::size_t M, hs::plan_kind Plan>
struct call_of_layer : reference_of_layer<T, D> {
    static constexpr std::size_t n = N, m = M;
    static constexpr bool any_number_of_keys = false;
    hs::multi_head<T, D> layer{this->weights};

    using reference_of_layer<T, D>::reference_of_layer;
    template <class... Options>
    auto operator()(const auto& q, const auto& k, const auto& v, std::size_t, const Options&... options) const
    {
        return layer(q, k, v, hs::by<Plan>, options...);
    }
};

/// A layer with a cache of M tokens, of which some are held, and others were.
template <class T, hs::dims D, std::size_t N, std::size_t M>
struct call_of_cache : reference_of_layer<T, D> {
    static constexpr std::size_t n = N, m = M;
    static constexpr bool any_number_of_keys = true;
    hs::multi_head<T, D> layer{this->weights};
    std::unique_ptr<hs::kv_cache<T, D, M>> cache = std::make_unique<hs::kv_cache<T, D, M>>();

    using reference_of_layer<T, D>::reference_of_layer;
    template <class... Options>
    auto operator()(const auto& q, const auto& k, const auto& v, std::size_t count, const Options&... options) const
    {
        cache->reset();
        auto poison = k;
        for (auto& e : poison.elements) e = std::numeric_limits<T>::quiet_NaN();
        bool room = layer.append(*cache, poison, v);
        cache->reset();
        for (std::size_t j = 0; j < count; ++j)
            room = room && layer.append(*cache, hs::as_view(k).column(j), hs::as_view(v).column(j));
        BOOST_TEST(room);
        return layer(q, *cache, options...);
    }
};

}  // namespace property

#endif
