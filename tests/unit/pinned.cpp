// SPDX-License-Identifier: BSL-1.0
// The machine computes the bits that the compiler computed: tests/static/evaluation.cpp asserts the same numbers.
#include "reference/pinned.hpp"
#include "compare.hpp"
#include "headstrong/attention.hpp"
#include "headstrong/linear.hpp"
#include "headstrong/multi_head.hpp"

#include <boost/test/unit_test.hpp>

#include <tuple>

namespace hs = headstrong;
using unit::seen_at_run_time;

using number_types = std::tuple<float, double>;

BOOST_AUTO_TEST_CASE_TEMPLATE(a_softmax_has_its_pinned_bits, T, number_types)
{
    const auto k = seen_at_run_time(pinned::k<T>);
    BOOST_TEST(unit::same_bits(hs::softmax(k), pinned::results<T>::softmax));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(attention_has_its_pinned_bits, T, number_types)
{
    const auto q = seen_at_run_time(pinned::q<T>);
    const auto k = seen_at_run_time(pinned::k<T>);
    const auto v = seen_at_run_time(pinned::v<T>);
    BOOST_TEST(unit::same_bits(hs::attention(q, k, v), pinned::results<T>::attention));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_layer_has_its_pinned_bits, T, number_types)
{
    const hs::multi_head<T, pinned::sizes> layer(seen_at_run_time(pinned::weights<T>));
    const auto q = seen_at_run_time(pinned::q<T>);
    const auto k = seen_at_run_time(pinned::k<T>);
    const auto v = seen_at_run_time(pinned::wide_v<T>);
    BOOST_TEST(unit::same_bits(layer(q, k, v), pinned::results<T>::multi_head));
}
