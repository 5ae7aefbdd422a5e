// SPDX-License-Identifier: BSL-1.0
#include "comparison.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <vector>

namespace {

using namespace conformance;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
constexpr double not_a_number64 = std::numeric_limits<double>::quiet_NaN(),
                 infinity64 = std::numeric_limits<double>::infinity();
constexpr double eps = 0x1p-23;  // of float

double error(const std::vector<float>& a, const std::vector<double>& e) { return relative_error(a, e); }

double limit(double framework, const std::vector<double>& expected, const difficulty& d = {})
{
    return error_limit(framework, expected, d);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_error_is_the_largest_difference_over_the_largest_right_number)
{
    BOOST_TEST(error({1, 2, -4}, {1, 2, -4}) == 0);
    BOOST_TEST(error({1, 2.5f, -4}, {1, 2, -4}) == 0.125);
    BOOST_TEST(error({1.5f, 2, -4.25f}, {1, 2, -4}) == 0.125);
    BOOST_TEST(error({0, 0}, {0, 0}) == 0);
    BOOST_TEST(error({0, 1e-30f}, {0, 0}) == infinity64);
}

BOOST_AUTO_TEST_CASE(errors_of_opposite_sign_do_not_cancel) { BOOST_TEST(error({2, 1}, {1, 2}) == 0.5); }

BOOST_AUTO_TEST_CASE(elements_that_are_not_finite_agree_only_with_their_own_kind)
{
    BOOST_TEST(error({not_a_number, 1}, {not_a_number64, 1}) == 0);
    BOOST_TEST(error({infinity, 1}, {infinity64, 1}) == 0);
    BOOST_TEST(error({not_a_number, 3}, {not_a_number64, 2}) == 0.5);
    for (const float a : {not_a_number, infinity, -infinity})
        for (const double e : {0.0, not_a_number64, infinity64, -infinity64})
            if (!(static_cast<double>(a) == e) && !(a != a && e != e)) BOOST_TEST(error({a, 1}, {e, 1}) == infinity64);
    BOOST_TEST(error({0, 1}, {0, not_a_number64}) == infinity64);
}

BOOST_AUTO_TEST_CASE(results_of_another_size_never_agree) { BOOST_TEST(error({1, 2}, {1, 2, 3}) == infinity64); }

BOOST_AUTO_TEST_CASE(our_error_may_be_twice_that_of_the_other_implementation)
{
    BOOST_TEST(limit(1e-6, {1}) == 2e-6);
    BOOST_TEST(limit(0, {1}) == 6 * eps);
    BOOST_TEST(limit(0, {1}, {0, 360}) == 6 * eps);
}

BOOST_AUTO_TEST_CASE(large_scores_and_denormal_results_have_wider_limits)
{
    BOOST_TEST(limit(0, {1}, {8, 36}) == 14 * eps);
    BOOST_TEST(limit(0, {1}, {1000, 36}) < 1.3e-4);
    BOOST_TEST(limit(0, {1}, {1000, 36}) > 1e-4);
    BOOST_TEST(limit(0, {1}, {1e30, 36}) < 1.1e-3);
    BOOST_TEST(limit(0, {1e-41}, {1, 36}) > 4.2e-4);
    BOOST_TEST(limit(0, {1e-41}, {1, 36}) < 4.3e-4);
}

BOOST_AUTO_TEST_CASE(a_result_of_another_kind_gives_no_allowance)
{
    BOOST_TEST(limit(infinity64, {1}) == 6 * eps);
    BOOST_TEST(limit(not_a_number64, {1}) == 6 * eps);
}

BOOST_AUTO_TEST_CASE(limits_of_double_are_its_own)
{
    BOOST_TEST(limit(0, {1}, {0, 36, true}) == 6 * 0x1p-52);
    BOOST_TEST(limit(0, {1e-41}, {0, 36, true}) == 6 * 0x1p-52);
}

BOOST_AUTO_TEST_CASE(what_is_only_copied_must_be_equal)
{
    const std::vector<double> numbers{1, -infinity64, not_a_number64}, others{1 + 0x1p-50, -infinity64, not_a_number64};
    BOOST_TEST(equal("present_key", numbers, numbers).passed());
    BOOST_TEST(!equal("present_key", others, numbers).passed());
}

BOOST_AUTO_TEST_CASE(only_ordinary_results_are_counted)
{
    const auto ordinary = [](double expected, const difficulty& d) {
        const std::vector<double> e{expected};
        return compare("output", e, e, e, d).ordinary;
    };
    BOOST_TEST(ordinary(1, {5, 36}));
    BOOST_TEST(ordinary(0, {5, 36}));
    BOOST_TEST(!ordinary(1, {100, 36}));
    BOOST_TEST(!ordinary(1e-41, {5, 36}));
}

BOOST_AUTO_TEST_CASE(a_result_beyond_its_limit_fails)
{
    const std::vector<float> framework{1, 2};
    const std::vector<double> expected{1, 2};
    BOOST_TEST(compare("output", std::vector<float>{1, 2}, framework, expected, {}).passed());
    BOOST_TEST(!compare("output", std::vector<float>{1, 2.00001f}, framework, expected, {}).passed());
    BOOST_TEST(!compare("output", std::vector<float>{1, not_a_number}, framework, expected, {}).passed());
}
