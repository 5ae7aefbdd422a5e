// SPDX-License-Identifier: BSL-1.0
// A program may have any names of its own: none is in the way of the library's, nor does a compiler warn of one (-Wshadow).
#include <headstrong/headstrong.hpp>

constexpr int a = 1, b = 2, c = 3, f = 4, h = 5, i = 6, j = 7, k = 8, m = 9, n = 10, o = 11, p = 12, q = 13, r = 14, s = 15,
              t = 16, v = 17, w = 18, x = 19, y = 20;
constexpr int at = 1, column = 2, count = 3, first = 4, from = 5, head = 6, keys = 7, numbers = 8, of = 9, one = 10, own = 11,
              panel = 12, panels = 13, place = 14, queries = 15, row = 16, score = 17, sum = 18, token = 19, values = 20;
static_assert(a + b + c + f + h + i + j + k + m + n + o + p + q + r + s + t + v + w + x + y == 210);
static_assert(at + column + count + first + from + head + keys + numbers + of + one + own + panel + panels + place + queries
                  + row + score + sum + token + values
              == 210);

namespace hs = headstrong;
constexpr hs::dims sizes{.d_model = 3, .heads = 2, .d_k = 2, .kv_heads = 1, .biases = hs::bias::all};
constexpr hs::multi_head<float, sizes> layer{hs::weights<float, sizes>{}};
constexpr hs::matrix<float, 3, 2> tokens{1, 2, 3, 4, 5, 6};

static_assert(layer(tokens, tokens, tokens)(0, 0) == 0);
static_assert(layer(tokens, tokens, tokens, hs::causal{} & hs::valid_keys{2})(0, 0) == 0);
static_assert(layer(tokens, tokens, tokens, hs::by<hs::plan_kind::absorbed>)(0, 0) == 0);
static_assert(layer(tokens, tokens, tokens, hs::by<hs::plan_kind::streamed>)(0, 0) == 0);
