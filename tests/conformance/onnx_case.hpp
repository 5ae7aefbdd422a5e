// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_CONFORMANCE_ONNX_CASE_HPP
#define HEADSTRONG_TESTS_CONFORMANCE_ONNX_CASE_HPP
/// @file
/// Cases of the ONNX operator Attention: attention without projections, one head after the other.

#include "comparison.hpp"
#include "headstrong/attention.hpp"
#include "headstrong/mask.hpp"
#include "headstrong/results.hpp"
#include "headstrong/score.hpp"
#include "onnx_inputs.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <ratio>
#include <vector>

namespace conformance {
namespace hs = headstrong;

/// What a shape's code is made for. All masks are one kind of call, whose numbers come at run time: a case that lacks one of
/// them has numbers that change nothing.
struct onnx_shape {
    std::size_t n, m, d_k, d_v;
    bool masked;  ///< whether anything hides keys or changes scores
    bool scores;  ///< whether qk_matmul_output is asked for
};

struct no_cap {};

template <class T, class Cap>
auto onnx_score(T scale)
{
    using factor = hs::dot_times<T>;
    if constexpr (std::is_same_v<Cap, no_cap>) return factor{scale};
    else return hs::soft_capped<Cap, factor>{factor{scale}};
}

template <class T, class Cap, onnx_shape S, class... Results>
void onnx_attend(const onnx_head<T>& x, T* y, const Results&... results)
{
    using workspace = hs::attention_workspace<T, S.d_k, S.d_v, S.n, S.m>;
    const auto scratch = std::make_unique<workspace>();
    const auto attend = [&](const auto&... masks) {
        hs::attention(hs::rows<S.n, S.d_k>(x.q), hs::rows<S.m, S.d_k>(x.k), hs::rows<S.m, S.d_v>(x.v), hs::rows<S.n, S.d_v>(y),
                      *scratch, onnx_score<T, Cap>(x.scale), masks..., results...);
    };
    if constexpr (S.masked) {
        const auto bias = hs::rows<S.n, S.m>(x.bias);
        const auto kept = hs::rows<S.n, S.m>(x.kept);
        attend(hs::score_bias{bias}, hs::keep{kept}, hs::window_from{x.offset, x.left, x.right}, hs::valid_keys{x.keys});
    } else {
        attend();
    }
}

/// With the scores of all stages; they are asked for in a call of its own, which must give the same output.
template <class T, class Cap, onnx_shape S>
void onnx_scores(const onnx_head<T>& x)
{
    const auto into = [&]<hs::score_stage Stage>() {
        auto matrix = hs::rows<S.n, S.m>(x.scores[static_cast<std::size_t>(Stage)]);
        return hs::scores_into<Stage>(matrix);
    };
    std::vector<T> y(S.n * S.d_v);
    onnx_attend<T, Cap, S>(
        x, y.data(), into.template operator()<hs::score_stage::scaled>(), into.template operator()<hs::score_stage::capped>(),
        into.template operator()<hs::score_stage::masked>(), into.template operator()<hs::score_stage::weights>());
    const auto same = [](T a, T b) { return a == b || (a != a && b != b); };
    if (!std::equal(y.begin(), y.end(), x.y, same)) throw unusable("Y changes if the scores are asked for");
}

template <class T, class Cap, onnx_shape S>
std::vector<check> onnx_case(const case_file& file)
{
    onnx_inputs<T> inputs(file);
    for (std::size_t h = 0; h < inputs.heads(); ++h) {
        const onnx_head<T> head = inputs.head(h);
        onnx_attend<T, Cap, S>(head, head.y);
        if constexpr (S.scores) onnx_scores<T, Cap, S>(head);
    }
    return inputs.checks();
}

}  // namespace conformance

#endif
