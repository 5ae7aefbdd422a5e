// SPDX-License-Identifier: BSL-1.0
// Matrices and views: where each number lies.
#include "compare.hpp"
#include "headstrong/attention.hpp"
#include "headstrong/linear.hpp"
#include "headstrong/multi_head.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>

namespace hs = headstrong;

namespace {

/// 0, 1, 2, ... in memory order.
template <class Matrix>
Matrix counted()
{
    Matrix x;
    std::iota(x.elements, x.elements + Matrix::rows * Matrix::columns, typename Matrix::value_type{0});
    return x;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_numbers_of_a_column_are_neighbours)
{
    auto x = counted<hs::matrix<float, 3, 4>>();
    BOOST_TEST(x(0, 0) == 0.0f);
    BOOST_TEST(x(2, 0) == 2.0f);
    BOOST_TEST(x(0, 1) == 3.0f);
    BOOST_TEST(x(2, 3) == 11.0f);
    BOOST_TEST(&x(1, 2) == x.data() + 7);
    x(1, 2) = 100;
    BOOST_TEST(x.span()[7] == 100.0f);
    x.column(2)[0] = 200;
    BOOST_TEST(x(0, 2) == 200.0f);
    BOOST_TEST(x.span().size() == 12u);
    BOOST_TEST(x.column(3).size() == 3u);
    BOOST_TEST(&x.column(3)[1] == &x(1, 3));
}

BOOST_AUTO_TEST_CASE(a_constant_matrix_gives_constant_numbers)
{
    static_assert(std::is_same_v<decltype(std::declval<const hs::matrix<float, 3, 4>&>()(0, 0)), const float&>);
    const auto x = counted<hs::matrix<double, 3, 4>>();
    BOOST_TEST(x(1, 1) == 4.0);
    BOOST_TEST(x.span()[11] == 11.0);
    BOOST_TEST(x.column(2)[2] == 8.0);
    BOOST_TEST(hs::as_view(x)(2, 2) == 8.0);
}

BOOST_AUTO_TEST_CASE(matrices_are_equal_as_numbers)
{
    using matrix = hs::matrix<float, 2, 2>;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    BOOST_TEST((matrix{1, 2, 3, 4} == matrix{1, 2, 3, 4}));
    BOOST_TEST((matrix{1, 2, 3, 4} != matrix{1, 2, 3, 5}));
    BOOST_TEST((matrix{5, 2, 3, 4} != matrix{1, 2, 3, 4}));
    BOOST_TEST((matrix{0, 0, 0, 0} == matrix{-0.0f, 0, 0, 0}));
    BOOST_TEST((matrix{nan, 2, 3, 4} != matrix{nan, 2, 3, 4}));
}

BOOST_AUTO_TEST_CASE(tokens_by_numbers_in_rows_have_the_bytes_of_a_matrix)
{
    float array[4][3];  // 4 tokens of 3 numbers, as NumPy and PyTorch hold them
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t r = 0; r < 3; ++r) array[i][r] = static_cast<float>(10 * i + r);
    const auto by_row = hs::rows<4, 3>(&array[0][0]);
    hs::matrix<float, 3, 4> x;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t r = 0; r < 3; ++r) {
            BOOST_TEST(by_row(i, r) == array[i][r]);
            x(r, i) = by_row(i, r);
        }
    static_assert(sizeof(x.elements) == sizeof(array));
    BOOST_TEST(std::memcmp(x.elements, array, sizeof(array)) == 0);
}

BOOST_AUTO_TEST_CASE(rows_of_a_matrix_are_its_transpose_in_place)
{
    auto x = counted<hs::matrix<float, 3, 4>>();
    const auto r = hs::rows(x);
    static_assert(decltype(r)::rows == 4 && decltype(r)::columns == 3);
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t c = 0; c < 3; ++c) BOOST_TEST(&r(i, c) == &x(c, i));
    BOOST_TEST(hs::as_view(r).data == x.data());
}

