// SPDX-License-Identifier: BSL-1.0
// The two models of lanes against scalar IEEE arithmetic and each other, with the numbers on which vector libraries and
// instruction sets differ.
#include "guarded.hpp"
#include "inputs.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

namespace hs = headstrong;
using tests::bits;
using tests::bits_of;
using tests::integers;
using tests::opaque;

namespace {

using portable_float = hs::portable_lanes<float>;
using portable_double = hs::portable_lanes<double>;
using native_float = hs::native_lanes<float>;
using native_double = hs::native_lanes<double>;
// Without vectors the native lanes are the portable ones, and then are not listed twice.
using models = std::conditional_t<HEADSTRONG_SIMD, std::tuple<portable_float, portable_double, native_float, native_double>,
                                  std::tuple<portable_float, portable_double>>;

using number_types = std::tuple<float, double>;

template <class L>
using number_of = typename L::value_type;
template <class L>
using array_of = std::array<number_of<L>, L::size>;

/// Bit patterns, one for all NaN, whose payload is not promised.
template <class T>
bits_of<T> comparable(T x)
{
    return std::isnan(x) ? bits(std::numeric_limits<T>::quiet_NaN()) : bits(x);
}

template <class L>
array_of<L> stored(const L& x)
{
    array_of<L> y;
    x.store(y.data());
    return y;
}

template <class L>
L loaded(const array_of<L>& x)
{
    return L::load(x.data());
}

template <class L>
std::size_t unequal(const L& found, const array_of<L>& expected)
{
    const array_of<L> numbers = stored(found);
    std::size_t count = 0;
    for (std::size_t i = 0; i < L::size; ++i)
        if (comparable(numbers[i]) != comparable(expected[i])) ++count;
    return count;
}

template <class T>
std::vector<T> special_numbers()
{
    using limits = std::numeric_limits<T>;
    std::vector<T> x{0,
                     limits::denorm_min(),
                     limits::min() - limits::denorm_min(),
                     limits::min(),
                     limits::epsilon(),
                     static_cast<T>(0.5),
                     1,
                     1 + limits::epsilon(),
                     3,
                     limits::max() / 2,
                     limits::max(),
                     limits::infinity(),
                     limits::quiet_NaN()};
    const std::size_t positive = x.size();
    for (std::size_t i = 0; i < positive; ++i) x.push_back(-x[i]);
    return x;
}

/// f(a, b) for lanes full of special numbers, every pair of which meets, then for lanes of any bit patterns.
template <class L, class F>
void for_pairs(F f)
{
    using T = number_of<L>;
    const std::vector<T> special = special_numbers<T>();
    const std::size_t count = special.size();
    for (std::size_t first = 0; first < count * count; first += L::size) {
        array_of<L> a, b;
        for (std::size_t i = 0; i < L::size; ++i)
            a[i] = special[(first + i) / count % count], b[i] = special[(first + i) % count];
        f(a, b);
    }
    integers from{opaque<std::uint64_t>(1)};
    for (int round = 0; round < 20'000; ++round) {
        array_of<L> a, b;
        for (std::size_t i = 0; i < L::size; ++i) {
            a[i] = std::bit_cast<T>(static_cast<bits_of<T>>(from.next()));
            b[i] = std::bit_cast<T>(static_cast<bits_of<T>>(from.next()));
            if (round % 2 == 0) b[i] = std::copysign(std::ldexp(a[i], static_cast<int>(i % 5) - 2), b[i]);  // of like size
        }
        f(a, b);
    }
}

/// The lanes that differ from `scalar`, an operation on two numbers, over all pairs.
template <class L, class Operation, class Scalar>
std::size_t differences(Operation operation, Scalar scalar)
{
    std::size_t found = 0;
    for_pairs<L>([&](const array_of<L>& a, const array_of<L>& b) {
        array_of<L> expected;
        for (std::size_t i = 0; i < L::size; ++i) {
            volatile number_of<L> one = scalar(a[i], b[i]);  // so that nothing is computed in vectors here
            expected[i] = one;
        }
        found += unequal(operation(loaded<L>(a), loaded<L>(b)), expected);
    });
    return found;
}

/// f(x) for numbers of all lanes that differ in kind: of like size, among them special ones, any bit patterns.
template <class T, class F>
void for_mixed_lanes(F f)
{
    const std::vector<T> special = special_numbers<T>();
    integers from{opaque<std::uint64_t>(3)};
    for (int round = 0; round < 20'000; ++round) {
        std::array<T, hs::lane_count<T>> x;
        for (T& one : x) {
            one = tests::number<T>(from);
            if (round % 4 == 1 && from.next() % 16 == 0) one = special[from.next() % special.size()];
            if (round % 4 == 2) one = special[from.next() % special.size()];
            if (round % 4 == 3) one = std::bit_cast<T>(static_cast<bits_of<T>>(from.next()));
        }
        f(x);
    }
}

}  // namespace

