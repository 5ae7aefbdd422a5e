// SPDX-License-Identifier: BSL-1.0
// What two layers cost, worked out by hand.
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;

// n = m = 16. Projections to and from 4 heads of 8, d_model 32: Q and the output 16 x 4 x (32 x 8 + 8 x 32), K and V the
// same; scores and sums 16 x 16 x 4 x (8 + 8). Weights 4 x 32 x 32 numbers. Scratch: K, V and Q of 32 x 16, and for one
// head its queries in lanes, 8 x 16, scores, 16 x 16, and output, 8 x 16.
using encoder = hs::multi_head<float, hs::dims{.d_model = 32, .heads = 4}>;
static_assert(encoder::cost<16, 16>()
              == hs::costs{.multiply_adds = 32768 + 32768 + 16384,
                           .exponentials = 16 * 16 * 4,
                           .weight_bytes = 4 * 32 * 32 * 4,
                           .workspace_bytes = (3 * 32 * 16 + (8 + 16 + 8) * 16) * 4});

// n = 3, m = 9, in double: panels and blocks of 8.
//   Q and output  3 x 2 x (8 x 3 + 5 x 7) = 354;  K and V of one key/value head  9 x (6 x 3 + 4 x 5) = 342
//   scores and sums  3 x 9 x 2 x (3 + 5) = 432
//   weights  W^Q 8 x 8, W^K 8 x 6, W^V 8 x 4, W^O 8 x 10, four biases of 8: 256 numbers
//   scratch  K and V 8 x 9 each, Q 8 x 3, one head's queries in lanes 3 x 8, scores 9 x 8 and output 5 x 8: 304 numbers
using grouped = hs::multi_head<double, hs::dims{.d_model = 8,
                                                .heads = 2,
                                                .d_k = 3,
                                                .d_v = 5,
                                                .d_key = 6,
                                                .d_value = 4,
                                                .d_out = 7,
                                                .kv_heads = 1,
                                                .biases = hs::bias::all}>;
static_assert(grouped::cost<3, 9>()
              == hs::costs{.multiply_adds = 354 + 342 + 432,
                           .exponentials = 3 * 9 * 2,
                           .weight_bytes = 256 * 8,
                           .workspace_bytes = 304 * 8});
static_assert(sizeof(grouped::workspace<3, 9>) == grouped::cost<3, 9>().workspace_bytes);
static_assert(sizeof(grouped) == grouped::cost<3, 9>().weight_bytes);

// One query, 64 keys: directly 64 x 4 x (16 x 64 + 16 x 64) for keys and values, 4 x (64 x 16 + 16 x 64) for the query, 64 x 4
// x 32 for scores and sums. Absorbed, 4 x (64 x 16 + 16 x 64 + 64 x (64 + 64) + 64 x 16 + 16 x 64), which the planner takes.
using streaming = hs::multi_head<float, hs::dims{.d_model = 64, .heads = 4}>;
static_assert(streaming::plan<1, 64>() == hs::plan_cost{hs::plan_kind::absorbed, streaming::cost<1, 64>()});
static_assert(streaming::cost<1, 64>().multiply_adds == 49152);
static_assert(streaming::cost<1, 64, hs::plan_kind::direct>().multiply_adds == 524288 + 8192 + 8192);
static_assert(streaming::plan<64, 64>().kind == hs::plan_kind::direct);
static_assert(sizeof(streaming::workspace<1, 64>) == streaming::cost<1, 64>().workspace_bytes);

// The streamed plan's memory does not grow with m; the planner takes it for many keys.
static_assert(streaming::plan<1024, 1024>().kind == hs::plan_kind::streamed);
static_assert(streaming::plan<1023, 1023>().kind == hs::plan_kind::direct);
static_assert(sizeof(streaming::workspace<16, 1024, hs::plan_kind::streamed>)
              == sizeof(streaming::workspace<16, 65536, hs::plan_kind::streamed>));
