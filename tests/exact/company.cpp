// SPDX-License-Identifier: BSL-1.0
// A query's result does not depend on its company: alone, at any place of a batch of any size, and beside columns of NaN,
// infinity or huge numbers it has the same bits.
#include "inputs.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

namespace hs = headstrong;
using tests::bits;
using tests::filled;
using tests::opaque;

namespace {

/// A layer by one plan for all n: the two plans differ by rounding.
template <class T, hs::dims D, hs::plan_kind Plan = hs::plan_kind::direct>
struct layer {
    using value_type = T;
    static constexpr std::size_t d_q = D.d_model, d_key = D.d_key, d_value = D.d_value, d_out = D.d_out;
    hs::multi_head<T, D> whole{tests::filled_weights<T, D>(opaque<std::uint64_t>(1))};

    template <class Q, class K, class V>
    auto call(const Q& q, const K& k, const V& v) const
    {
        return whole(q, k, v, hs::by<Plan>);
    }
};

template <class T, std::size_t DK, std::size_t DV>
struct one_head {
    using value_type = T;
    static constexpr std::size_t d_q = DK, d_key = DK, d_value = DV, d_out = DV;

    template <class Q, class K, class V>
    auto call(const Q& q, const K& k, const V& v) const
    {
        return hs::attention(q, k, v);
    }
};

/// A layer with m keys and values.
template <class Layer, std::size_t M>
struct company {
    using T = typename Layer::value_type;
    static constexpr std::size_t rows = Layer::d_q;
    template <std::size_t N>
    using queries = hs::matrix<T, rows, N>;

    Layer layer;
    hs::matrix<T, Layer::d_key, M> k = filled<hs::matrix<T, Layer::d_key, M>>(opaque<std::uint64_t>(2));
    hs::matrix<T, Layer::d_value, M> v = filled<hs::matrix<T, Layer::d_value, M>>(opaque<std::uint64_t>(3));

    /// The numbers of the result of query i of a batch that differ from the result of the query alone.
    template <std::size_t N>
    [[nodiscard]] std::size_t unequal(const queries<N>& q, const hs::matrix<T, Layer::d_out, N>& batch, std::size_t i) const
    {
        queries<1> one;
        for (std::size_t r = 0; r < rows; ++r) one(r, 0) = q(r, i);
        const auto alone = layer.call(one, k, v);
        std::size_t count = 0;
        for (std::size_t r = 0; r < Layer::d_out; ++r)
            if (bits(alone(r, 0)) != bits(batch(r, i))) ++count;
        return count;
    }

    template <std::size_t N>
    void check_batch() const
    {
        const auto q = filled<queries<N>>(opaque<std::uint64_t>(4));
        const auto y = layer.call(q, k, v);
        std::size_t found = 0;
        for (std::size_t i = 0; i < N; ++i) found += unequal<N>(q, y, i);
        BOOST_TEST(found == 0u, "n = " << N << ", m = " << M << ": " << found << " numbers differ");
    }

    /// A query at each place, the other columns full of one kind of padding.
    template <std::size_t N>
    void check_padding() const
    {
        using limits = std::numeric_limits<T>;
        const auto token = filled<queries<1>>(opaque<std::uint64_t>(5));
        std::size_t found = 0;
        for (const T padding :
             {limits::quiet_NaN(), limits::infinity(), -limits::infinity(), limits::max(), limits::denorm_min()})
            for (std::size_t place = 0; place < N; ++place) {
                queries<N> q;
                for (T& x : q.elements) x = padding;
                for (std::size_t r = 0; r < rows; ++r) q(r, place) = token(r, 0);
                found += unequal<N>(q, layer.call(q, k, v), place);
            }
        BOOST_TEST(found == 0u, "n = " << N << ", m = " << M << ": " << found << " numbers differ");
    }
};

/// Every case of batches and padding for these numbers of keys m; another list of batch sizes n for the padding.
template <class Layer, std::size_t... M>
struct all_of {
    template <std::size_t... N>
    static void check_batches()
    {
        (check_batches_of<M, N...>(), ...);
    }
    template <std::size_t... N>
    static void check_padding()
    {
        (check_padding_of<M, N...>(), ...);
    }

private:
    template <std::size_t OneM, std::size_t... N>
    static void check_batches_of()
    {
        const company<Layer, OneM> c;
        (c.template check_batch<N>(), ...);
    }
    template <std::size_t OneM, std::size_t... N>
    static void check_padding_of()
    {
        const company<Layer, OneM> c;
        (c.template check_padding<N>(), ...);
    }
};

using few_sizes = layer<float, hs::dims{.d_model = 16, .heads = 2}>;
using odd_sizes =
    layer<float,
          hs::dims{
              .d_model = 7, .heads = 3, .d_k = 5, .d_v = 2, .d_key = 3, .d_value = 9, .d_out = 17, .biases = hs::bias::all}>;
using absorbed =
    layer<float,
          hs::dims{
              .d_model = 7, .heads = 3, .d_k = 5, .d_v = 2, .d_key = 19, .d_value = 9, .d_out = 17, .biases = hs::bias::all},
          hs::plan_kind::absorbed>;
using streamed = layer<float, hs::dims{.d_model = 3, .heads = 2, .d_k = 5, .d_v = 2}, hs::plan_kind::streamed>;
using shared_keys = layer<double, hs::dims{.d_model = 5, .heads = 4, .d_k = 3, .d_v = 9, .kv_heads = 2, .biases = hs::bias::q}>;

}  // namespace

BOOST_AUTO_TEST_CASE(each_query_of_a_batch_has_the_bits_of_the_query_alone)
{
    all_of<few_sizes, 1, 5, 16, 17, 35>::check_batches<16, 17, 33, 35>();
    all_of<odd_sizes, 5, 17>::check_batches<17, 35>();
    all_of<absorbed, 5, 17>::check_batches<3, 17>();
    all_of<streamed, 5, 131>::check_batches<3, 17>();
    all_of<shared_keys, 16, 35>::check_batches<16, 33>();
    all_of<one_head<float, 3, 17>, 1, 35>::check_batches<17, 33>();
}

BOOST_AUTO_TEST_CASE(a_query_beside_padding_has_the_bits_of_the_query_alone)
{
    all_of<few_sizes, 1, 5, 16, 17, 35>::check_padding<17, 35>();
    all_of<odd_sizes, 5, 17>::check_padding<17, 35>();
    all_of<absorbed, 5, 17>::check_padding<3, 17>();
    all_of<streamed, 5, 131>::check_padding<3, 17>();
    all_of<shared_keys, 16, 35>::check_padding<16, 33>();
    all_of<one_head<float, 3, 17>, 1, 35>::check_padding<17, 33>();
}

// More keys than one chain of multiply-adds holds, and more queries than are worked on at once.
BOOST_AUTO_TEST_CASE(many_keys_and_many_queries_change_nothing)
{
    all_of<one_head<float, 3, 5>, 261>::check_batches<67>();
    all_of<one_head<float, 3, 5>, 261>::check_padding<67>();
}
