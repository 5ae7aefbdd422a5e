// SPDX-License-Identifier: BSL-1.0
// A processor that flushes denormal numbers to zero, as audio hosts set it: ordinary inputs give the same bits, and near the
// denormals a result changes within a bound.
//
// Such a mode changes an operation only where an operand or the result is denormal, on Arm the result before it is rounded: it
// then counts as 0, a change of at most t, the smallest normal number. So where no operation meets a denormal number, the bits
// are the same. Numerators are 0 or at least t, and their sum is at least 1: no softmax is changed before its factor. A sum of
// products is never denormal if each product is 0 or at least 2^-78 (double: 2^-916): the product's last place is then at least
// t, so all sums are multiples of t. (The vectors of Helium flush in every mode: all of this holds for them too.)
//
// Elsewhere let t be lost in each operation and u be the unit roundoff. V Softmax(S) for one query has m multiply-adds,
// ceil(m / 128) - 1 additions of chains and one product with 1 / (sum of numerators) <= 1, together m + ceil(m / 128) = c. By
// the standard model of rounding, (a + b)(1 + d) + e with |d| <= u and e what is flushed, the two results differ by at most
//   c t (1 + c u) + 2 gamma(c) sum_j p_j |v_j|,    gamma(c) = c u / (1 - c u):
// a number that is flushed may tip a sum that lies half-way between two numbers, so t alone does not bound the change.
#include "inputs.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace hs = headstrong;
using tests::bits;
using tests::filled;
using tests::opaque;

namespace {

/// f(), where it stands: neither it nor a part of it is computed before or after the mode of the processor changes.
template <class F>
[[gnu::noinline]] auto result_of(const F& f)
{
    asm volatile("" : : "r"(&f) : "memory");
    return f();
}

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

/// Whether an operation of f meets a denormal number, as operand or as result.
template <class F>
bool meets_denormals(const F& f)
{
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before & ~0x3fu);  // reports denormal operands, and denormal results that are not exact
    static_cast<void>(result_of(f));
    const unsigned plain = _mm_getcsr();
    _mm_setcsr((before & ~0x3fu) | 0x8040);  // reports all results that it flushes
    static_cast<void>(result_of(f));
    const unsigned flushing = _mm_getcsr();
    _mm_setcsr(before);
    return ((plain | flushing) & 0x12) != 0;
}
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

/// Whether an operation of f meets a denormal number: the processor reports those that it flushes.
template <class F>
bool meets_denormals(const F& f)
{
    const flushing mode;
    asm volatile("msr fpsr, %0" : : "r"(std::uint64_t{0}));
    static_cast<void>(result_of(f));
    std::uint64_t status;
    asm volatile("mrs %0, fpsr" : "=r"(status));
    return (status & 0x88) != 0;
}
#else
#error "how does this processor flush denormal numbers?"
#endif

template <class T>
[[gnu::noinline]] T product_of(T a, T b)
{
    return opaque(a) * opaque(b);
}

template <class T>
constexpr T smallest = std::numeric_limits<T>::min();  // t

template <class T>
double gamma(std::size_t roundings)
{
    const double u = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2, n = static_cast<double>(roundings);
    return n * u / (1 - n * u);
}

/// The most that a flushed chain of `operations` may differ, when its terms have together the magnitude `magnitude`.
template <class T>
double most_change(double operations, double magnitude)
{
    const double c = std::ceil(operations);
    return operations * static_cast<double>(smallest<T>) * (1 + gamma<T>(static_cast<std::size_t>(c)))
           + 2 * gamma<T>(static_cast<std::size_t>(c)) * magnitude;
}

/// Both results of f: as it is, and while the processor flushes.
template <class F>
auto with_and_without_flushing(const F& f)
{
    const auto plain = result_of(f);
    const flushing mode;
    return std::pair{plain, result_of(f)};
}

template <class M>
std::size_t differences(const M& a, const M& b)
{
    std::size_t found = 0;
    for (std::size_t e = 0; e < a.span().size(); ++e)
        if (bits(a.elements[e]) != bits(b.elements[e])) ++found;
    return found;
}

/// The results that differ when the processor flushes.
template <class F>
std::size_t changed_by_flushing(const F& f)
{
    const auto [plain, flushed] = with_and_without_flushing(f);
    return differences(plain, flushed);
}

