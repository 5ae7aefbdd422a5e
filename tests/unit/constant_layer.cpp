// SPDX-License-Identifier: BSL-1.0
// An object file whose symbol table shows where a packed layer lies that is declared constexpr.
#include "headstrong/kv_cache.hpp"
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;

using layer = hs::multi_head<float, hs::dims{.d_model = 4, .heads = 2}>;
extern const layer constant_layer;
constexpr layer constant_layer{layer::weights_type{.w_q = {{{1, 2, 3, 4, 5, 6, 7, 8}, {8, 7, 6, 5, 4, 3, 2, 1}}},
                                                   .w_k = {{{1, 0, 0, 1, 1, 0, 0, 1}, {2, 1, 1, 2, 2, 1, 1, 2}}},
                                                   .w_v = {{{1, 1, 0, 0, 1, 1, 0, 0}, {0, 0, 1, 1, 0, 0, 1, 1}}},
                                                   .w_o = {{{1, 0, 2, 0, 3, 0, 4, 0}, {0, 1, 0, 2, 0, 3, 0, 4}}}}};

// Nor does an empty cache in static memory need code before main.
extern constinit hs::kv_cache<float, layer::sizes, 8> static_cache;
constinit hs::kv_cache<float, layer::sizes, 8> static_cache{};
