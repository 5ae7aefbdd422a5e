// SPDX-License-Identifier: BSL-1.0
// Where does a call put its scratch memory, and how much is it?
#include "sample.hpp"

namespace hs = headstrong;
using layer = hs::multi_head<float, hs::dims{.d_model = 64, .heads = 4}>;

constexpr hs::costs cost = layer::cost<32, 32>();
static_assert(cost.workspace_bytes <= 40 * 1024 && cost.workspace_bytes == sizeof(layer::workspace<32, 32>));

static layer::workspace<32, 32> scratch;  // anywhere: static memory, a section of your own, another object

int main()
{
    static const layer attend{sample::weights<layer::weights_type>(1)};
    const auto x = sample::numbers<hs::matrix<float, 64, 32>>(2);
    static hs::matrix<float, 64, 32> y;
    attend(x, x, x, y, scratch);  // touches x, y, scratch and the weights, and a small frame of the stack
    sample::claim(y == attend(x, x, x), "scratch on the stack gives the same bits");
    std::printf("%zu multiply-adds, %zu exponentials, %zu bytes of weights, %zu bytes of scratch\n", cost.multiply_adds,
                cost.exponentials, cost.weight_bytes, cost.workspace_bytes);
}
