// SPDX-License-Identifier: BSL-1.0
// Products, folds, stacks and the softmax of columns, at sizes around the sixteen lanes.
#include "compare.hpp"
#include "headstrong/linear.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <tuple>

namespace hs = headstrong;

namespace {

template <class T, std::size_t R, std::size_t C, std::size_t N>
struct shape {
    using type = T;
    static constexpr std::size_t rows = R, inner = C, columns = N;
};
using shapes = std::tuple<shape<float, 1, 1, 1>, shape<float, 15, 3, 16>, shape<float, 16, 17, 2>, shape<float, 35, 16, 15>,
                          shape<double, 7, 1, 9>, shape<double, 8, 35, 5>, shape<double, 9, 17, 16>>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(a_product_is_the_sum_over_the_inner_index, S, shapes)
{
    using T = typename S::type;
    unit::random_numbers random(3);
    const auto w = random.matrix<hs::matrix<T, S::rows, S::inner>>();
    const auto x = random.matrix<hs::matrix<T, S::inner, S::columns>>();
    const auto b = random.matrix<hs::matrix<T, S::rows, 1>>();
    const auto w_table = reference::table_of(w), x_table = reference::table_of(x), b_table = reference::table_of(b);

    BOOST_TEST(unit::distance(hs::multiply(w, x), reference::affine(w_table, x_table))
               <= reference::affine_bound<T>(w_table, x_table));
    BOOST_TEST(unit::distance(hs::affine(w, x, b), reference::affine(w_table, x_table, b_table.numbers))
               <= reference::affine_bound<T>(w_table, x_table, b_table.numbers));
}

BOOST_AUTO_TEST_CASE(a_product_takes_views_of_any_strides)
{
    unit::random_numbers random(4);
    const auto w = random.matrix<hs::matrix<float, 5, 3>>();
    const auto x = random.matrix<hs::matrix<float, 3, 17>>();
    const auto w_transposed = hs::matrix<float, 3, 5>{w(0, 0), w(0, 1), w(0, 2), w(1, 0), w(1, 1), w(1, 2), w(2, 0), w(2, 1),
                                                      w(2, 2), w(3, 0), w(3, 1), w(3, 2), w(4, 0), w(4, 1), w(4, 2)};
    hs::matrix<float, 17, 3> x_transposed;
    for (std::size_t j = 0; j < 17; ++j)
        for (std::size_t r = 0; r < 3; ++r) x_transposed(j, r) = x(r, j);
    BOOST_TEST(unit::same_bits(hs::multiply(w, x), hs::multiply(hs::transposed(w_transposed), hs::transposed(x_transposed))));
}

BOOST_AUTO_TEST_CASE(folded_weights_act_as_one_after_the_other)
{
    unit::random_numbers random(5);
    const auto small_integers = [&]<class Matrix>(Matrix x) {  // all sums are exact
        for (auto& e : x.elements) e = static_cast<float>(static_cast<int>(random(10)));
        return x;
    };
    const auto w = small_integers(hs::matrix<float, 3, 7>{}), x = small_integers(hs::matrix<float, 3, 7>{});
    const auto inner = small_integers(hs::matrix<float, 7, 3>{});
    static_assert(std::is_same_v<decltype(hs::fold(w, inner)), hs::matrix<float, 3, 3>>);
    BOOST_TEST((hs::multiply(hs::fold(w, inner), x) == hs::multiply(w, hs::multiply(inner, x))));
}

BOOST_AUTO_TEST_CASE(stacked_matrices_stand_below_each_other)
{
    const hs::matrix<float, 1, 2> a{1, 2};
    const hs::matrix<float, 2, 2> b{3, 4, 5, 6};
    BOOST_TEST((hs::stack(a) == a));
    BOOST_TEST((hs::stack(a, b) == hs::matrix<float, 3, 2>{1, 3, 4, 2, 5, 6}));
    BOOST_TEST((hs::stack(b, hs::transposed(b), a) == hs::matrix<float, 5, 2>{3, 4, 3, 5, 1, 5, 6, 4, 6, 2}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_softmax_is_that_of_each_column, S, shapes)
{
    using T = typename S::type;
    unit::random_numbers random(6);
    const auto x = random.matrix<hs::matrix<T, S::inner, S::columns>>(20);
    const auto y = hs::softmax(x);
    const auto expected = reference::softmax(reference::table_of(x));
    const double bound = (4 * 20 + 8 + static_cast<double>(S::inner)) * 2 * reference::unit_roundoff<T>;  // of a number <= 1
    BOOST_TEST(unit::distance(y, expected) <= bound);
}

BOOST_AUTO_TEST_CASE(a_softmax_keeps_infinities_and_nan_in_their_column)
{
    constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const hs::matrix<float, 3, 5> x{-infinity, -infinity, -infinity, -infinity, 5, -infinity, 1, nan,
                                    2,         infinity,  1,         1,         0, 0,         0};
    const auto y = hs::softmax(x);
    const auto column = [&](std::size_t i) { return hs::matrix<float, 3, 1>{y(0, i), y(1, i), y(2, i)}; };
    BOOST_TEST((column(0) == hs::matrix<float, 3, 1>{0, 0, 0}));
    BOOST_TEST((column(1) == hs::matrix<float, 3, 1>{0, 1, 0}));
    for (std::size_t j = 0; j < 3; ++j) BOOST_TEST((std::isnan(y(j, 2)) && std::isnan(y(j, 3))));
    BOOST_TEST((column(4) == hs::matrix<float, 3, 1>{1.0f / 3, 1.0f / 3, 1.0f / 3}));
}
