// SPDX-License-Identifier: BSL-1.0
// A user's program: a layer of PyTorch, whose weights are part of the program, and the answers of PyTorch beside them.
#include <headstrong/headstrong.hpp>

#include "model.hpp"

#include <cstdio>

namespace hs = headstrong;
constexpr hs::multi_head<float, decltype(model::encoder)::sizes> encoder{model::encoder};

int main()
{
    const auto y = encoder(model::x, model::x, model::x);
    for (std::size_t e = 0; e < y.span().size(); ++e) {
        const float difference = y.elements[e] - model::y.elements[e];
        if (!(difference < 1e-6f && -difference < 1e-6f)) return 1;
    }
    std::puts("the answers of PyTorch");
    return 0;
}
