// SPDX-License-Identifier: BSL-1.0
// Numbers that stay where they are: row vectors, slices, transposes, as inputs and as outputs.
#include "cases.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace property {
namespace {

using headstrong::bias;
using headstrong::dims;
using headstrong::matrix;
using headstrong::matrix_view;
using headstrong::rows;

/// A matrix somewhere in a larger array, every other number of which is NaN.
template <class T, std::size_t R, std::size_t C, std::size_t RowStride, std::size_t ColStride>
class slice {
public:
    slice() : numbers_(size, nan<T>) {}
    explicit slice(const matrix<T, R, C>& x) : slice()
    {
        for (std::size_t j = 0; j < C; ++j)
            for (std::size_t r = 0; r < R; ++r) view()(r, j) = x(r, j);
    }

    [[nodiscard]] matrix_view<T, R, C, RowStride, ColStride> view() { return {numbers_.data() + offset}; }
    [[nodiscard]] matrix_view<const T, R, C, RowStride, ColStride> view() const { return {numbers_.data() + offset}; }

    /// The numbers beside the matrix are NaN still, and those of the matrix are not.
    [[nodiscard]] bool only_the_matrix_is_written() const
    {
        const auto written = std::ranges::count_if(numbers_, [](T x) { return !std::isnan(x); });
        return static_cast<std::size_t>(written) == R * C;
    }

private:
    static constexpr std::size_t offset = 3, size = offset + (R - 1) * RowStride + (C - 1) * ColStride + 4;

    std::vector<T> numbers_;
};

/// The transpose of x, moved.
template <class T, std::size_t R, std::size_t C>
[[nodiscard]] matrix<T, C, R> moved_to_transpose(const matrix<T, R, C>& x)
{
    matrix<T, C, R> y;
    for (std::size_t j = 0; j < C; ++j)
        for (std::size_t r = 0; r < R; ++r) y(j, r) = x(r, j);
    return y;
}

/// A layer and its inputs.
template <class T, dims D, std::size_t N, std::size_t M>
struct example {
    using layer_type = headstrong::multi_head<T, D>;

    numbers random{61};
    layer_type layer{random.weights<T, D>()};
    matrix<T, D.d_model, N> q = random.matrix<T, D.d_model, N>();
    matrix<T, D.d_key, M> k = random.matrix<T, D.d_key, M>();
    matrix<T, D.d_value, M> v = random.matrix<T, D.d_value, M>();
    matrix<T, D.d_out, N> y = layer(q, k, v);
    typename layer_type::template workspace<N, M> scratch;
};

using float_example =
    example<float, dims{.d_model = 16, .heads = 2, .d_k = 8, .d_v = 5, .d_out = 17, .biases = bias::all}, 17, 15>;
using double_example =
    example<double, dims{.d_model = 5, .heads = 3, .d_k = 2, .d_v = 1, .d_key = 3, .d_value = 8, .d_out = 15}, 3, 16>;

template <class T, dims D, std::size_t N, std::size_t M>
void row_vectors_are_the_columns(example<T, D, N, M> x)
{
    BOOST_TEST(same_bits(x.layer(rows(x.q), rows(x.k), rows(x.v)), x.y));
    const auto by_rows = rows(x.y);
    static_assert(by_rows.rows == N && by_rows.columns == D.d_out);
    bool same_numbers = true;
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t r = 0; r < D.d_out; ++r) same_numbers = same_numbers && &by_rows(i, r) == &x.y(r, i);
    BOOST_TEST(same_numbers);
}

BOOST_AUTO_TEST_CASE(rows_of_a_matrix_are_its_columns_as_row_vectors)
{
    row_vectors_are_the_columns(float_example{});
    row_vectors_are_the_columns(double_example{});
}

template <class T, std::size_t R, std::size_t C>
void copy_to_rows(const matrix<T, R, C>& x, T (&tokens)[C][R])
{
    for (std::size_t j = 0; j < C; ++j)
        for (std::size_t r = 0; r < R; ++r) tokens[j][r] = x(r, j);
}

template <class T, dims D, std::size_t N, std::size_t M>
void arrays_are_row_vectors(example<T, D, N, M> x)
{
    T q[N][D.d_model], k[M][D.d_key], v[M][D.d_value], y[N][D.d_out];
    copy_to_rows(x.q, q), copy_to_rows(x.k, k), copy_to_rows(x.v, v);
    const T *first_q = &q[0][0], *first_k = &k[0][0], *first_v = &v[0][0];
    BOOST_TEST(same_bits(x.layer(rows<N, D.d_model>(first_q), rows<M, D.d_key>(first_k), rows<M, D.d_value>(first_v)), x.y));

    const std::span<const T, N * D.d_model> span_of_q(first_q, N * D.d_model);
    x.layer(rows<N, D.d_model>(span_of_q), rows<M, D.d_key>(first_k), rows<M, D.d_value>(first_v), rows<N, D.d_out>(&y[0][0]),
            x.scratch);
    bool all_same = true;
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t r = 0; r < D.d_out; ++r) all_same = all_same && same_bits(y[i][r], x.y(r, i));
    BOOST_TEST(all_same);
}