/// The largest change of a result.
template <class M>
double largest_change(const M& a, const M& b)
{
    double largest = 0;
    for (std::size_t e = 0; e < a.span().size(); ++e)
        largest = std::max(largest, std::abs(static_cast<double>(a.elements[e]) - static_cast<double>(b.elements[e])));
    return largest;
}

using numbers = std::tuple<float, double>;

/// -ln of the smallest weight that a softmax keeps, 2^-64 or 2^-512, rounded up.
template <class T>
constexpr int depth = sizeof(T) == 4 ? 45 : 355;

/// The size of values whose products with such weights are denormal.
template <class T>
constexpr T tiny = static_cast<T>(sizeof(T) == 4 ? 0x1p-63 : 0x1p-511);

/// One query; m - 1 keys with weights of about exp(score), and a last key that takes nearly all and whose value is 0, so
/// that what small weights add up to is all there is to see.
template <class T, std::size_t M>
struct small_weights {
    hs::matrix<T, 1, 1> q{1};
    hs::matrix<T, 1, M> k{};
    hs::matrix<T, 3, M> v = filled<hs::matrix<T, 3, M>>(opaque<std::uint64_t>(3));

    explicit small_weights(T score, T size = 1)
    {
        for (std::size_t j = 0; j + 1 < M; ++j) k(0, j) = opaque(score);
        for (T& one : v.elements) one = size * std::copysign(std::max(std::abs(one), static_cast<T>(0x1p-14)), one);
        for (T& one : v.column(M - 1)) one = 0;
    }
    [[nodiscard]] auto operator()() const { return hs::attention(q, k, v, hs::dot{}); }
    [[nodiscard]] double bound() const
    {
        double magnitude = 0;
        for (std::size_t j = 0; j < M; ++j)
            for (std::size_t r = 0; r < 3; ++r)
                magnitude += std::exp(static_cast<double>(k(0, j))) * std::abs(static_cast<double>(v(r, j)));
        return most_change<T>(M + (M + 127) / 128, magnitude);
    }
};

/// A layer that does the same in two heads, by one plan, with weights of ordinary size around it.
template <class T, hs::plan_kind Plan, std::size_t M>
struct small_weights_in_a_layer {
    static constexpr hs::dims sizes{.d_model = 1, .heads = 2, .d_k = 1, .d_v = 5, .d_key = 1, .d_value = 3, .d_out = 4};
    small_weights<T, M> inputs;
    hs::weights<T, sizes> weights = tests::filled_weights<T, sizes>(opaque<std::uint64_t>(5));
    hs::multi_head<T, sizes> layer;

    explicit small_weights_in_a_layer(T score, T size = 1) : inputs(score, size), layer(with_scores_as_they_are(weights)) {}

    static hs::weights<T, sizes>& with_scores_as_they_are(hs::weights<T, sizes>& w)
    {
        for (std::size_t h = 0; h < sizes.heads; ++h) w.w_q[h](0, 0) = 1, w.w_k[h](0, 0) = 1;
        return w;
    }
    [[nodiscard]] auto operator()() const { return layer(inputs.q, inputs.k, inputs.v, hs::by<Plan>); }