BOOST_AUTO_TEST_CASE(pointers_and_spans_are_seen_as_rows_or_columns)
{
    std::array<float, 6> numbers{0, 1, 2, 3, 4, 5};
    BOOST_TEST((hs::rows<2, 3>(numbers.data())(1, 0)) == 3.0f);
    BOOST_TEST((hs::rows<2, 3>(std::span(numbers))(1, 2)) == 5.0f);
    BOOST_TEST((hs::columns<2, 3>(numbers.data())(1, 2)) == 5.0f);
    BOOST_TEST((hs::columns<2, 3>(std::span(numbers))(0, 1)) == 2.0f);
    hs::columns<2, 3>(numbers.data())(0, 2) = 40;
    BOOST_TEST(numbers[4] == 40.0f);
    const std::span<const float, 6> constant(numbers);
    static_assert(std::is_same_v<decltype(hs::columns<2, 3>(constant)), hs::matrix_view<const float, 2, 3>>);
    static_assert(std::is_same_v<decltype(hs::rows<2, 3>(constant)), hs::row_view<const float, 2, 3>>);
}

BOOST_AUTO_TEST_CASE(strides_are_steps_between_rows_and_between_columns)
{
    auto x = counted<hs::matrix<float, 20, 1>>();
    const hs::matrix_view<float, 2, 3, 5, 7> view{x.data()};
    for (std::size_t r = 0; r < 2; ++r)
        for (std::size_t j = 0; j < 3; ++j) BOOST_TEST(view(r, j) == static_cast<float>(5 * r + 7 * j));
    BOOST_TEST(&view.column(2)(1, 0) == &view(1, 2));
    view(1, 1) = -1;
    BOOST_TEST(x(12, 0) == -1.0f);
}

BOOST_AUTO_TEST_CASE(a_transposed_view_exchanges_rows_and_columns_and_twice_is_the_first)
{
    const auto x = counted<hs::matrix<float, 3, 4>>();
    const auto t = hs::transposed(x);
    static_assert(decltype(t)::rows == 4 && decltype(t)::columns == 3);
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t j = 0; j < 4; ++j) BOOST_TEST(&t(j, r) == &x(r, j));
    static_assert(std::is_same_v<decltype(hs::transposed(t)), hs::matrix_view<const float, 3, 4>>);
    const auto of_rows = hs::transposed(hs::rows(x));  // the matrix of tokens that the rows mean, transposed
    BOOST_TEST(&of_rows(3, 2) == &x(2, 3));
}

BOOST_AUTO_TEST_CASE(weights_out_by_in_are_read_from_rows)
{
    const float torch[2][3] = {{1, 2, 3}, {4, 5, 6}};  // (out, in)
    const auto w = hs::from_rows<2, 3>(&torch[0][0]);
    BOOST_TEST((w == hs::matrix<float, 2, 3>{1, 4, 2, 5, 3, 6}));
    BOOST_TEST((hs::multiply(w, hs::matrix<float, 3, 1>{1, 10, 100}) == hs::matrix<float, 2, 1>{321, 654}));
}

// Layouts of one and the same input: the bits of the result must not know them.

BOOST_AUTO_TEST_CASE(pytorch_181133_candle_3703_a_transposed_view_of_k_equals_the_packed_k)
{
    unit::random_numbers random(1);
    const auto q = random.matrix<hs::matrix<float, 5, 3>>();
    const auto k = random.matrix<hs::matrix<float, 5, 17>>();
    const auto v = random.matrix<hs::matrix<float, 2, 17>>();
    hs::matrix<float, 17, 5> k_transposed;
    hs::matrix<float, 17, 2> v_transposed;
    for (std::size_t j = 0; j < 17; ++j) {
        for (std::size_t r = 0; r < 5; ++r) k_transposed(j, r) = k(r, j);
        for (std::size_t r = 0; r < 2; ++r) v_transposed(j, r) = v(r, j);
    }
    const auto packed = hs::attention(q, k, v);
    BOOST_TEST(unit::same_bits(packed, hs::attention(q, hs::transposed(k_transposed), v)));
    BOOST_TEST(unit::same_bits(packed, hs::attention(q, k, hs::transposed(v_transposed))));
    BOOST_TEST(unit::same_bits(packed, hs::attention(hs::rows<3, 5>(q.data()), hs::rows<17, 5>(k.data()), hs::rows(v))));
}

