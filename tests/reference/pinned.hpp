// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_PINNED_HPP
#define HEADSTRONG_TESTS_PINNED_HPP
/// @file
/// Small calls and the bits of their results, for constant evaluation and run time alike. A change of these bits is a
/// change of the library's arithmetic, and users must be told.

#include "golden.hpp"
#include "headstrong/multi_head.hpp"

#include <cstddef>

namespace pinned {

namespace hs = headstrong;

template <class T>
inline constexpr auto q = golden::filled<hs::matrix<T, 4, 2>>(golden::q);
template <class T>
inline constexpr auto k = golden::filled<hs::matrix<T, 4, 3>>(golden::k);
template <class T>
inline constexpr auto v = golden::filled<hs::matrix<T, 2, 3>>(golden::v);
/// Values of a layer, as wide as its keys.
template <class T>
inline constexpr auto wide_v = golden::filled<hs::matrix<T, 4, 3>>(golden::v);

inline constexpr hs::dims sizes{.d_model = 4, .heads = 2, .d_k = 3, .d_v = 2, .d_out = 3, .biases = hs::bias::all};

template <class T>
inline constexpr hs::weights<T, sizes> weights = [] {
    hs::weights<T, sizes> w{};
    const auto fill = []<class Matrix>(Matrix& x, auto formula, std::size_t lift) {
        x = golden::filled<Matrix>([&](std::size_t r, std::size_t c) { return formula(r + lift, c); });
    };
    for (std::size_t h = 0; h < 2; ++h) {
        fill(w.w_q[h], golden::q, h);
        fill(w.w_k[h], golden::k, h);
        fill(w.w_v[h], golden::v, h);
        fill(w.w_o[h], golden::q, h + 1);
        fill(w.b_q[h], golden::k, h);
        fill(w.b_k[h], golden::v, h);
        fill(w.b_v[h], golden::q, h);
    }
    fill(w.b_o, golden::v, 0);
    return w;
}();

/// softmax(k), attention(q, k, v) (the golden vector G1) and multi_head(weights)(q, k, wide_v).
template <class T>
struct results;

template <>
struct results<float> {
    static constexpr hs::matrix<float, 4, 3> softmax{0x1.069254p-2f, 0x1.b0e84ap-2f, 0x1.f01ec4p-4f, 0x1.98fb6p-3f,
                                                     0x1.4d3c4ap-3f, 0x1.12b4ccp-2f, 0x1.c4e9fcp-2f, 0x1.03862ap-3f,
                                                     0x1.9384fap-2f, 0x1.ce70e8p-4f, 0x1.7d37dap-3f, 0x1.3a42e2p-2f};
    static constexpr hs::matrix<float, 2, 2> attention{0x1.115536p-3f, -0x1.2acbp-6f, 0x1.638274p-2f, -0x1.235846p-4f};
    static constexpr hs::matrix<float, 3, 2> multi_head{-0x1.2a88fcp+0f, 0x1.86de16p-1f, 0x1.a345d8p-2f,
                                                        -0x1.2d243p+0f,  0x1.754d8ap-1f, 0x1.bf4338p-2f};
};

template <>
struct results<double> {
    static constexpr hs::matrix<double, 4, 3> softmax{0x1.0692548660bp-2,   0x1.b0e84a6e03cd8p-2, 0x1.f01ec37cdb77ap-4,
                                                      0x1.98fb6058c9493p-3, 0x1.4d3c49699271dp-3, 0x1.12b4cb218142cp-2,
                                                      0x1.c4e9fb9d3dc13p-2, 0x1.03862918ef86p-3,  0x1.9384f90aa58dap-2,
                                                      0x1.ce70e59d4e117p-4, 0x1.7d37d94e4158ap-3, 0x1.3a42e0e6e641cp-2};
    static constexpr hs::matrix<double, 2, 2> attention{0x1.115535cec125bp-3, -0x1.2acb03e72f4fdp-6, 0x1.6382729fdfe9ap-2,
                                                        -0x1.235842d3a14b1p-4};
    static constexpr hs::matrix<double, 3, 2> multi_head{-0x1.2a88fbc867fbfp+0, 0x1.86de173b75b05p-1, 0x1.a345d7e62a3f6p-2,
                                                         -0x1.2d2430ea4ea8ap+0, 0x1.754d88ef3575dp-1, 0x1.bf433aba052cap-2};
};

}  // namespace pinned

#endif
