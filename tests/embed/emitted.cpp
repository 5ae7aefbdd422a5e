// SPDX-License-Identifier: BSL-1.0
// What headstrong_embed emitted has the shapes and, bit for bit, the numbers that the reader finds in the file.
#include "linked.hpp"
#include "packed.hpp"
#include "plain.hpp"

#include "headstrong/import/safetensors.hpp"
#include "headstrong/multi_head.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <type_traits>
#include <vector>

namespace hs = headstrong;
namespace st = hs::safetensors;
namespace values = plain::values;

namespace {

const st::file& model()
{
    static const std::vector<unsigned char> bytes = [] {
        std::ifstream in(MODEL, std::ios::binary);
        return std::vector<unsigned char>(std::istreambuf_iterator<char>(in), {});
    }();
    static const auto opened = st::open(std::span<const unsigned char>(bytes));
    return opened.file();
}

template <class A, class B>
bool same_bits(const A& a, const B& b)
{
    return sizeof(A) == sizeof(B) && std::memcmp(&a, &b, sizeof(A)) == 0;
}

/// Reads the tensor into a matrix of the type that was emitted, and compares.
template <class M>
bool is_tensor(const M& emitted, std::string_view name)
{
    M read{};
    return st::read(model(), name, read).ok() && same_bits(read, emitted);
}
template <class M>
bool is_columns(const M& emitted, std::string_view name)
{
    M read{};
    return st::read_columns(model(), name, read).ok() && same_bits(read, emitted);
}

/// Every number of every weight.
template <class T, hs::dims D>
void check_layer(const hs::weights<T, D>& plain, const hs::multi_head<T, D>& packed, const hs::multi_head<T, D>& linked,
                 std::string_view prefix, bool pytorch)
{
    hs::weights<T, D> read{};
    bool ok = false;
    if (!pytorch) ok = st::read_weights(model(), prefix, read).ok();
    else if constexpr (D.heads * D.d_k == D.d_model && D.d_out == D.d_model && D.kv_heads == D.heads && D.d_k == D.d_v
                       && (D.biases == hs::bias::none || D.biases == hs::bias::all))
        ok = st::read_pytorch_weights(model(), prefix, read).ok();
    BOOST_TEST(ok);
    BOOST_TEST((same_bits(read.w_q, plain.w_q) && same_bits(read.w_k, plain.w_k) && same_bits(read.w_v, plain.w_v)
                && same_bits(read.w_o, plain.w_o)));
    BOOST_TEST((same_bits(read.b_q, plain.b_q) && same_bits(read.b_k, plain.b_k) && same_bits(read.b_v, plain.b_v)
                && same_bits(read.b_o, plain.b_o)));
    const hs::multi_head<T, D> layer{read};
    BOOST_TEST(same_bits(layer.packed.values, packed.packed.values));
    BOOST_TEST(same_bits(layer.packed.values, linked.packed.values));
    BOOST_TEST(reinterpret_cast<std::uintptr_t>(&linked) % 64 == 0u);
}

}  // namespace

// The packing of the tool and of the compiler agree, as the compiler sees it.
template <class L, class W>
constexpr bool packed_alike(const L& packed, const W& plain)
{
    const L layer{plain};
    for (std::size_t i = 0; i < std::size(layer.packed.values); ++i)
        if (layer.packed.values[i] != packed.packed.values[i]) return false;
    return true;
}
static_assert(packed_alike(packed::own, values::own));
static_assert(packed_alike(packed::grouped, values::grouped));
static_assert(packed_alike(packed::wide, values::wide));
static_assert(packed_alike(packed::joined, values::joined));
static_assert(packed_alike(packed::separate, values::separate));

BOOST_AUTO_TEST_CASE(tensors_have_their_shapes_and_bits)
{
    static_assert(std::is_same_v<decltype(values::special), const hs::matrix<float, 2, 6>>);
    static_assert(std::is_same_v<decltype(values::heads), const std::array<hs::matrix<float, 3, 4>, 2>>);
    static_assert(std::is_same_v<decltype(values::matrix), const hs::matrix<float, 6, 2>>);
    static_assert(std::is_same_v<decltype(values::tokens), const std::array<hs::matrix<float, 4, 3>, 2>>);
    BOOST_TEST(same_bits(values::single, st::value<float>(model().find("single").tensor(), 0)));
    BOOST_TEST(is_tensor(values::column, "column"));
    BOOST_TEST(is_tensor(values::special, "special"));
    BOOST_TEST(is_tensor(values::heads, "heads"));
    BOOST_TEST(is_tensor(values::special64, "special64"));
    BOOST_TEST(is_tensor(values::half, "half"));
    BOOST_TEST(is_columns(values::matrix, "special"));
    BOOST_TEST(is_tensor(values::row, "column"));
    for (std::size_t h = 0; h < 2; ++h)
        for (std::size_t r = 0; r < 4; ++r)
            for (std::size_t j = 0; j < 3; ++j) BOOST_TEST(values::tokens[h](r, j) == values::heads[h](j, r));
}

BOOST_AUTO_TEST_CASE(other_numbers_keep_their_type)
{
    BOOST_TEST((values::integers == hs::matrix<std::int32_t, 2, 1>{std::numeric_limits<std::int32_t>::min(), 7}));
    BOOST_TEST((values::smallest == hs::matrix<std::int64_t, 1, 1>{std::numeric_limits<std::int64_t>::min()}));
    BOOST_TEST((values::flags == hs::matrix<bool, 2, 2>{true, false, false, true}));
    BOOST_TEST((values::odd == hs::matrix<std::uint8_t, 3, 1>{0, 200, 255}));
}

BOOST_AUTO_TEST_CASE(layers_have_their_bits_in_every_form)
{
    check_layer(values::own, packed::own, linked::layers::own, "own.", false);
    check_layer(values::grouped, packed::grouped, linked::layers::grouped, "grouped.", false);
    check_layer(values::wide, packed::wide, linked::layers::wide, "wide.", false);
    check_layer(values::joined, packed::joined, linked::layers::joined, "joined.", true);
    check_layer(values::separate, packed::separate, linked::layers::separate, "separate.", true);
}
