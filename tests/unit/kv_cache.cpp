// SPDX-License-Identifier: BSL-1.0
// Attention to a cache, step by step, has the bits of attention to the same tokens at once.
#include "compare.hpp"
#include "headstrong/headstrong.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <limits>
#include <memory>
#include <tuple>
#include <type_traits>

namespace hs = headstrong;
using hs::bias;
using hs::dims;

namespace {

template <class T, dims D, std::size_t Capacity>
struct example {
    using layer = hs::multi_head<T, D>;
    using cache = hs::kv_cache<T, D, Capacity>;
    template <std::size_t M>
    using keys = hs::matrix<T, D.d_key, M>;
    template <std::size_t M>
    using values = hs::matrix<T, D.d_value, M>;

    unit::random_numbers random{static_cast<unsigned>(Capacity + D.heads)};
    layer attend{random.weights<typename layer::weights_type>()};
    keys<Capacity> k = random.matrix<keys<Capacity>>();
    values<Capacity> v = random.matrix<values<Capacity>>();
    hs::matrix<T, D.d_model, 3> q = random.matrix<hs::matrix<T, D.d_model, 3>>();
    std::unique_ptr<cache> tokens = std::make_unique<cache>();

    void append_one() { BOOST_TEST(attend.append(*tokens, token(k), token(v))); }

