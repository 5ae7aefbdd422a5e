// SPDX-License-Identifier: BSL-1.0
// Where numbers lie changes no bit: objects at every multiple of their alignment, strided and transposed views, rows, and
// memory that ends where the matrix ends.
#include "guarded.hpp"
#include "inputs.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <tuple>
#include <vector>

namespace hs = headstrong;
using tests::bits;
using tests::filled;
using tests::opaque;

namespace {

constexpr hs::dims sizes{
    .d_model = 7, .heads = 3, .d_k = 5, .d_v = 2, .d_key = 19, .d_value = 9, .d_out = 17, .biases = hs::bias::all};
constexpr std::size_t n = 18, m = 5;
using numbers = std::tuple<float, double>;

/// A layer, its inputs and, by one plan, the result that every other storage must give.
template <class T, hs::plan_kind Plan>
struct packed_call {
    using value_type = T;
    using layer_type = hs::multi_head<T, sizes>;
    using workspace = typename layer_type::template workspace<n, m, Plan>;

    layer_type layer{tests::filled_weights<T, sizes>(opaque<std::uint64_t>(1))};
    hs::matrix<T, sizes.d_model, n> q = filled<hs::matrix<T, sizes.d_model, n>>(opaque<std::uint64_t>(2));
    hs::matrix<T, sizes.d_key, m> k = filled<hs::matrix<T, sizes.d_key, m>>(opaque<std::uint64_t>(3));
    hs::matrix<T, sizes.d_value, m> v = filled<hs::matrix<T, sizes.d_value, m>>(opaque<std::uint64_t>(4));
    hs::matrix<T, sizes.d_out, n> expected = layer(q, k, v, hs::by<Plan>);

    template <class Q, class K, class V>
    [[nodiscard]] static auto result_of(const layer_type& f, const Q& x, const K& y, const V& z)
    {
        return f(x, y, z, hs::by<Plan>);
    }
    /// The numbers of y that differ from the expected ones.
    template <class Y>
    [[nodiscard]] std::size_t unequal(const Y& y) const
    {
        const auto found = hs::as_view(y);
        std::size_t count = 0;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t r = 0; r < sizes.d_out; ++r)
                if (bits(found(r, i)) != bits(expected(r, i))) ++count;
        return count;
    }
};

using calls = std::tuple<packed_call<float, hs::plan_kind::direct>, packed_call<double, hs::plan_kind::direct>,
                         packed_call<float, hs::plan_kind::absorbed>, packed_call<double, hs::plan_kind::absorbed>>;

/// The same numbers seen with other strides, in memory of their own that is full of NaN between them.
template <class T, std::size_t Rows, std::size_t Columns, std::size_t RowStride, std::size_t ColumnStride>
struct strided {
    using view = hs::matrix_view<T, Rows, Columns, RowStride, ColumnStride>;
    std::vector<T> memory =
        std::vector<T>((Rows - 1) * RowStride + (Columns - 1) * ColumnStride + 1, std::numeric_limits<T>::quiet_NaN());

    strided() = default;
    template <class M>
    explicit strided(const M& x)
    {
        for (std::size_t j = 0; j < Columns; ++j)
            for (std::size_t r = 0; r < Rows; ++r) seen()(r, j) = x(r, j);
    }
    [[nodiscard]] view seen() { return {memory.data()}; }
};

/// x in bytes at `offset` from a multiple of 64.
template <class M>
M& placed(std::byte* bytes, std::size_t offset, const M& x)
{
    return *new (bytes + offset) M(x);
}

template <class T, std::size_t Rows, std::size_t Columns>
using loose = hs::matrix<T, Rows, Columns, alignof(T)>;

