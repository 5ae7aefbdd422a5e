// SPDX-License-Identifier: BSL-1.0
// The examples of README.md and of the comments, cut out of them into files by examples.awk, and before each what it takes as
// given.
#include <headstrong/headstrong.hpp>

namespace hs = headstrong;

namespace masks_and_biases {
constexpr hs::dims sizes{.d_model = 32, .heads = 4};
using causal_layer = hs::multi_head<float, sizes>;

void f(const causal_layer& decoder, const causal_layer& layer, const hs::matrix<float, 32, 8>& x,
       const hs::matrix<float, 32, 8>& q, const hs::matrix<float, 32, 16>& k, const hs::matrix<float, 32, 16>& v,
       const hs::matrix<float, 16, 8>& bias, std::size_t count)
{
#include "README_2.inc"
    static_assert(decltype(y)::columns == 8 && decltype(z)::columns == 8 && local::sizes == sizes);
}
}  // namespace masks_and_biases

namespace from_pytorch {
namespace model {
constexpr hs::weights<float, hs::dims{.d_model = 32, .heads = 4, .biases = hs::bias::all}> encoder{};
}
#include "README_3.inc"
static_assert(decltype(encoder)::sizes.biases == hs::bias::all);
}  // namespace from_pytorch

namespace memory {
constexpr hs::weights<float, hs::dims{.d_model = 32, .heads = 4, .d_k = 8, .d_v = 8}> trained_weights{};

void f(const hs::matrix<float, 32, 16>& q, const hs::matrix<float, 32, 16>& k, const hs::matrix<float, 32, 16>& v,
       hs::matrix<float, 32, 16>& y)
{
#include "README_4.inc"
    static_assert(decltype(y2)::rows == 32);
}
}  // namespace memory

namespace decoding {
constexpr hs::dims sizes{.d_model = 32, .heads = 4};
using token = hs::matrix<float, 32, 1>;
bool next(token&);

void as_in_readme(const hs::multi_head<float, sizes>& decoder, token x, token y)
{
#include "README_5.inc"
}

void as_in_kv_cache(const hs::multi_head<float, sizes>& decoder, token x, token y)
{
#include "kv_cache_1.inc"
}
}  // namespace decoding

namespace packed_weights {
namespace model {
using encoder_type = hs::multi_head<float, hs::dims{.d_model = 32, .heads = 4}>;
constexpr encoder_type encoder{encoder_type::weights_type{}};
}  // namespace model

hs::matrix<float, 32, 16> f(const hs::matrix<float, 32, 16>& x)
{
#include "README_6.inc"
    hs::matrix<float, 32, 16> y;
    encoder(x, x, x, y, scratch);
    return y;
}
}  // namespace packed_weights

namespace score_of_a_place {
hs::matrix<float, 8, 6> f(const hs::matrix<float, 4, 6>& q, const hs::matrix<float, 8, 6>& v)
{
    const auto slope =
#include "position_bias_1.inc"
        ;
    return hs::attention(q, q, v, slope);
}
}  // namespace score_of_a_place