    /// All weights are below 1. t is lost in each of c operations of V P, times |W^V| |W^O| where V is not projected first,
    /// else times |W^O|; in those of W^V, times |W^O|; in those of W^O. The rounding of a sum is that of its longest way.
    [[nodiscard]] double bound() const
    {
        constexpr double c = M + (M + 127) / 128, d_value = sizes.d_value, rows = sizes.heads * sizes.d_v;
        constexpr double lost = rows * (d_value * c + d_value + 4) + rows + sizes.heads + 4;
        double magnitude = 0;
        for (std::size_t j = 0; j + 1 < M; ++j) magnitude += std::exp(static_cast<double>(inputs.k(0, j)));
        return most_change<T>(lost, magnitude * rows * d_value);
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(the_mode_flushes, T, numbers)
{
    const T half = static_cast<T>(0.5), large = 1 / smallest<T>, denormal = smallest<T> / 2;
    const auto sum = [](T a, T b, T c) {
        T lanes[hs::lane_count<T>];
        using native = hs::native_lanes<T>;
        fma(native::broadcast(opaque(a)), native::broadcast(opaque(b)), native::broadcast(opaque(c))).store(lanes);
        return opaque(lanes[0]);
    };
    BOOST_TEST(product_of(smallest<T>, half) > 0);
    BOOST_TEST(product_of(denormal, large) > 0);
    BOOST_TEST(sum(smallest<T>, half, 0) > 0);
    BOOST_TEST(meets_denormals([&] { return sum(smallest<T>, half, 0); }));
    BOOST_TEST(meets_denormals([&] { return sum(denormal, large, 0); }));
    BOOST_TEST(!meets_denormals([&] { return sum(smallest<T>, large, 0); }));
    const flushing mode;
    BOOST_TEST(product_of(smallest<T>, half) == 0);
    BOOST_TEST(product_of(denormal, large) == 0);
    BOOST_TEST(sum(smallest<T>, half, 0) == 0);
}

// Ordinary inputs.

BOOST_AUTO_TEST_CASE_TEMPLATE(a_layer_meets_no_denormal_number_and_gives_the_same_bits, T, numbers)
{
    constexpr hs::dims sizes{.d_model = 16, .heads = 3, .d_k = 5, .d_v = 7, .biases = hs::bias::all};
    const hs::multi_head<T, sizes> layer{tests::filled_weights<T, sizes>(opaque<std::uint64_t>(1))};
    for (const int quarters : {1, 4, 8}) {
        auto x = filled<hs::matrix<T, 16, 19>>(opaque<std::uint64_t>(2));
        for (T& one : x.elements) one *= static_cast<T>(quarters) / 4;
        const auto directly = [&] { return layer(x, x, x, hs::by<hs::plan_kind::direct>); };
        const auto absorbed = [&] { return layer(x, x, x, hs::by<hs::plan_kind::absorbed>); };
        BOOST_TEST(!meets_denormals(directly));
        BOOST_TEST(!meets_denormals(absorbed));
        BOOST_TEST(changed_by_flushing(directly) == 0u);
        BOOST_TEST(changed_by_flushing(absorbed) == 0u);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(functions_of_normal_numbers_meet_no_denormal_number_and_give_the_same_bits, T, numbers)
{
    using lanes = hs::native_lanes<T>;
    constexpr int largest = std::numeric_limits<T>::max_exponent - 3;
    for (int exponent = -largest; exponent <= largest; ++exponent) {
        auto x = filled<hs::matrix<T, lanes::size, 1>>(opaque<std::uint64_t>(3));
        for (T& one : x.elements) one = std::ldexp(std::copysign(1 + std::abs(one), one), exponent);
        const auto functions = [&] {
            hs::matrix<T, lanes::size, 4> y;
            const lanes a = lanes::load(x.elements), positive = larger(a, lanes::broadcast(0) - a);
            hs::exp(a).store(&y(0, 0)), hs::tanh(a).store(&y(0, 1));
            hs::log(positive).store(&y(0, 2)), sqrt(positive).store(&y(0, 3));
            return y;
        };
        BOOST_TEST(!meets_denormals(functions));
        BOOST_TEST(changed_by_flushing(functions) == 0u);
    }
}

// Weights from 1 to 2^-64 and values from 2^-14 on: products of at least 2^-78.
BOOST_AUTO_TEST_CASE_TEMPLATE(attention_with_ordinary_weights_meets_no_denormal_number_and_gives_the_same_bits, T, numbers)
{
    for (int quarter = 0; quarter <= 4 * 44; ++quarter) {
        const small_weights<T, 20> attention(-static_cast<T>(quarter) / 4);
        BOOST_TEST(!meets_denormals(attention));
        BOOST_TEST(changed_by_flushing(attention) == 0u);
        BOOST_TEST(changed_by_flushing(small_weights_in_a_layer<T, hs::plan_kind::direct, 20>(-static_cast<T>(quarter) / 4))
                   == 0u);
        BOOST_TEST(changed_by_flushing(small_weights_in_a_layer<T, hs::plan_kind::absorbed, 20>(-static_cast<T>(quarter) / 4))
                   == 0u);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(attention_with_weights_that_are_0_gives_the_same_bits, T, numbers)
{
    for (const int score : {depth<T>, depth<T> + 1, 2 * depth<T>, 1000 * depth<T>}) {
        const small_weights<T, 20> attention(-static_cast<T>(score));
        BOOST_TEST(attention().elements[0] == 0);
        BOOST_TEST(changed_by_flushing(attention) == 0u);
    }
}

// Numerators are never denormal, however small; the weights are, where numerator times factor is.
BOOST_AUTO_TEST_CASE_TEMPLATE(softmax_changes_weights_below_the_smallest_normal_number_only, T, numbers)
{
    std::size_t flushed_weights = 0;
    for (int quarter = 0; quarter <= 4 * (depth<T> + 1); ++quarter) {
        hs::matrix<T, 3, 1> x{};
        x(2, 0) = -static_cast<T>(opaque(quarter)) / 4;
        const auto [plain, flushed] = with_and_without_flushing([&] { return hs::softmax(x); });
        for (std::size_t r = 0; r < 3; ++r) {
            const bool denormal = plain(r, 0) != 0 && plain(r, 0) < smallest<T>;
            BOOST_TEST(bits(flushed(r, 0)) == bits(denormal ? T{0} : plain(r, 0)));
            flushed_weights += denormal;
        }
    }
    BOOST_TEST_MESSAGE(flushed_weights << " weights were flushed");
}

// Near the denormals.

BOOST_AUTO_TEST_CASE_TEMPLATE(attention_changes_within_the_bound_however_small_the_weights_are, T, numbers)
{
    double most = 0;
    const auto check = [&](const auto& attention) {
        const auto [plain, flushed] = with_and_without_flushing(attention);
        const double change = largest_change(plain, flushed);
        BOOST_TEST(change <= attention.bound());
        most = std::max(most, change / static_cast<double>(smallest<T>));
    };
    for (int step = 0; step <= 16 * (depth<T> + 1); ++step) check(small_weights<T, 20>(-static_cast<T>(step) / 16, tiny<T>));
    for (int step = 16 * (depth<T> - 3); step <= 16 * (depth<T> + 1); ++step)
        check(small_weights<T, 300>(-static_cast<T>(step) / 16, tiny<T>));
    BOOST_TEST_MESSAGE("attention changed by up to " << most << " times the smallest normal number");
    BOOST_TEST(most > 0);  // so the weights were small enough to see it
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_layer_changes_within_the_bound_however_small_the_weights_are, T, numbers)
{
    double most = 0;
    const auto check = [&](const auto& layer) {
        const auto [plain, flushed] = with_and_without_flushing(layer);
        const double change = largest_change(plain, flushed);
        BOOST_TEST(change <= layer.bound());
        most = std::max(most, change / static_cast<double>(smallest<T>));
    };
    for (int step = 16 * (depth<T> - 30); step <= 16 * (depth<T> + 1); ++step) {
        check(small_weights_in_a_layer<T, hs::plan_kind::direct, 20>(-static_cast<T>(step) / 16, tiny<T>));
        check(small_weights_in_a_layer<T, hs::plan_kind::absorbed, 20>(-static_cast<T>(step) / 16, tiny<T>));
    }
    BOOST_TEST_MESSAGE("a layer changed by up to " << most << " times the smallest normal number");
    BOOST_TEST(most > 0);
}

// A product below t, then one, of a weight with 3, that lies half-way between two numbers: what is flushed decides.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_flushed_product_may_tip_the_rounding_of_a_larger_one, T, numbers)
{
    std::size_t tipped = 0;
    for (int step = 1; step <= 400; ++step) {
        const hs::matrix<T, 1, 1> q{1};
        const hs::matrix<T, 1, 3> k{opaque(static_cast<T>(1) - depth<T>), -static_cast<T>(opaque(step)) / 32, 0};
        const hs::matrix<T, 1, 3> v{tiny<T> / 8, 3, 0};
        const auto [plain, flushed] = with_and_without_flushing([&] { return hs::attention(q, k, v, hs::dot{}); });
        const double change = largest_change(plain, flushed);
        BOOST_TEST(change <= most_change<T>(4, 3 * std::exp(static_cast<double>(k(0, 1)))));
        if (change > 4 * static_cast<double>(smallest<T>)) ++tipped;
    }
    BOOST_TEST(tipped > 0u);
}
