// SPDX-License-Identifier: BSL-1.0
#include "layer_instance.hpp"

namespace property {

using headstrong::bias;
using headstrong::dims;

std::vector<layer_case<double>> layers_of_double()
{
    return list_of<double>({
        layer_of<double, dims{.d_model = 5, .heads = 3, .d_k = 2, .d_v = 16, .d_out = 17, .biases = bias::k | bias::o}, 35,
                 16>(),
        layer_of<double, dims{.d_model = 8, .heads = 8, .d_k = 1, .d_v = 2, .kv_heads = 4, .biases = bias::v}, 5, 15>(),
        layer_of<double, dims{.d_model = 3, .heads = 15, .d_k = 16, .d_v = 1, .kv_heads = 5, .biases = bias::all}, 15, 8>(),
        layer_of<double, dims{.d_model = 17, .heads = 16, .d_k = 5, .d_v = 3, .d_key = 35, .d_value = 1}, 2, 2>(),
        layer_of<double, dims{.d_model = 15, .heads = 35, .d_k = 17, .d_v = 15, .kv_heads = 7, .biases = bias::all}, 8, 3>(),
    });
}

}  // namespace property
