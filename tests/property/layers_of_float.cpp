// SPDX-License-Identifier: BSL-1.0
#include "layer_instance.hpp"

namespace property {

using headstrong::bias;
using headstrong::dims;

std::vector<layer_case<float>> layers_of_float()
{
    return list_of<float>({
        layer_of<float, dims{.d_model = 1, .heads = 1, .d_k = 35, .d_v = 35}, 1, 1>(),
        layer_of<float, dims{.d_model = 16, .heads = 2, .d_k = 8, .d_v = 5, .kv_heads = 1, .biases = bias::all}, 17, 35>(),
        layer_of<float, dims{.d_model = 35, .heads = 5, .d_k = 3, .d_v = 17, .d_key = 2, .d_value = 8, .d_out = 3}, 16, 17>(),
        layer_of<float, dims{.d_model = 2, .heads = 17, .d_k = 15, .d_v = 8, .kv_heads = 1, .biases = bias::q | bias::o}, 3,
                 5>(),
        // Wide enough for its heads to be walked in groups and its queries in blocks.
        layer_of<float, dims{.d_model = 15, .heads = 16, .d_k = 16, .d_v = 16, .kv_heads = 8, .biases = bias::all}, 35, 17>(),
    });
}

}  // namespace property