// A batch of xsimd 8.1 multiplies and adds on AVX-512; only contraction by the compiler would hide it.
BOOST_AUTO_TEST_CASE_TEMPLATE(fma_of_lanes_rounds_once_in_every_lane, L, models)
{
    using T = number_of<L>;
    const T tiny = std::ldexp(T{1}, -((std::numeric_limits<T>::digits + 1) / 2));  // (1 + tiny)^2 = 1 + 2 tiny + tiny^2
    const T a = opaque(1 + tiny), c = opaque(-(1 + 2 * tiny));
    volatile T rounded_product = a * a;
    BOOST_REQUIRE(rounded_product + c == 0);  // what two roundings give
    BOOST_TEST(unequal(fma(L::broadcast(a), L::broadcast(a), L::broadcast(c)),
                       [&] {
                           array_of<L> expected;
                           expected.fill(tiny * tiny);
                           return expected;
                       }())
               == 0u);
    for (std::size_t lane = 0; lane < L::size; ++lane) {
        array_of<L> factor{}, addend{}, expected{};
        factor[lane] = a, addend[lane] = c, expected[lane] = tiny * tiny;
        BOOST_TEST(unequal(fma(loaded<L>(factor), loaded<L>(factor), loaded<L>(addend)), expected) == 0u);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(fma_of_lanes_is_the_scalar_one, L, models)
{
    using T = number_of<L>;
    for (const T c : special_numbers<T>()) {
        BOOST_TEST(
            differences<L>([&](L a, L b) { return fma(a, b, L::broadcast(c)); }, [&](T a, T b) { return std::fma(a, b, c); })
            == 0u);
    }
    BOOST_TEST(
        differences<L>([](L a, L b) { return fma(a, b, a * L::broadcast(T{-1})); }, [](T a, T b) { return std::fma(a, b, -a); })
        == 0u);
}

// On NEON a batch of xsimd divides float by iterating on a reciprocal.
BOOST_AUTO_TEST_CASE_TEMPLATE(division_is_that_of_ieee, L, models)
{
    using T = number_of<L>;
    BOOST_TEST(differences<L>([](L a, L b) { return a / b; }, [](T a, T b) { return a / b; }) == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_square_root_is_that_of_ieee, L, models)
{
    using T = number_of<L>;
    BOOST_TEST(differences<L>([](L a, L) { return sqrt(a); }, [](T a, T) { return std::sqrt(a); }) == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sum_difference_and_product_are_those_of_ieee, L, models)
{
    using T = number_of<L>;
    BOOST_TEST(differences<L>([](L a, L b) { return a + b; }, [](T a, T b) { return a + b; }) == 0u);
    BOOST_TEST(differences<L>([](L a, L b) { return a - b; }, [](T a, T b) { return a - b; }) == 0u);
    BOOST_TEST(differences<L>([](L a, L b) { return a * b; }, [](T a, T b) { return a * b; }) == 0u);
    BOOST_TEST(differences<L>([](L a, L b) { return hs::product(a, b); }, [](T a, T b) { return std::fma(a, b, T{0}); }) == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(selection_takes_the_second_where_a_number_is_nan_or_both_are_equal, L, models)
{
    using T = number_of<L>;
    BOOST_TEST(differences<L>([](L a, L b) { return if_less(a, b, a, b); }, [](T a, T b) { return a < b ? a : b; }) == 0u);
    BOOST_TEST(differences<L>([](L a, L b) { return if_less(b, a, a, b); }, [](T a, T b) { return b < a ? a : b; }) == 0u);
    BOOST_TEST(differences<L>([](L a, L b) { return larger(a, b); }, [](T a, T b) { return b < a ? a : b; }) == 0u);
    BOOST_TEST(differences<L>([](L a, L b) { return if_less(a, b, L::broadcast(1), L::broadcast(2)); },
                              [](T a, T b) { return a < b ? T{1} : T{2}; })
               == 0u);
    const T not_a_number = std::numeric_limits<T>::quiet_NaN();
    BOOST_TEST(stored(larger(L::broadcast(not_a_number), L::broadcast(T{7})))[0] == 7);
    BOOST_TEST(std::isnan(stored(larger(L::broadcast(T{7}), L::broadcast(not_a_number)))[0]));
    BOOST_TEST(bits(stored(larger(L::broadcast(T{0}), L::broadcast(-T{0})))[0]) == bits(-T{0}));
    BOOST_TEST(bits(stored(larger(L::broadcast(-T{0}), L::broadcast(T{0})))[0]) == bits(T{0}));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_largest_of_all_lanes_passes_over_nan, L, models)
{
    using T = number_of<L>;
    std::size_t found = 0;
    for_mixed_lanes<T>([&](const auto& x) {
        T expected = -std::numeric_limits<T>::infinity();
        for (const T one : x) expected = one > expected ? one : expected;
        if (!(largest_of(loaded<L>(x)) == expected)) ++found;  // as numbers: which of 0 and -0 is not said
    });
    BOOST_TEST(found == 0u);
    const T infinity = std::numeric_limits<T>::infinity(), not_a_number = std::numeric_limits<T>::quiet_NaN();
    BOOST_TEST(largest_of(L::broadcast(not_a_number)) == -infinity);
    BOOST_TEST(largest_of(L::broadcast(-infinity)) == -infinity);
    for (std::size_t lane = 0; lane < L::size; ++lane)
        for (const T others : {not_a_number, -infinity, T{-7}}) {
            array_of<L> x;
            x.fill(others);
            x[lane] = -5;
            BOOST_TEST(largest_of(loaded<L>(x)) == -5);
            x[lane] = infinity;
            BOOST_TEST(largest_of(loaded<L>(x)) == infinity);
        }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_sum_of_all_lanes_is_the_tree_of_neighbours, L, models)
{
    using T = number_of<L>;
    std::size_t found = 0, infinite = 0, not_numbers = 0, ordered_otherwise = 0;
    for_mixed_lanes<T>([&](const auto& x) {
        auto tree = x;
        T in_order = 0;
        for (const T one : x) in_order = in_order + one;
        for (std::size_t step = 1; step < L::size; step *= 2)
            for (std::size_t i = 0; i < L::size; i += 2 * step) {
                volatile T sum = tree[i] + tree[i + step];  // so that nothing is computed in vectors here
                tree[i] = sum;
            }
        if (comparable(sum_of_neighbours(loaded<L>(x))) != comparable(tree[0])) ++found;
        infinite += std::isinf(tree[0]), not_numbers += std::isnan(tree[0]);
        ordered_otherwise += comparable(in_order) != comparable(tree[0]);
    });
    BOOST_TEST(found == 0u);
    BOOST_TEST((infinite > 0u && not_numbers > 0u && ordered_otherwise > 0u));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(native_lanes_have_the_bits_of_portable_ones, T, number_types)
{
    using native = hs::native_lanes<T>;
    using portable = hs::portable_lanes<T>;
    std::size_t sums = 0, largest = 0, larger_ones = 0;
    auto before = stored(portable::broadcast(1));
    for_mixed_lanes<T>([&](const auto& x) {
        const auto a = loaded<native>(x), b = loaded<native>(before);
        const auto c = loaded<portable>(x), d = loaded<portable>(before);
        sums += comparable(sum_of_neighbours(a)) != comparable(sum_of_neighbours(c));
        largest += !(largest_of(a) == largest_of(c));
        larger_ones += unequal(larger(a, b), stored(larger(c, d))) + unequal(larger(b, a), stored(larger(d, c)));
        before = x;
    });
    BOOST_TEST(sums == 0u);
    BOOST_TEST(largest == 0u);
    BOOST_TEST(larger_ones == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_integer_in_the_lowest_bits_becomes_an_exponent, L, models)
{
    using T = number_of<L>;
    constexpr int fraction = std::numeric_limits<T>::digits - 1;
    BOOST_TEST(differences<L>([](L a, L) { return shifted_into_exponent(a); },
                              [](T a, T) { return std::bit_cast<T>(static_cast<bits_of<T>>(bits(a) << fraction)); })
               == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_exponent_of_a_normal_number_is_that_of_logb, L, models)
{
    using T = number_of<L>;
    using limits = std::numeric_limits<T>;
    BOOST_TEST(differences<L>([](L a, L) { return exponent_of(a); },
                              [](T a, T) {
                                  if (!(std::abs(a) <= limits::max())) return static_cast<T>(limits::max_exponent);
                                  return std::abs(a) < limits::min() ? static_cast<T>(limits::min_exponent - 2) : std::logb(a);
                              })
               == 0u);
}

// A number's neighbours in the register: nothing that they hold, nor what it costs to compute with it, reaches it.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_result_of_a_lane_does_not_depend_on_other_lanes, L, models)
{
    using T = number_of<L>;
    const auto each_operation = [](const array_of<L>& a, const array_of<L>& b) {
        const L x = loaded<L>(a), y = loaded<L>(b);
        return std::array{stored(x + y),
                          stored(x - y),
                          stored(x * y),
                          stored(x / y),
                          stored(fma(x, y, x)),
                          stored(hs::product(x, y)),
                          stored(larger(x, y)),
                          stored(if_less(x, y, y, x)),
                          stored(sqrt(x)),
                          stored(exponent_of(x)),
                          stored(hs::exp(x)),
                          stored(hs::tanh(x)),
                          stored(hs::log(hs::exp(x))),
                          stored(hs::detail::softmax_weight(x)),
                          stored(shifted_into_exponent(y))};
    };
    const std::vector<T> special = special_numbers<T>();
    integers from{opaque<std::uint64_t>(2)};
    std::size_t found = 0;
    for (int round = 0; round < 2000; ++round) {
        array_of<L> a, b;
        for (std::size_t i = 0; i < L::size; ++i) a[i] = 50 * tests::number<T>(from), b[i] = tests::number<T>(from);
        const auto plain = each_operation(a, b);
        const std::size_t lane = from.next() % L::size;
        for (std::size_t i = 0; i < L::size; ++i)
            if (i != lane) a[i] = special[from.next() % special.size()], b[i] = special[from.next() % special.size()];
        const auto beside_others = each_operation(a, b);
        for (std::size_t o = 0; o < plain.size(); ++o)
            if (bits(plain[o][lane]) != bits(beside_others[o][lane])) ++found;
    }
    BOOST_TEST(found == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(loads_and_stores_touch_only_the_numbers_that_are_counted, L, models)
{
    using T = number_of<L>;
    const tests::guarded_pages pages(4096);
    array_of<L> x;
    for (std::size_t i = 0; i < L::size; ++i) x[i] = static_cast<T>(i + 1);
    for (std::size_t count = 0; count <= L::size; ++count) {
        array_of<L> expected{};
        std::copy_n(x.begin(), count, expected.begin());
        for (T* const at : {pages.last<T>(count), pages.first<T>()}) {
            loaded<L>(x).store(at, count);
            BOOST_TEST(std::equal(at, at + count, x.begin()));
            BOOST_TEST(unequal(L::load(at, count), expected) == 0u);
        }
    }
    for (T* const at : {pages.last<T>(L::size), pages.first<T>()}) {
        loaded<L>(x).store(at);
        BOOST_TEST(unequal(L::load(at), x) == 0u);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_store_of_some_lanes_leaves_the_numbers_behind_them, L, models)
{
    using T = number_of<L>;
    for (std::size_t count = 0; count <= L::size; ++count) {
        std::array<T, 2 * L::size> memory;
        memory.fill(-1);
        L::broadcast(5).store(memory.data(), count);
        for (std::size_t i = 0; i < memory.size(); ++i) BOOST_TEST(memory[i] == (i < count ? 5 : -1));
    }
}
