// SPDX-License-Identifier: BSL-1.0
// Mathematical papers write X + sum_h (W_h^V X) Softmax[(W_h^K X)^T (W_h^Q X)]: where is that?
#include "sample.hpp"

namespace hs = headstrong;
constexpr hs::dims sizes{.d_model = 3, .heads = 2, .d_k = 3, .d_v = 3};
using particles = hs::residual_attention<float, sizes>;

int main()
{
    hs::residual_weights<float, sizes> w{};
    for (std::size_t h = 0; h < 2; ++h)
        for (std::size_t r = 0; r < 3; ++r) w.w_q[h](r, r) = w.w_k[h](r, r) = 2, w.w_v[h](r, r) = 0.125f;
    static const particles step{w};

    // Tokens are particles that attract each other: after some steps they form clusters.
    auto x = sample::numbers<hs::matrix<float, 3, 16>>(4);
    const auto spread = [](const hs::matrix<float, 3, 16>& p) {
        float largest = 0;
        for (std::size_t i = 0; i < 16; ++i) {
            float length = 0, cosine = 0, other = 0;
            for (std::size_t r = 0; r < 3; ++r)
                length = hs::fma(p(r, i), p(r, i), length), other = hs::fma(p(r, 0), p(r, 0), other),
                cosine = hs::fma(p(r, i), p(r, 0), cosine);
            const float apart = 1 - cosine / hs::sqrt(length * other);
            largest = apart > largest ? apart : largest;
        }
        return largest;
    };
    const float before = spread(x);
    for (int t = 0; t < 20; ++t) x = step(x);
    std::printf("directions apart: %.3f before, %.3f after 20 steps\n", static_cast<double>(before),
                static_cast<double>(spread(x)));
    sample::claim(spread(x) < before, "particles gather");
}
