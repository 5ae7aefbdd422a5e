// SPDX-License-Identifier: BSL-1.0
// The kernels that walk memory in registers, against plain loops: every number, and nothing beside the memory that they are
// given, which lies before, then behind, a page that may not be touched.
#include "guarded.hpp"
#include "inputs.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace hs = headstrong;
using tests::bits;
using tests::opaque;

namespace {

using models = std::conditional_t<
    HEADSTRONG_SIMD,
    std::tuple<hs::portable_lanes<float>, hs::portable_lanes<double>, hs::native_lanes<float>, hs::native_lanes<double>>,
    std::tuple<hs::portable_lanes<float>, hs::portable_lanes<double>>>;
using models_and_single_numbers = decltype(std::tuple_cat(
    std::declval<models>(), std::declval<std::tuple<hs::portable_lanes<float, 4>, hs::portable_lanes<double, 4>>>()));

/// `count` numbers at the one or the other end of pages of their own.
template <class T>
class guarded_numbers {
public:
    guarded_numbers(std::size_t count, bool end)
        : pages(count * sizeof(T) + 1), count_(count), data_(end ? pages.last<T>(count) : pages.first<T>())
    {
    }

    [[nodiscard]] T* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return count_; }
    void fill(T content) const { std::fill_n(data_, count_, content); }
    void fill_with_random_numbers(std::uint64_t seed) const
    {
        tests::integers from{opaque(seed)};
        for (std::size_t e = 0; e < count_; ++e) data_[e] = tests::number<T>(from);
    }

private:
    tests::guarded_pages pages;
    std::size_t count_;
    T* data_;
};

template <class T>
constexpr T untouched = std::numeric_limits<T>::max();

/// What fails says for which rows (or blocks), columns, their two strides, and first column.
void expect_none(std::size_t wrong, const char* what, std::array<std::size_t, 5> sizes)
{
    BOOST_TEST(wrong == 0u, what << ", " << sizes[0] << " x " << sizes[1] << ", strides " << sizes[2] << " and " << sizes[3]
                                 << ", from column " << sizes[4] << ": " << wrong << " numbers differ");
}

/// Views of R x C numbers with these strides, both ways.
template <class L, std::size_t R, std::size_t C, std::size_t RowStride, std::size_t ColumnStride>
void check_transposes()
{
    using T = typename L::value_type;
    using view = hs::matrix_view<T, R, C, RowStride, ColumnStride>;
    using const_view = hs::matrix_view<const T, R, C, RowStride, ColumnStride>;
    constexpr std::size_t extent = (R - 1) * RowStride + (C - 1) * ColumnStride + 1;
    const T factor = opaque(static_cast<T>(0.7));
    for (const bool end : {false, true}) {
        const guarded_numbers<T> matrix(extent, end), panel(R * L::size, end);
        for (std::size_t first = 0; first < C; first += L::size) {
            matrix.fill(std::numeric_limits<T>::quiet_NaN());  // what lies between the numbers is no number of the matrix
            tests::integers from{opaque<std::uint64_t>(1)};
            const view x{matrix.data()};
            for (std::size_t j = 0; j < C; ++j)
                for (std::size_t r = 0; r < R; ++r) x(r, j) = tests::number<T>(from);
            panel.fill(untouched<T>);
            hs::detail::tokens_to_lanes<L>(const_view{matrix.data()}, first, factor, panel.data());
            std::size_t unequal = 0;
            for (std::size_t r = 0; r < R; ++r)
                for (std::size_t i = 0; i < L::size; ++i) {
                    const std::size_t lane = hs::detail::of_single_numbers<L> && first + i >= C ? 0 : i;
                    volatile T expected = first + lane < C ? x(r, first + lane) * factor : T{0};
                    if (bits(panel.data()[r * L::size + i]) != bits<T>(expected)) ++unequal;
                }
            expect_none(unequal, "to lanes", {R, C, RowStride, ColumnStride, first});

            panel.fill_with_random_numbers(2);
            matrix.fill(untouched<T>);
            hs::detail::lanes_to_tokens<L>(panel.data(), x, first);
            std::size_t written = 0, wrong = 0;
            for (std::size_t e = 0; e < extent; ++e) written += matrix.data()[e] != untouched<T>;
            const std::size_t tokens = std::min(C - first, L::size);
            for (std::size_t i = 0; i < tokens; ++i)
                for (std::size_t r = 0; r < R; ++r) wrong += bits(x(r, first + i)) != bits(panel.data()[r * L::size + i]);
            expect_none(wrong, "to tokens", {R, C, RowStride, ColumnStride, first});
            expect_none(written - tokens * R, "between tokens", {R, C, RowStride, ColumnStride, first});
        }
    }
}

/// Tokens without and with a gap between them.
template <class L, std::size_t R, std::size_t... C>
void check_transposes_of()
{
    (check_transposes<L, R, C, 1, R>(), ...);
    (check_transposes<L, R, C, 1, R + 3>(), ...);
}

/// x . c(:, j) in the order of the library: a chain over the blocks in each lane, then the tree of neighbours.
template <class L>
typename L::value_type inner_product(const typename L::value_type* x, hs::detail::blocked_columns<typename L::value_type> c,
                                     std::size_t j)
{
    using T = typename L::value_type;
    std::array<T, L::size> sum{};
    for (std::size_t b = 0; b < c.blocks; ++b)
        for (std::size_t i = 0; i < L::size; ++i)
            sum[i] = std::fma(c.data[b * c.block_stride + j * c.column_stride + i], x[b * L::size + i], sum[i]);
    for (std::size_t step = 1; step < L::size; step *= 2)
        for (std::size_t i = 0; i < L::size; i += 2 * step) {
            volatile T pair = sum[i] + sum[i + step];
            sum[i] = pair;
        }
    return sum[0];
}

