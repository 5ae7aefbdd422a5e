// SPDX-License-Identifier: BSL-1.0
// Multi-head attention is the same in all its forms.
#include "cases.hpp"
#include "layers.hpp"

namespace property {
namespace {

const cases<layer_case> all{layers_of_float(), layers_of_double()};

BOOST_AUTO_TEST_CASE(the_layer_has_the_bits_of_the_sum_over_its_heads)
{
    for_each(all, 3, []<class T>(const layer_case<T>& sizes, numbers& random) {
        if (sizes.plan != headstrong::plan_kind::direct) return;  // the other plan brackets the products in another way
        const auto layer = sizes.random_layer(random);
        const auto x = sizes.random_inputs(random);
        BOOST_TEST(same_bits((*layer)(x), layer->as_sum(x)));
    });
}

BOOST_AUTO_TEST_CASE(the_product_with_the_stacked_heads_is_the_layer_up_to_rounding)
{
    for_each(all, 3, []<class T>(const layer_case<T>& sizes, numbers& random) {
        const auto layer = sizes.random_layer(random);
        const auto x = sizes.random_inputs(random);
        const estimates expected = layer->expected_directly(x);
        const grid<T> as_product = layer->as_product(x);
        BOOST_TEST(says_something(expected));
        BOOST_TEST(within(as_product, expected));
        BOOST_TEST(agree((*layer)(x), layer->expected(x), as_product, expected));
    });
}

BOOST_AUTO_TEST_CASE(the_expanded_form_is_the_layer_up_to_rounding)
{
    for_each(all, 3, []<class T>(const layer_case<T>& sizes, numbers& random) {
        const auto layer = sizes.random_layer(random);
        const auto x = sizes.random_inputs(random);
        const estimates expected = layer->expected_expanded(x);
        const grid<T> expanded = layer->expanded(x);
        BOOST_TEST(says_something(expected));
        BOOST_TEST(within(expanded, expected));
        BOOST_TEST(agree((*layer)(x), layer->expected(x), expanded, expected));
    });
}

BOOST_AUTO_TEST_CASE(every_overload_gives_the_same_bits_whatever_output_and_workspace_hold)
{
    for_each(all, 1, []<class T>(const layer_case<T>& sizes, numbers& random) {
        const auto layer = sizes.random_layer(random);
        const auto x = sizes.random_inputs(random);
        const grid<T> by_value = (*layer)(x);
        for (const T content : {nan<T>, infinity<T>, T{1}}) BOOST_TEST(same_bits(layer->over(content, x), by_value));
    });
}

}  // namespace
}  // namespace property
