// SPDX-License-Identifier: BSL-1.0
// What a query may not see changes no bit of it: layers by the streamed plan, with more than one block of keys.
#include "hidden_from_queries.hpp"

#include <boost/test/unit_test.hpp>

namespace hs = headstrong;
using namespace property;

BOOST_AUTO_TEST_CASE(a_query_of_a_layer_by_the_streamed_plan_does_not_depend_on_what_is_hidden)
{
    check_masks<call_of_layer<float, hs::dims{.d_model = 5, .heads = 3, .d_k = 3, .d_v = 2, .biases = hs::bias::all}, 17, 130,
                              hs::plan_kind::streamed>>(6, 200);
}

BOOST_AUTO_TEST_CASE(one_query_of_a_layer_by_the_streamed_plan_does_not_depend_on_what_is_hidden_in_double)
{
    check_masks<call_of_layer<double, hs::dims{.d_model = 3, .heads = 2, .d_k = 2, .d_v = 3, .kv_heads = 1}, 1, 135,
                              hs::plan_kind::streamed>>(7, 200);
}
