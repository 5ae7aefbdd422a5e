// SPDX-License-Identifier: BSL-1.0
// I have trained a torch.nn.MultiheadAttention. How does it come here, and are the answers those of PyTorch?
// pytorch_layer.safetensors is what README's script writes of MultiheadAttention(8, 2), beside its input x and output y;
// headstrong_embed makes the header of it.
#include "sample.hpp"

#include "pytorch_layer.hpp"

namespace hs = headstrong;
constexpr hs::dims sizes = decltype(pytorch::attention)::sizes;
static_assert(sizes.d_model == 8 && sizes.heads == 2 && sizes.biases == hs::bias::all);

int main()
{
    static constexpr hs::multi_head<float, sizes> attention{pytorch::attention};
    const auto y = attention(pytorch::x, pytorch::x, pytorch::x);
    float largest = 0;
    for (std::size_t e = 0; e < y.span().size(); ++e) {
        const float difference = y.elements[e] - pytorch::y.elements[e];
        largest = difference > largest ? difference : -difference > largest ? -difference : largest;
    }
    std::printf("the largest difference from PyTorch is %g\n", static_cast<double>(largest));
    sample::claim(largest < 1e-6f, "the answers are those of PyTorch, but for rounding");
}
