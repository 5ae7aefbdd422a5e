// SPDX-License-Identifier: BSL-1.0
// What a query may not see changes no bit of it: layers by the direct and the absorbed plan.
#include "hidden_from_queries.hpp"

#include <boost/test/unit_test.hpp>

namespace hs = headstrong;
using namespace property;

namespace {

constexpr hs::dims sizes{
    .d_model = 5, .heads = 6, .d_k = 3, .d_v = 2, .d_key = 4, .d_value = 3, .d_out = 7, .kv_heads = 2, .biases = hs::bias::all};

}  // namespace

BOOST_AUTO_TEST_CASE(a_query_of_a_layer_by_the_direct_plan_does_not_depend_on_what_is_hidden)
{
    check_masks<call_of_layer<float, sizes, 17, 35, hs::plan_kind::direct>>(4, 200);
}

BOOST_AUTO_TEST_CASE(a_query_of_a_layer_by_the_absorbed_plan_does_not_depend_on_what_is_hidden)
{
    check_masks<call_of_layer<float, sizes, 3, 35, hs::plan_kind::absorbed>>(5, 200);
}