template <class M, class T, std::size_t Size>
M copy_of(const T (&elements)[Size])
{
    M x;
    for (std::size_t e = 0; e < Size; ++e) x.elements[e] = elements[e];
    return x;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(matrices_at_every_multiple_of_the_alignment_of_a_number, Call, calls)
{
    using T = typename Call::value_type;
    const Call call;
    using query = loose<T, sizes.d_model, n>;
    using key = loose<T, sizes.d_key, m>;
    using value = loose<T, sizes.d_value, m>;
    using output = loose<T, sizes.d_out, n>;
    static_assert(alignof(query) == alignof(T) && alignof(output) == alignof(T));
    alignas(64) std::byte memory[4][sizeof(output) + 128];
    typename Call::workspace scratch;
    for (std::size_t step = 0; step < 64 / alignof(T); ++step) {
        const auto offset = [&](std::size_t matrix) { return (step + matrix * step / 2) * alignof(T) % 64; };
        const query& q = placed(memory[0], offset(0), copy_of<query>(call.q.elements));
        const key& k = placed(memory[1], offset(1), copy_of<key>(call.k.elements));
        const value& v = placed(memory[2], offset(2), copy_of<value>(call.v.elements));
        output& y = placed(memory[3], offset(3), output{});
        call.layer(q, k, v, y, scratch);
        BOOST_TEST(call.unequal(y) == 0u);
        BOOST_TEST(call.unequal(Call::result_of(call.layer, q, k, v)) == 0u);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(layers_and_workspaces_at_every_multiple_of_their_alignment, Call, calls)
{
    using T = typename Call::value_type;
    const Call call;
    using layer = typename Call::layer_type;
    using workspace = typename Call::workspace;
    for (std::size_t place = 0; place < 4; ++place) {
        const auto bytes = std::make_unique<std::byte[]>(sizeof(layer) + sizeof(workspace) + 8 * 64);
        void* start = bytes.get();
        std::size_t space = sizeof(layer) + sizeof(workspace) + 8 * 64;
        auto* const aligned = static_cast<std::byte*>(std::align(64, 1, start, space));
        const layer& copy = placed(aligned, place * alignof(layer), call.layer);
        workspace& scratch = *new (aligned + 4 * 64 + sizeof(layer) + place * alignof(workspace) % 128) workspace;
        hs::matrix<T, sizes.d_out, n> y;
        copy(call.q, call.k, call.v, y, scratch);
        BOOST_TEST(call.unequal(y) == 0u);
    }
    const std::vector<layer> several(3, call.layer);
    for (const layer& one : several) BOOST_TEST(call.unequal(Call::result_of(one, call.q, call.k, call.v)) == 0u);
    const std::optional<layer> maybe(call.layer);
    BOOST_TEST(call.unequal(Call::result_of(*maybe, call.q, call.k, call.v)) == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(strided_views_give_the_bits_of_packed_matrices, Call, calls)
{
    using T = typename Call::value_type;
    const Call call;
    strided<T, sizes.d_model, n, 2, 19> q(call.q);
    strided<T, sizes.d_key, m, 3, 59> k(call.k);
    strided<T, sizes.d_value, m, 1, 12> v(call.v);
    strided<T, sizes.d_out, n, 3, 64> y;
    typename Call::workspace scratch;
    call.layer(q.seen(), k.seen(), v.seen(), y.seen(), scratch);
    BOOST_TEST(call.unequal(y.seen()) == 0u);
    for (std::size_t e = 0; e < y.memory.size(); ++e)
        if (e % 64 % 3 != 0 || e % 64 / 3 >= sizes.d_out) BOOST_TEST(y.memory[e] != y.memory[e]);  // untouched
}

BOOST_AUTO_TEST_CASE_TEMPLATE(transposed_views_give_the_bits_of_packed_matrices, Call, calls)
{
    using T = typename Call::value_type;
    const Call call;
    strided<T, sizes.d_model, n, n, 1> q(call.q);
    strided<T, sizes.d_key, m, m, 1> k(call.k);
    strided<T, sizes.d_value, m, m, 1> v(call.v);
    hs::matrix<T, n, sizes.d_out> y;
    typename Call::workspace scratch;
    call.layer(q.seen(), k.seen(), v.seen(), hs::transposed(y), scratch);
    BOOST_TEST(call.unequal(hs::transposed(y)) == 0u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(row_views_give_the_bits_of_packed_matrices, Call, calls)
{
    using T = typename Call::value_type;
    const Call call;
    std::vector<T> y(sizes.d_out * n);
    typename Call::workspace scratch;
    const auto result = hs::rows<n, sizes.d_out>(y.data());
    call.layer(hs::rows(call.q), hs::rows<m, sizes.d_key>(call.k.data()), hs::rows(call.v), result, scratch);
    BOOST_TEST(call.unequal(result) == 0u);
}

// The other functions read views too.
BOOST_AUTO_TEST_CASE_TEMPLATE(functions_of_strided_views_give_the_bits_of_packed_matrices, T, numbers)
{
    const auto q = filled<hs::matrix<T, 5, 18>>(opaque<std::uint64_t>(5)),
               k = filled<hs::matrix<T, 5, 18>>(opaque<std::uint64_t>(6));
    const auto v = filled<hs::matrix<T, 3, 18>>(opaque<std::uint64_t>(7));
    strided<T, 5, 18, 18, 1> q_transposed(q);
    strided<T, 5, 18, 2, 13> k_strided(k);
    strided<T, 3, 18, 19, 1> v_transposed(v);
    const auto equal = [](const auto& a, const auto& b) {
        for (std::size_t e = 0; e < a.span().size(); ++e)
            if (bits(a.elements[e]) != bits(b.elements[e])) return false;
        return true;
    };
    BOOST_TEST(equal(hs::attention(q, k, v), hs::attention(q_transposed.seen(), k_strided.seen(), v_transposed.seen())));
    BOOST_TEST(equal(hs::softmax(q), hs::softmax(q_transposed.seen())));
    BOOST_TEST(equal(hs::multiply(v, hs::transposed(k)), hs::multiply(v_transposed.seen(), k_strided.seen().transposed())));
}

// Each matrix before, then behind, a page that may not be touched.
BOOST_AUTO_TEST_CASE_TEMPLATE(nothing_beside_a_matrix_is_read_or_written, Call, calls)
{
    using T = typename Call::value_type;
    const Call call;
    const tests::guarded_pages pages[4]{tests::guarded_pages(4096), tests::guarded_pages(4096), tests::guarded_pages(4096),
                                        tests::guarded_pages(4096)};
    const auto at = [&](int page, std::size_t count, bool end) {
        return end ? pages[page].last<T>(count) : pages[page].first<T>();
    };
    const auto view = [](const auto& x, T* to) {
        for (const T one : x.elements) *to++ = one;
        using M = std::remove_cvref_t<decltype(x)>;
        return hs::matrix_view<T, M::rows, M::columns>{to - x.span().size()};
    };
    for (const bool end : {false, true}) {
        const auto q = view(call.q, at(0, call.q.span().size(), end));
        const auto k = view(call.k, at(1, call.k.span().size(), end));
        const auto v = view(call.v, at(2, call.v.span().size(), end));
        const auto y = hs::columns<sizes.d_out, n>(at(3, sizes.d_out * n, end));
        typename Call::workspace scratch;
        call.layer(q, k, v, y, scratch);
        BOOST_TEST(call.unequal(y) == 0u);
    }
}