/// dot_columns of one to seven vectors with blocks and columns at these strides, in numbers.
template <class L>
void check_dots(std::size_t blocks, std::size_t columns, std::size_t block_stride, std::size_t column_stride)
{
    using T = typename L::value_type;
    const std::size_t extent = blocks == 0 ? 0 : (blocks - 1) * block_stride + (columns - 1) * column_stride + L::size;
    const std::size_t x_stride = blocks * L::size + 3, out_stride = columns + 1;
    for (const std::size_t vectors : std::array<std::size_t, 4>{1, 2, 3, 7})
        for (const bool end : {false, true}) {
            const guarded_numbers<T> matrix(extent, end), x((vectors - 1) * x_stride + blocks * L::size, end);
            const guarded_numbers<T> out((vectors - 1) * out_stride + columns, end);
            matrix.fill_with_random_numbers(3);
            x.fill_with_random_numbers(4);
            out.fill(untouched<T>);
            const hs::detail::blocked_columns<T> c{matrix.data(), blocks, block_stride, column_stride};
            const hs::detail::some_vectors<T> all{x.data(), vectors, x_stride};
            hs::detail::dot_columns<L, hs::detail::vectors_at_once<L>>(all, c, columns, out.data(), out_stride);
            std::size_t unequal = 0;
            for (std::size_t v = 0; v < vectors; ++v)
                for (std::size_t j = 0; j < columns; ++j)
                    unequal += bits(out.data()[v * out_stride + j]) != bits(inner_product<L>(x.data() + v * x_stride, c, j));
            for (std::size_t v = 1; v < vectors; ++v) unequal += bits(out.data()[v * out_stride - 1]) != bits(untouched<T>);
            expect_none(unequal, "inner products", {blocks, columns, block_stride, column_stride, vectors});
        }
}

/// score_columns of five vectors for keys with these strides: whole blocks as above, then the other numbers one by one.
template <class L, std::size_t R, std::size_t C, std::size_t RowStride, std::size_t ColumnStride>
void check_scores()
{
    using T = typename L::value_type;
    constexpr std::size_t whole = R / L::size * L::size;
    for (const bool end : {false, true}) {
        constexpr std::size_t vectors = 5;
        const guarded_numbers<T> matrix((R - 1) * RowStride + (C - 1) * ColumnStride + 1, end), u(vectors * R, end),
            scores(vectors * C, end);
        matrix.fill_with_random_numbers(5);
        u.fill_with_random_numbers(6);
        scores.fill(untouched<T>);
        const hs::matrix_view<const T, R, C, RowStride, ColumnStride> x{matrix.data()};
        hs::detail::score_columns<L, vectors>(u.data(), R, x, scores.data(), C);
        std::size_t unequal = 0;
        for (std::size_t v = 0; v < vectors; ++v)
            for (std::size_t j = 0; j < C; ++j) {
                const T* const vector = u.data() + v * R;
                std::array<T, whole + 1> column{};
                for (std::size_t r = 0; r < whole; ++r) column[r] = x(r, j);
                T expected = inner_product<L>(vector, {column.data(), whole / L::size, L::size, 0}, 0);
                for (std::size_t r = whole; r < R; ++r) expected = std::fma(vector[r], x(r, j), expected);
                unequal += bits(scores.data()[v * C + j]) != bits(expected);
            }
        expect_none(unequal, "scores", {R, C, RowStride, ColumnStride, 0});
    }
}

template <class L, std::size_t R, std::size_t... C>
void check_scores_of()
{
    (check_scores<L, R, C, 1, R>(), ...);
    (check_scores<L, R, C, 1, R + 3>(), ...);
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(tokens_become_lanes_and_lanes_tokens, L, models_and_single_numbers)
{
    check_transposes_of<L, 1, 1, 5, 16, 35>();
    check_transposes_of<L, 3, 2, 8, 17>();
    check_transposes_of<L, 8, 1, 7, 8, 9, 15>();
    check_transposes_of<L, 15, 3, 16, 33>();
    check_transposes_of<L, 16, 1, 4, 15, 16, 17>();
    check_transposes_of<L, 17, 1, 13, 32>();
    check_transposes_of<L, 35, 2, 11, 35>();
    check_transposes<L, 17, 19, 19, 1>();  // transposed
    check_transposes<L, 17, 19, 2, 37>();
}

BOOST_AUTO_TEST_CASE_TEMPLATE(inner_products_with_many_columns, L, models)
{
    for (const std::size_t columns : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 15u, 16u, 17u, 31u, 35u})
        for (const std::size_t blocks : {0u, 1u, 2u, 3u, 9u}) {
            check_dots<L>(blocks, columns, columns * L::size, L::size);     // packed weights: panels of columns
            check_dots<L>(blocks, columns, L::size, blocks * L::size);      // tokens
            check_dots<L>(blocks, columns, L::size, blocks * L::size + 5);  // tokens with a tail or a gap
            check_dots<L>(blocks, columns, columns * L::size + 1, L::size + 3);
        }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(scores_of_keys_that_are_not_projected, L, models)
{
    check_scores_of<L, 1, 1, 5>();
    check_scores_of<L, 7, 3, 17>();
    check_scores_of<L, 8, 1, 9>();
    check_scores_of<L, 15, 8, 16>();
    check_scores_of<L, 16, 1, 4, 17>();
    check_scores_of<L, 17, 2, 16>();
    check_scores_of<L, 35, 3, 35>();
    check_scores<L, 7, 19, 19, 1>();
    check_scores<L, 35, 19, 19, 1>();
    check_scores<L, 35, 19, 2, 71>();
}