    /// Whether the queries see in the cache what they see in its first M tokens.
    template <std::size_t M>
    [[nodiscard]] bool has_the_bits_of_the_first() const
    {
        const hs::matrix_view<const T, D.d_key, M> first_k{k.elements};
        const hs::matrix_view<const T, D.d_value, M> first_v{v.elements};
        return unit::same_bits(attend(q, *tokens), attend(q, first_k, first_v, hs::by<hs::plan_kind::direct>));
    }

private:
    auto token(const auto& x) const { return hs::as_view(x).column(tokens->size()); }
};

using examples =
    std::tuple<example<float, dims{.d_model = 16, .heads = 2}, 35>,
               example<float,
                       dims{.d_model = 7,
                            .heads = 6,
                            .d_k = 5,
                            .d_v = 17,
                            .d_key = 3,
                            .d_value = 9,
                            .d_out = 11,
                            .kv_heads = 3,
                            .biases = bias::all},
                       35>,
               example<double, dims{.d_model = 7, .heads = 4, .d_k = 3, .d_v = 9, .kv_heads = 2, .biases = bias::all}, 35>>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(each_step_has_the_bits_of_the_tokens_so_far, E, examples)
{
    E e;
    const auto step_to = [&](auto count) {
        while (e.tokens->size() < count()) e.append_one();
        BOOST_TEST(e.template has_the_bits_of_the_first<count()>(), "after " << count() << " tokens");
    };
    step_to(std::integral_constant<std::size_t, 1>{});
    step_to(std::integral_constant<std::size_t, 15>{});
    step_to(std::integral_constant<std::size_t, 16>{});
    step_to(std::integral_constant<std::size_t, 17>{});
    step_to(std::integral_constant<std::size_t, 35>{});
}

BOOST_AUTO_TEST_CASE_TEMPLATE(many_tokens_at_once_are_the_same_tokens_one_by_one, E, examples)
{
    E e;
    for (std::size_t i = 0; i < 3; ++i) e.append_one();
    const auto rest = [](const auto& x) {
        using x_type = std::remove_cvref_t<decltype(x)>;
        return hs::matrix_view<const typename x_type::value_type, x_type::rows, 32>{x.elements + 3 * x_type::rows};
    };
    BOOST_TEST(e.attend.append(*e.tokens, rest(e.k), rest(e.v)));
    BOOST_TEST(e.template has_the_bits_of_the_first<35>());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_capacity_changes_nothing, E, examples)
{
    using larger = example<typename E::layer::value_type, E::layer::sizes, 131>;
    E e;
    const auto other = std::make_unique<typename larger::cache>();
    BOOST_TEST(e.attend.append(*e.tokens, e.k, e.v));
    BOOST_TEST(e.attend.append(*other, e.k, e.v));
    BOOST_TEST(unit::same_bits(e.attend(e.q, *other), e.attend(e.q, *e.tokens)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_cache_without_room_is_left_as_it_is, E, examples)
{
    E e;
    e.append_one();
    BOOST_TEST(!e.attend.append(*e.tokens, e.k, e.v));  // 1 + 35 tokens
    BOOST_TEST(e.tokens->size() == 1u);
    BOOST_TEST(e.template has_the_bits_of_the_first<1>());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(tokens_that_were_dropped_leave_no_trace, E, examples)
{
    E e;
    auto poison = e.k;
    for (auto& x : poison.elements) x = std::numeric_limits<typename E::layer::value_type>::quiet_NaN();
    BOOST_TEST(e.attend.append(*e.tokens, poison, e.v));
    e.tokens->reset();
    BOOST_TEST(e.tokens->size() == 0u);
    BOOST_TEST(e.attend.append(*e.tokens, e.k, e.v));
    e.tokens->truncate(17);
    BOOST_TEST(e.template has_the_bits_of_the_first<17>());
    e.tokens->truncate(20);
    BOOST_TEST(e.tokens->size() == 17u);
    const auto copy = std::make_unique<typename E::cache>(*e.tokens);
    e.append_one();
    BOOST_TEST(e.template has_the_bits_of_the_first<18>());
    BOOST_TEST(copy->size() == 17u);
    static_assert(std::is_trivially_copyable_v<typename E::cache>);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_empty_cache_gives_the_bias_of_the_output, E, examples)
{
    using T = typename E::layer::value_type;
    E e;
    const auto y = e.attend(e.q, *e.tokens);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t r = 0; r < y.rows; ++r) {
            const T expected = [&] {
                if constexpr (contains(E::layer::sizes.biases, bias::o))
                    return e.attend.packed.values[E::layer::packed_type::b_o_at + r];
                else return T{0};
            }();
            BOOST_TEST(y(r, i) == expected);
        }
}

// In a constant expression: two steps of a decoder.
namespace {

using tiny = hs::multi_head<float, dims{.d_model = 2, .heads = 2}>;

constexpr auto second_step(const tiny& decoder, const hs::matrix<float, 2, 2>& x)
{
    hs::kv_cache<float, tiny::sizes, 20> cache{};
    if (!decoder.append(cache, hs::as_view(x).column(0), hs::as_view(x).column(0))) return hs::matrix<float, 2, 1>{};
    if (!decoder.append(cache, hs::as_view(x).column(1), hs::as_view(x).column(1))) return hs::matrix<float, 2, 1>{};
    return decoder(hs::as_view(x).column(1), cache);
}
constexpr tiny decoder{tiny::weights_type{
    .w_q = {{{1, 2}, {3, -1}}}, .w_k = {{{2, 1}, {-1, 1}}}, .w_v = {{{1, 0}, {0, 1}}}, .w_o = {{{1, 1}, {2, -1}}}}};
constexpr hs::matrix<float, 2, 2> two_tokens{1, 0, 0.5f, 2};
static_assert(second_step(decoder, two_tokens)
              == decoder(hs::as_view(two_tokens).column(1), two_tokens, two_tokens, hs::by<hs::plan_kind::direct>));

}  // namespace

BOOST_AUTO_TEST_CASE(the_compiler_decodes_with_the_bits_of_run_time)
{
    hs::matrix<float, 2, 2> x = two_tokens;
    unit::random_numbers random(1);
    if (random() > 2) x(0, 0) = 7;  // never, but the compiler cannot know
    constexpr auto expected = second_step(decoder, two_tokens);
    BOOST_TEST(unit::same_bits(second_step(decoder, x), expected));
}
