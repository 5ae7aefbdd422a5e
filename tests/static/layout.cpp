// SPDX-License-Identifier: BSL-1.0
// What is stored is plain data of one size and alignment on every target, whatever the instruction set.
#include "headstrong/attention.hpp"
#include "headstrong/mixed_multi_head.hpp"
#include "headstrong/multi_head.hpp"
#include "headstrong/residual_attention.hpp"

#include <cstddef>
#include <type_traits>

namespace hs = headstrong;
using hs::dims;

template <class X>
constexpr bool plain_data =
    std::is_trivially_copyable_v<X> && std::is_trivially_destructible_v<X> && std::is_standard_layout_v<X>;
template <class X>
constexpr bool plain_aggregate = plain_data<X> && std::is_aggregate_v<X>;
/// A local of this type is left as it is, so a workspace costs no time.
template <class X>
constexpr bool not_initialised = std::is_trivially_default_constructible_v<X>;
template <class X, std::size_t Size, std::size_t Alignment>
constexpr bool takes = sizeof(X) == Size && alignof(X) == Alignment;

// Matrices: 64 bytes of alignment, or as much as they fill, rounded up to a power of two.
static_assert(plain_aggregate<hs::matrix<float, 2, 3>> && not_initialised<hs::matrix<float, 2, 3>>);
static_assert(plain_aggregate<hs::matrix<double, 32, 16>> && not_initialised<hs::matrix<double, 32, 16>>);
static_assert(takes<hs::matrix<float, 1, 1>, 4, 4>);
static_assert(takes<hs::matrix<double, 1, 1>, 8, 8>);
static_assert(takes<hs::matrix<float, 3, 1>, 16, 16>);
static_assert(takes<hs::matrix<float, 2, 3>, 32, 32>);
static_assert(takes<hs::matrix<float, 5, 3>, 64, 64>);
static_assert(takes<hs::matrix<float, 4, 4>, 64, 64>);
static_assert(takes<hs::matrix<float, 17, 1>, 128, 64>);
static_assert(takes<hs::matrix<float, 32, 16>, 2048, 64>);
static_assert(takes<hs::matrix<double, 2, 3>, 64, 64>);
static_assert(takes<hs::matrix<float, 2, 3, 4>, 24, 4>, "an alignment that is given");
static_assert(takes<hs::matrix<float, 2, 3, 64>, 64, 64>);

// Views: one pointer, strides in the type.
static_assert(plain_aggregate<hs::matrix_view<float, 2, 3>> && plain_aggregate<hs::row_view<const float, 2, 3>>);
static_assert(takes<hs::matrix_view<const float, 2, 3, 7, 5>, sizeof(void*), alignof(void*)>);
static_assert(takes<hs::row_view<float, 2, 3>, sizeof(void*), alignof(void*)>);

// Weights by name: 4 kinds of 4 matrices of 1024 bytes, and 13 places of biases that are not there.
using layer = hs::multi_head<float, dims{.d_model = 32, .heads = 4}>;
static_assert(plain_aggregate<layer::weights_type>);
static_assert(takes<layer::weights_type, 16 * 1024 + 64, 64>);

// Packed: 4 projections of 32 x 32 numbers.
static_assert(plain_aggregate<layer::packed_type>);
static_assert(takes<layer::packed_type, 16 * 1024, 64>);
static_assert(plain_data<layer> && takes<layer, 16 * 1024, 64>);

// Heads of 3 and 5 numbers: W^Q 16 x 6 (2 x 3 rows in one panel), W^K 16 x 6, W^V 16 x 6, W^O 16 x 10, four biases of 16.
using small = hs::multi_head<float, dims{.d_model = 6, .heads = 2, .d_k = 3, .d_v = 5, .biases = hs::bias::all}>;
static_assert(plain_data<small> && takes<small, (16 * 6 + 16 * 6 + 16 * 6 + 16 * 10 + 4 * 16) * 4, 64>);
using small_of_double = hs::multi_head<double, small::sizes>;  // panels of 8: W^V has 2 x 5 rows in two
static_assert(takes<small_of_double, (8 * 6 + 8 * 6 + 16 * 6 + 8 * 10 + 8 + 8 + 16 + 8) * 8, 64>);

using mixed = hs::mixed_multi_head<float, hs::widths{.d_model = 6}, hs::head<3, 5>, hs::head<4, 2>>;
static_assert(plain_data<mixed> && takes<mixed, (32 * 6 + 32 * 6 + 32 * 6 + 16 * 7) * 4, 64>);

using residual = hs::residual_attention<float, dims{.d_model = 6, .heads = 2, .d_k = 3, .d_v = 6}>;
static_assert(plain_aggregate<residual::weights_type> && plain_data<residual>);
static_assert(takes<residual, 3 * 16 * 6 * 4, 64>);

// Workspaces: keys, values and queries of 4 heads of 8 for 16 tokens; for one head queries in lanes, scores and output.
static_assert(plain_aggregate<layer::workspace<16, 16>> && not_initialised<layer::workspace<16, 16>>);
static_assert(takes<layer::workspace<16, 16>, (3 * 32 * 16 + (8 + 16 + 8) * 16) * 4, 64>);
// One head for one panel of queries: 16 x (d_k + m + d_v) numbers.
static_assert(plain_aggregate<hs::attention_workspace<float, 4, 2, 3, 15>>);
static_assert(not_initialised<hs::attention_workspace<float, 4, 2, 3, 15>>);
static_assert(takes<hs::attention_workspace<float, 4, 2, 3, 15>, 16 * (4 + 15 + 2) * 4, 64>);
static_assert(takes<hs::attention_workspace<float, 4, 2, 33, 15>, 2 * 16 * (4 + 15 + 2) * 4, 64>, "two panels at a time");
static_assert(takes<hs::attention_workspace<double, 4, 2, 3, 15>, 8 * (4 + 15 + 2) * 8, 64>);
