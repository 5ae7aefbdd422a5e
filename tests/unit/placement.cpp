// SPDX-License-Identifier: BSL-1.0
// neural-amp-modeler-lv2 81, RTNeural 139: an aligned load from a member that is not aligned. Matrices, layers and scratch
// memory work at every place that their alignof allows: in a vector, an optional, a structure, raw bytes.
#include "compare.hpp"
#include "headstrong/attention.hpp"
#include "headstrong/linear.hpp"
#include "headstrong/multi_head.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <vector>

namespace hs = headstrong;

namespace {

using layer_type = hs::multi_head<float, hs::dims{.d_model = 3, .heads = 1, .biases = hs::bias::all}>;
using workspace = layer_type::workspace<5, 5>;
using matrix = hs::matrix<float, 3, 5>;
using small = hs::matrix<float, 3, 5, alignof(float)>;  // aligned no more than its numbers

struct fixture {
    unit::random_numbers random{30};
    layer_type layer{random.weights<layer_type::weights_type>()};
    matrix x = random.matrix<matrix>();
    matrix y = layer(x, x, x);
};

/// Bytes with a place for a T that is aligned as T wants and, with `shift`, no more than that.
template <class T>
class place {
public:
    explicit place(std::size_t shift)
    {
        void* start = bytes_.data();
        std::size_t room = bytes_.size();
        std::align(2 * sizeof(T) + 64, 1, start, room);
        const auto address = reinterpret_cast<std::uintptr_t>(start);
        const auto aligned = (address + 63) / 64 * 64 + shift * alignof(T);
        at_ = static_cast<std::byte*>(start) + (aligned - address);
    }
    T* put(const T& x) { return new (at_) T(x); }
    T* put_nothing() { return new (at_) T; }

private:
    std::vector<std::byte> bytes_ = std::vector<std::byte>(8 * sizeof(T) + 256);
    void* at_;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(at_every_multiple_of_their_alignment_in_raw_bytes, fixture)
{
    for (std::size_t shift = 0; shift < 16; ++shift) {
        const std::size_t few = shift % 4;  // alignments of 64: up to three steps
        place<layer_type> layer_place(few);
        place<matrix> x_place(few), y_place(few);
        place<small> small_x_place(shift), small_y_place(shift);
        place<workspace> scratch_place(few);
        const layer_type& moved_layer = *layer_place.put(layer);
        matrix& moved_x = *x_place.put(x);
        matrix& moved_y = *y_place.put_nothing();
        moved_layer(moved_x, moved_x, moved_x, moved_y, *scratch_place.put_nothing());
        BOOST_TEST(unit::same_bits(moved_y, y));

        small narrow;
        std::memcpy(narrow.elements, x.elements, sizeof(x.elements));
        const small& narrow_x = *small_x_place.put(narrow);
        small& narrow_y = *small_y_place.put_nothing();
        moved_layer(narrow_x, narrow_x, narrow_x, narrow_y, *scratch_place.put_nothing());
        BOOST_TEST(unit::same_bits(narrow_y, y));
        BOOST_TEST(unit::same_bits(hs::attention(narrow_x, narrow_x, narrow_x), hs::attention(x, x, x)));
        BOOST_TEST(unit::same_bits(hs::softmax(narrow_x), hs::softmax(x)));
        BOOST_TEST(unit::same_bits(hs::multiply(hs::transposed(narrow_x), narrow_x), hs::multiply(hs::transposed(x), x)));
    }
}

BOOST_FIXTURE_TEST_CASE(in_vectors_optionals_and_structures, fixture)
{
    std::vector<matrix> inputs(3, x);
    std::vector<layer_type> layers(3, layer);
    for (std::size_t i = 0; i < 3; ++i) BOOST_TEST(unit::same_bits(layers[i](inputs[i], inputs[i], inputs[i]), y));

    std::optional<layer_type> perhaps(layer);
    std::optional<matrix> input(x);
    std::optional<workspace> scratch(std::in_place);
    std::optional<matrix> output(std::in_place);
    (*perhaps)(*input, *input, *input, *output, *scratch);
    BOOST_TEST(unit::same_bits(*output, y));

    struct plugin {  // members behind one char
        char name;
        layer_type layer;
        char on;
        matrix x;
        hs::matrix<float, 1, 1> gain;
        workspace scratch;
    };
    const auto owner = std::make_unique<plugin>(plugin{'a', layer, 'b', x, {2}, {}});
    matrix result;
    owner->layer(owner->x, owner->x, owner->x, result, owner->scratch);
    BOOST_TEST(unit::same_bits(result, y));
}
