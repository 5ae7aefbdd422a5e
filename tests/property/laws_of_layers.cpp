// SPDX-License-Identifier: BSL-1.0
// What is true of every layer, whatever its weights and inputs.
#include "cases.hpp"
#include "layers.hpp"

#include "reference/reference.hpp"

#include <cstddef>

namespace property {
namespace {

const cases<layer_case> all{layers_of_float(), layers_of_double()};

BOOST_AUTO_TEST_CASE(every_number_is_within_its_bound_of_the_reference_in_double)
{
    for_each(all, 20, []<class T>(const layer_case<T>& sizes, numbers& random) {
        const auto layer = sizes.random_layer(random);
        const auto x = sizes.random_inputs(random);
        const estimates expected = layer->expected(x);
        const reference::table y = reference::multi_head(layer->weights(), table_of(x.q), table_of(x.k), table_of(x.v));
        BOOST_TEST(says_something(expected));
        BOOST_TEST(within((*layer)(x), with_values(expected, y)));
        // Two ways to the same value in double, each within the bound that it would have as a result of double.
        const estimates in_double = multi_head<double>(layer->weights(), exact(x.q), exact(x.k), exact(x.v));
        BOOST_TEST(within(grid_view<double>{y.numbers.data(), y.rows, y.columns, 1, y.rows}, in_double));
    });
}

// Its own bounds are derived from its own order of the products; those of the direct plan are what it may be held to as well.
BOOST_AUTO_TEST_CASE(the_absorbed_plan_keeps_the_bounds_of_the_direct_plan)
{
    for_each(all, 20, []<class T>(const layer_case<T>& sizes, numbers& random) {
        if (sizes.plan != headstrong::plan_kind::absorbed) return;
        const auto layer = sizes.random_layer(random);
        const auto x = sizes.random_inputs(random);
        BOOST_TEST(within((*layer)(x), layer->expected_directly(x)));
    });
}

BOOST_AUTO_TEST_CASE(permuted_queries_give_permuted_columns_bit_for_bit)
{
    for_each(all, 3, []<class T>(const layer_case<T>& sizes, numbers& random) {
        const auto layer = sizes.random_layer(random);
        const auto x = sizes.random_inputs(random);
        const auto order = random.order(sizes.n);
        BOOST_TEST(same_bits((*layer)({with_columns_at(x.q, order), x.k, x.v}), with_columns_at((*layer)(x), order)));
    });
}

BOOST_AUTO_TEST_CASE(keys_permuted_with_their_values_change_no_more_than_rounding)
{
    for_each(all, 3, []<class T>(const layer_case<T>& sizes, numbers& random) {
        const auto layer = sizes.random_layer(random);
        const auto x = sizes.random_inputs(random);
        const auto order = random.order(sizes.m);
        const estimates expected = layer->expected(x);  // of both: it does not depend on the order of the keys
        const grid<T> permuted = (*layer)({x.q, with_columns_at(x.k, order), with_columns_at(x.v, order)});
        BOOST_TEST(agree(permuted, expected, (*layer)(x), expected));
    });
}

BOOST_AUTO_TEST_CASE(nan_in_a_query_stays_in_its_column)
{
    for_each(all, 1, []<class T>(const layer_case<T>& sizes, numbers& random) {
        const auto layer = sizes.random_layer(random);
        const auto x = sizes.random_inputs(random);
        const grid<T> undisturbed = (*layer)(x);
        for (std::size_t i = 0; i < sizes.n; ++i) {
            auto disturbed = x;
            disturbed.q(i % sizes.sizes.d_model, i) = nan<T>;
            grid<T> expected = undisturbed;
            set_column(expected, i, nan<T>);
            BOOST_TEST(same_bits((*layer)(disturbed), expected));
        }
    });
}

BOOST_AUTO_TEST_CASE(nan_in_a_key_or_value_reaches_every_number)
{
    for_each(all, 1, []<class T>(const layer_case<T>& sizes, numbers& random) {
        const auto layer = sizes.random_layer(random);
        const auto x = sizes.random_inputs(random);
        const grid<T> all_nan(sizes.sizes.d_out, sizes.n, nan<T>);
        for (std::size_t j = 0; j < sizes.m; ++j) {
            auto key = x, value = x;
            key.k(j % sizes.sizes.d_key, j) = nan<T>;
            value.v(j % sizes.sizes.d_value, j) = nan<T>;
            BOOST_TEST(same_bits((*layer)(key), all_nan));
            BOOST_TEST(same_bits((*layer)(value), all_nan));
        }
    });
}

BOOST_AUTO_TEST_CASE(equal_queries_have_equal_columns_wherever_they_stand)
{
    for_each(all, 3, []<class T>(const layer_case<T>& sizes, numbers& random) {
        const auto layer = sizes.random_layer(random);
        auto x = sizes.random_inputs(random);
        for (std::size_t i = 0; i < sizes.n; ++i)
            for (std::size_t r = 0; r < sizes.sizes.d_model; ++r) x.q(r, i) = x.q(r, 0);
        const grid<T> y = (*layer)(x);
        grid<T> expected = y;
        for (std::size_t r = 0; r < y.rows(); ++r) set_row(expected, r, y(r, 0));
        BOOST_TEST(same_bits(y, expected));
    });
}

BOOST_AUTO_TEST_CASE(one_key_makes_all_queries_alike)
{
    for_each(all, 3, []<class T>(const layer_case<T>& sizes, numbers& random) {
        const auto layer = sizes.random_layer(random);
        auto x = sizes.random_inputs(random);
        for (std::size_t j = 0; j < sizes.m; ++j) {  // the same key and value m times is one key
            for (std::size_t r = 0; r < sizes.sizes.d_key; ++r) x.k(r, j) = x.k(r, 0);
            for (std::size_t r = 0; r < sizes.sizes.d_value; ++r) x.v(r, j) = x.v(r, 0);
        }
        const grid<T> y = (*layer)(x);
        grid<T> expected = y;
        for (std::size_t r = 0; r < y.rows(); ++r) set_row(expected, r, y(r, 0));
        BOOST_TEST(same_bits(y, expected));
    });
}

BOOST_AUTO_TEST_CASE(a_layer_without_biases_is_linear_in_the_values)
{
    for_each(all, 3, []<class T>(const layer_case<T>& sizes, numbers& random) {
        if (contains(sizes.sizes.biases, headstrong::bias::v | headstrong::bias::o)) return;
        const auto layer = sizes.random_layer(random);
        const auto x = sizes.random_inputs(random);
        BOOST_TEST(same_bits((*layer)({x.q, x.k, times(x.v, T{-4})}), times((*layer)(x), T{-4})));

        const grid<T> v = random.integers<T>(x.v.rows(), x.v.columns(), 1000),
                      w = random.integers<T>(x.v.rows(), x.v.columns(), 1000);
        const inputs<T> of_v{x.q, x.k, v}, of_w{x.q, x.k, w}, of_both{x.q, x.k, plus(v, w)};
        BOOST_TEST(agree((*layer)(of_both), layer->expected(of_both), plus((*layer)(of_v), (*layer)(of_w)),
                         sum<T>(layer->expected(of_v), layer->expected(of_w))));
    });
}

}  // namespace
}  // namespace property
