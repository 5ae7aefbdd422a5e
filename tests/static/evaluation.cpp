// SPDX-License-Identifier: BSL-1.0
// Constant evaluation: each function gives its exact result inside the compiler, within the default limits.
#include "headstrong/headstrong.hpp"
#include "reference/pinned.hpp"

#include <limits>

namespace hs = headstrong;

// Products of small integers are exact.
constexpr hs::matrix<float, 2, 3> a{1, 2, 3, 4, 5, 6};  // columns (1, 2), (3, 4), (5, 6)
constexpr hs::matrix<float, 3, 2> b{1, 0, -1, 2, 10, 100};
static_assert(hs::multiply(a, b) == hs::matrix<float, 2, 2>{-4, -4, 532, 644});
constexpr hs::matrix<float, 2, 1> added{0.5f, 1000};
static_assert(hs::affine(a, b, added) == hs::matrix<float, 2, 2>{-3.5f, 996, 532.5f, 1644});
static_assert(hs::fold(hs::transposed(b), hs::transposed(a)) == hs::matrix<float, 2, 2>{-4, 532, -4, 644});
static_assert(hs::stack(a, hs::columns<1, 3>(b.elements)) == hs::matrix<float, 3, 3>{1, 2, 1, 3, 4, 0, 5, 6, -1});

// Equal scores share alike, however large; a column that is -infinity has nothing to share.
constexpr float infinity = std::numeric_limits<float>::infinity();
static_assert(hs::softmax(hs::matrix<float, 4, 2>{-1e30f, -1e30f, -1e30f, -1e30f, 7, 7, 7, 7})
              == hs::matrix<float, 4, 2>{0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f});
static_assert(hs::softmax(hs::matrix<float, 2, 2>{-infinity, -infinity, 3, -infinity}) == hs::matrix<float, 2, 2>{0, 0, 1, 0});

// A query of zeros gets the mean of the values; one that is far nearer to one key than to the others gets that key's value.
constexpr hs::matrix<float, 2, 4> values{1, 2, 3, 4, 5, 6, 7, 16};
static_assert(hs::attention(hs::matrix<float, 3, 1>{}, hs::matrix<float, 3, 4>{}, values) == hs::matrix<float, 2, 1>{4, 7});
static_assert(hs::attention(hs::matrix<float, 2, 2>{1000, 0, 0, 1000}, hs::matrix<float, 2, 4>{0, 0, 9, 0, 0, 9, 0, 0}, values)
              == hs::matrix<float, 2, 2>{3, 4, 5, 6});

// Scores of the user's: the negative square distance, 0 for the nearest key and -10^6 or less for the others.
struct square_distance {
    constexpr float operator()(const auto& x, const auto& y) const
    {
        float sum = 0;
        for (std::size_t r = 0; r < x.size(); ++r) sum = hs::fma(x[r] - y[r], x[r] - y[r], sum);
        return -sum;
    }
};
static_assert(hs::attention(hs::matrix<float, 1, 1>{2000}, hs::matrix<float, 1, 4>{0, 1000, 2000, 3000}, values,
                            square_distance{})
              == hs::matrix<float, 2, 1>{5, 6});

// The bits that run time has: tests/unit/pinned.cpp.
template <class T>
constexpr bool has_the_bits_of_run_time()
{
    using results = pinned::results<T>;
    return hs::softmax(pinned::k<T>) == results::softmax
           && hs::attention(pinned::q<T>, pinned::k<T>, pinned::v<T>) == results::attention;
}
static_assert(has_the_bits_of_run_time<float>());
static_assert(has_the_bits_of_run_time<double>());

constexpr hs::multi_head<float, pinned::sizes> layer(pinned::weights<float>);
static_assert(layer(pinned::q<float>, pinned::k<float>, pinned::wide_v<float>) == pinned::results<float>::multi_head);
constexpr hs::multi_head<double, pinned::sizes> layer_of_double(pinned::weights<double>);
static_assert(layer_of_double(pinned::q<double>, pinned::k<double>, pinned::wide_v<double>)
              == pinned::results<double>::multi_head);
