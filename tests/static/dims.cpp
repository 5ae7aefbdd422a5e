// SPDX-License-Identifier: BSL-1.0
// The sizes of a layer: what follows from what, and when two layers are one type.
#include "headstrong/multi_head.hpp"

#include <type_traits>

namespace hs = headstrong;
using hs::bias;
using hs::dims;

// What is left out follows from what is given.
constexpr dims short_form{.d_model = 32, .heads = 4};
constexpr dims spelled_out{.d_model = 32,
                           .heads = 4,
                           .d_k = 8,
                           .d_v = 8,
                           .d_key = 32,
                           .d_value = 32,
                           .d_out = 32,
                           .kv_heads = 4,
                           .biases = bias::none};
static_assert(short_form == spelled_out);
static_assert(std::is_same_v<hs::multi_head<float, short_form>, hs::multi_head<float, spelled_out>>);
static_assert(std::is_same_v<hs::weights<float, short_form>, hs::weights<float, dims{.d_model = 32, .heads = 4, .d_k = 8}>>);

static_assert(dims{.d_model = 7} == dims{.d_model = 7, .heads = 1, .d_k = 7, .d_v = 7});
static_assert(dims{.d_model = 32, .heads = 4, .d_k = 5}.d_v == 5);
static_assert(dims{.d_model = 32, .heads = 4, .d_v = 5}.d_k == 8);
static_assert(dims{.d_model = 32, .heads = 5, .d_k = 6}.d_k == 6, "heads need not divide d_model when d_k is given");
static_assert(dims{.d_model = 32, .heads = 5}.d_k == 0, "refused by a rule, so that the sentence names the numbers");

// Every member distinguishes.
static_assert(short_form != dims{.d_model = 32, .heads = 8});
static_assert(short_form != dims{.d_model = 64, .heads = 4, .d_k = 8, .d_v = 8, .d_key = 32, .d_value = 32, .d_out = 32});
static_assert(short_form != dims{.d_model = 32, .heads = 4, .d_k = 4, .d_v = 8});
static_assert(short_form != dims{.d_model = 32, .heads = 4, .d_v = 4});
static_assert(short_form != dims{.d_model = 32, .heads = 4, .d_key = 4});
static_assert(short_form != dims{.d_model = 32, .heads = 4, .d_value = 4});
static_assert(short_form != dims{.d_model = 32, .heads = 4, .d_out = 4});
static_assert(short_form != dims{.d_model = 32, .heads = 4, .kv_heads = 2});
static_assert(short_form != dims{.d_model = 32, .heads = 4, .biases = bias::o});
static_assert(!std::is_same_v<hs::multi_head<float, short_form>, hs::multi_head<double, short_form>>);

// Biases are a set.
static_assert((bias::q | bias::k | bias::v | bias::o) == bias::all);
static_assert((bias::none | bias::v) == bias::v && (bias::q | bias::q) == bias::q);
static_assert(contains(bias::all, bias::q) && contains(bias::all, bias::k) && contains(bias::all, bias::v)
              && contains(bias::all, bias::o));
static_assert(!contains(bias::none, bias::q) && !contains(bias::q | bias::o, bias::k) && contains(bias::q | bias::o, bias::o));

// A bias that the layer does not have takes no number.
using without =
    hs::weights<float, dims{.d_model = 6, .heads = 2, .d_k = 3, .d_v = 5, .d_out = 7, .kv_heads = 1, .biases = bias::q}>;
static_assert(std::is_same_v<decltype(without::b_q)::value_type, hs::matrix<float, 3, 1>>);
static_assert(std::is_same_v<decltype(without::b_k)::value_type, hs::no_bias>);
static_assert(std::is_same_v<decltype(without::b_v)::value_type, hs::no_bias>);
static_assert(std::is_same_v<decltype(without::b_o), hs::no_bias>);

// Weights act from the left: W_h^Q d_k x d_model, W_h^K d_k x d_key, W_h^V d_v x d_value, W_h^O d_out x d_v.
using own_widths = hs::weights<double, dims{.d_model = 6,
                                            .heads = 4,
                                            .d_k = 3,
                                            .d_v = 5,
                                            .d_key = 8,
                                            .d_value = 9,
                                            .d_out = 7,
                                            .kv_heads = 2,
                                            .biases = bias::all}>;
static_assert(std::is_same_v<decltype(own_widths::w_q), std::array<hs::matrix<double, 3, 6>, 4>>);
static_assert(std::is_same_v<decltype(own_widths::w_k), std::array<hs::matrix<double, 3, 8>, 2>>);
static_assert(std::is_same_v<decltype(own_widths::w_v), std::array<hs::matrix<double, 5, 9>, 2>>);
static_assert(std::is_same_v<decltype(own_widths::w_o), std::array<hs::matrix<double, 7, 5>, 4>>);
static_assert(std::is_same_v<decltype(own_widths::b_q), std::array<hs::matrix<double, 3, 1>, 4>>);
static_assert(std::is_same_v<decltype(own_widths::b_k), std::array<hs::matrix<double, 3, 1>, 2>>);
static_assert(std::is_same_v<decltype(own_widths::b_v), std::array<hs::matrix<double, 5, 1>, 2>>);
static_assert(std::is_same_v<decltype(own_widths::b_o), hs::matrix<double, 7, 1>>);
