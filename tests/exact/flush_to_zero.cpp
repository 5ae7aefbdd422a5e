// SPDX-License-Identifier: BSL-1.0
// A processor that flushes denormal numbers to zero, as audio hosts set it: ordinary inputs give the same bits.
//
// What such a mode changes is denormal numbers themselves: operands that are denormal count as 0, and so do results that
// would be, such as a weighted sum of values that all lie below 2^-126. Nothing else: between ordinary inputs and outputs
// the library makes no denormal number, since exp is exactly 0 where it would be one.
#include "inputs.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace hs = headstrong;
using tests::bits;
using tests::opaque;

namespace {

#if defined(__SSE2__)
/// While it lives, denormal operands and results are 0.
class flushing {
public:
    flushing() : before(_mm_getcsr()) { _mm_setcsr(before | 0x8040); }
    flushing(const flushing&) = delete;
    flushing& operator=(const flushing&) = delete;
    ~flushing() { _mm_setcsr(before); }

private:
    unsigned before;
};
#elif defined(__aarch64__)
class flushing {
public:
    flushing()
    {
        asm volatile("mrs %0, fpcr" : "=r"(before));
        asm volatile("msr fpcr, %0" : : "r"(before | (1u << 24)));
    }
    flushing(const flushing&) = delete;
    flushing& operator=(const flushing&) = delete;
    ~flushing() { asm volatile("msr fpcr, %0" : : "r"(before)); }

private:
    std::uint64_t before;
};
#else
#error "how does this processor flush denormal numbers?"
#endif

template <class T>
[[gnu::noinline]] T product_of(T a, T b)
{
    return opaque(a) * opaque(b);
}

template <class A, class B>
std::size_t differences(const A& a, const B& b)
{
    std::size_t found = 0;
    for (std::size_t e = 0; e < a.span().size(); ++e)
        if (bits(a.elements[e]) != bits(b.elements[e])) ++found;
    return found;
}

/// The results that differ when the processor flushes.
template <class F>
std::size_t changed_by_flushing(F f)
{
    const auto plain = f();
    const flushing mode;
    return differences(plain, f());
}

template <class M>
M spread(std::uint64_t seed, typename M::value_type range)
{
    M x = tests::filled<M>(opaque(seed));
    for (auto& one : x.elements) one *= range;
    return x;
}

using numbers = std::tuple<float, double>;

/// -ln of the smallest normal number, rounded up.
template <class T>
constexpr int depth = sizeof(T) == 4 ? 88 : 709;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(the_mode_flushes, T, numbers)
{
    const T small = std::numeric_limits<T>::min(), half = static_cast<T>(0.5);
    BOOST_TEST(product_of(small, half) > 0);
    const flushing mode;
    BOOST_TEST(product_of(small, half) == 0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_layer_gives_the_same_bits, T, numbers)
{
    constexpr hs::dims sizes{.d_model = 16, .heads = 3, .d_k = 5, .d_v = 7, .biases = hs::bias::all};
    const hs::multi_head<T, sizes> layer{tests::filled_weights<T, sizes>(opaque<std::uint64_t>(1))};
    for (const int range : {1, 4, 16, 64, 256}) {  // of scores that hardly differ, up to one key that takes all
        const auto x = spread<hs::matrix<T, 16, 19>>(2, static_cast<T>(range));
        BOOST_TEST(changed_by_flushing([&] { return layer(x, x, x); }) == 0u);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(softmax_gives_the_same_bits_however_small_a_weight_is, T, numbers)
{
    for (int quarter = 0; quarter <= 4 * (depth<T> + 1); ++quarter) {
        hs::matrix<T, 3, 1> x{};
        x(2, 0) = -static_cast<T>(opaque(quarter)) / 4;
        BOOST_TEST(changed_by_flushing([&] { return hs::softmax(x); }) == 0u);
    }
}

// The key that takes nearly all comes last and its value is 0, so what small weights add up to is all there is to see.
BOOST_AUTO_TEST_CASE_TEMPLATE(attention_gives_the_same_bits_however_small_the_weights_are, T, numbers)
{
    const hs::matrix<T, 1, 1> q{1};
    hs::matrix<T, 3, 20> v = tests::filled<hs::matrix<T, 3, 20>>(opaque<std::uint64_t>(3));
    for (T& last : v.column(19)) last = 0;
    for (int quarter = 0; quarter <= 4 * (depth<T> + 1); ++quarter) {
        hs::matrix<T, 1, 20> k;
        for (std::size_t j = 0; j < 19; ++j) k(0, j) = -static_cast<T>(opaque(quarter)) / 4;
        k(0, 19) = 0;
        BOOST_TEST(changed_by_flushing([&] { return hs::attention(q, k, v, hs::dot{}); }) == 0u);
    }
}