BOOST_AUTO_TEST_CASE(arrays_with_a_token_a_row_are_taken_and_written_as_they_are)
{
    arrays_are_row_vectors(float_example{});
    arrays_are_row_vectors(double_example{});
}

template <class T, dims D, std::size_t N, std::size_t M>
void strides_change_no_bit(example<T, D, N, M> x)
{
    const auto q = moved_to_transpose(x.q);
    const slice<T, D.d_key, M, 2, 2 * D.d_key + 1> k(x.k);
    const slice<T, D.d_value, M, 1, D.d_value + 3> v(x.v);
    matrix<T, N, D.d_out> transposed_y;
    std::ranges::fill(transposed_y.elements, nan<T>);
    x.layer(headstrong::transposed(q), k.view(), v.view(), headstrong::transposed(transposed_y), x.scratch);
    BOOST_TEST(same_bits(headstrong::transposed(transposed_y), x.y));

    slice<T, D.d_out, N, 1, D.d_out + 5> y;
    x.layer(x.q, x.k, x.v, y.view(), x.scratch);
    BOOST_TEST(same_bits(y.view(), x.y));
    BOOST_TEST(y.only_the_matrix_is_written());

    slice<T, D.d_out, N, 3, 3 * D.d_out + 2> spread_y;
    x.layer(x.q, x.k, x.v, rows(spread_y.view()), x.scratch);
    BOOST_TEST(same_bits(spread_y.view(), x.y));
    BOOST_TEST(spread_y.only_the_matrix_is_written());
}

BOOST_AUTO_TEST_CASE(a_layer_reads_and_writes_transposes_and_slices)
{
    strides_change_no_bit(float_example{});
    strides_change_no_bit(double_example{});
}

template <class T, std::size_t DK, std::size_t DV, std::size_t N, std::size_t M>
void strides_change_no_bit_of_attention(unsigned seed)
{
    numbers random(seed);
    const auto q = random.matrix<T, DK, N>();
    const auto k = random.matrix<T, DK, M>();
    const auto v = random.matrix<T, DV, M>();
    const auto expected = headstrong::attention(q, k, v);
    BOOST_TEST(same_bits(headstrong::attention(rows(q), rows(k), rows(v)), expected));

    const slice<T, DK, N, 2, 2 * DK + 1> q_slice(q);
    const auto k_moved = moved_to_transpose(k);
    const auto v_moved = moved_to_transpose(v);
    slice<T, DV, N, 2, 2 * DV + 3> y;
    headstrong::attention_workspace<T, DK, DV, N, M> scratch;
    headstrong::attention(q_slice.view(), headstrong::transposed(k_moved), headstrong::transposed(v_moved), y.view(), scratch,
                          headstrong::scaled_dot{});
    BOOST_TEST(same_bits(y.view(), expected));
    BOOST_TEST(y.only_the_matrix_is_written());
}

BOOST_AUTO_TEST_CASE(attention_reads_and_writes_transposes_and_slices)
{
    strides_change_no_bit_of_attention<float, 8, 5, 17, 15>(62);
    strides_change_no_bit_of_attention<double, 3, 1, 2, 16>(63);
}

BOOST_AUTO_TEST_CASE(queries_keys_and_values_may_lie_in_one_array)
{
    constexpr std::size_t tokens = 17, width = 8;
    numbers random(64);
    const auto x = random.matrix<float, 3 * width, tokens>();  // a token's query, key and value beside each other
    const auto part = [&](std::size_t first) {
        return headstrong::row_view<const float, tokens, width, 3 * width>{{&x(first, 0)}};
    };
    matrix<float, width, tokens> q, k, v;
    for (std::size_t i = 0; i < tokens; ++i)
        for (std::size_t r = 0; r < width; ++r) q(r, i) = x(r, i), k(r, i) = x(width + r, i), v(r, i) = x(2 * width + r, i);
    BOOST_TEST(same_bits(headstrong::attention(part(0), part(width), part(2 * width)), headstrong::attention(q, k, v)));
}

BOOST_AUTO_TEST_CASE(products_and_softmax_read_transposes_and_slices)
{
    numbers random(65);
    const auto w = random.matrix<float, 17, 5>();
    const auto x = random.matrix<float, 5, 3>();
    const auto b = random.matrix<float, 17, 1>();
    const auto w_moved = moved_to_transpose(w);
    const slice<float, 5, 3, 2, 15> x_slice(x);
    BOOST_TEST(same_bits(headstrong::multiply(headstrong::transposed(w_moved), x_slice.view()), headstrong::multiply(w, x)));
    BOOST_TEST(same_bits(headstrong::affine(headstrong::transposed(w_moved), rows(x), b), headstrong::affine(w, x, b)));
    BOOST_TEST(same_bits(headstrong::softmax(headstrong::transposed(w_moved)), headstrong::softmax(w)));
    BOOST_TEST(same_bits(headstrong::softmax(x_slice.view()), headstrong::softmax(x)));
    BOOST_TEST(same_bits(headstrong::stack(x_slice.view(), rows(x)), headstrong::stack(x, x)));
}

}  // namespace
}  // namespace property