BOOST_AUTO_TEST_CASE(a_layer_takes_and_gives_any_layout)
{
    using layer_type = hs::multi_head<float, hs::dims{.d_model = 6, .heads = 2, .d_key = 5, .d_value = 4, .d_out = 3}>;
    unit::random_numbers random(2);
    const layer_type layer(random.weights<layer_type::weights_type>());
    const auto q = random.matrix<hs::matrix<float, 6, 18>>();
    const auto k = random.matrix<hs::matrix<float, 5, 7>>();
    const auto v = random.matrix<hs::matrix<float, 4, 7>>();
    const auto packed = layer(q, k, v);

    // q in rows a stride apart, k transposed, v with every second number, y in rows of a wider array
    float wide_q[18 * 10] = {}, transposed_k[5 * 7], sparse_v[2 * 4 * 7] = {}, wide_y[3 * 20] = {};
    const hs::matrix_view<float, 6, 18, 1, 10> q_view{wide_q};
    const hs::matrix_view<float, 5, 7, 7, 1> k_view{transposed_k};
    const hs::matrix_view<float, 4, 7, 2, 8> v_view{sparse_v};
    const hs::matrix_view<float, 3, 18, 20, 1> y_view{wide_y};
    for (std::size_t i = 0; i < 18; ++i)
        for (std::size_t r = 0; r < 6; ++r) q_view(r, i) = q(r, i);
    for (std::size_t j = 0; j < 7; ++j) {
        for (std::size_t r = 0; r < 5; ++r) k_view(r, j) = k(r, j);
        for (std::size_t r = 0; r < 4; ++r) v_view(r, j) = v(r, j);
    }
    layer_type::workspace<18, 7> scratch;
    layer(q_view, k_view, v_view, y_view, scratch);

    hs::matrix<float, 3, 18> y;
    for (std::size_t i = 0; i < 18; ++i)
        for (std::size_t r = 0; r < 3; ++r) y(r, i) = y_view(r, i);
    BOOST_TEST(unit::same_bits(packed, y));
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t i = 18; i < 20; ++i) BOOST_TEST(wide_y[r * 20 + i] == 0.0f);  // between the rows of y
}

// The measures of these tests can say no.

BOOST_AUTO_TEST_CASE(distance_and_same_bits_see_differences)
{
    using matrix = hs::matrix<float, 2, 1>;
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    reference::table expected(2, 1);
    expected(0, 0) = 1, expected(1, 0) = -1;
    BOOST_TEST(unit::distance(matrix{1, -1}, expected) == 0.0);
    BOOST_TEST(unit::distance(matrix{1.5f, -1.25f}, expected) == 0.5);
    BOOST_TEST(unit::distance(matrix{0.5f, -0.5f}, expected) == 0.5);
    BOOST_TEST(unit::distance(matrix{nan, -1}, expected) == infinity);
    BOOST_TEST(unit::distance(matrix{1, infinity}, expected) == infinity);
    BOOST_TEST((unit::distance(hs::matrix<float, 1, 2>{1, -1}, expected)) == infinity);
    BOOST_TEST(unit::same_bits(matrix{0, nan}, matrix{0, nan}));
    BOOST_TEST(!unit::same_bits(matrix{0, 1}, matrix{-0.0f, 1}));
    BOOST_TEST(!unit::same_bits(matrix{0, 1}, matrix{0, std::nextafter(1.0f, 2.0f)}));
}
