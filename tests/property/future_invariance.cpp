// SPDX-License-Identifier: BSL-1.0
// What a query may not see changes no bit of it: attention of one head, and with a cache.
#include "hidden_from_queries.hpp"

#include <boost/test/unit_test.hpp>

namespace hs = headstrong;
using namespace property;

BOOST_AUTO_TEST_CASE(a_query_of_attention_does_not_depend_on_what_is_hidden)
{
    check_masks<call_of_attention<float, 3, 5, 17, 35>>(1, 200);
}

BOOST_AUTO_TEST_CASE(a_query_of_attention_does_not_depend_on_what_is_hidden_in_double_and_over_two_chains_of_the_sum)
{
    check_masks<call_of_attention<double, 2, 3, 17, 130>>(2, 200);
}

BOOST_AUTO_TEST_CASE(a_query_to_a_cache_does_not_depend_on_what_is_hidden)
{
    check_masks<call_of_cache<
        float, hs::dims{.d_model = 5, .heads = 4, .d_k = 3, .d_v = 2, .kv_heads = 2, .biases = hs::bias::all}, 2, 35>>(3, 200);
}
