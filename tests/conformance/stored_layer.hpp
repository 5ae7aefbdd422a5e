// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_CONFORMANCE_STORED_LAYER_HPP
#define HEADSTRONG_TESTS_CONFORMANCE_STORED_LAYER_HPP
/// @file
/// A layer of this library with the parameters of a case.

#include "case_file.hpp"
#include "headstrong/import/read_weights.hpp"
#include "headstrong/multi_head.hpp"
#include "torch_masks.hpp"

#include <array>
#include <cstddef>
#include <memory>

namespace conformance {
namespace hs = headstrong;

/// The masks of one call in the form of the library: every kind of mask, whose numbers change nothing where a case has no such
/// mask, so that cases of one shape share their code.
template <std::size_t Heads, std::size_t N, std::size_t M>
struct call_masks {
    std::array<hs::matrix<float, M, N>, Heads> bias;
    std::array<hs::matrix<bool, M, N>, Heads> dropped;
    std::array<bool, M> kept;
    std::ptrdiff_t causal_offset;

    call_masks(const torch_masks& masks, std::size_t b) : causal_offset(masks.causal_offset())
    {
        for (std::size_t h = 0; h < Heads; ++h)
            for (std::size_t i = 0; i < N; ++i)
                for (std::size_t j = 0; j < M; ++j) {
                    bias[h](j, i) = masks.bias(b, h, i, j);
                    dropped[h](j, i) = masks.drops(b, h, i, j);
                }
        for (std::size_t j = 0; j < M; ++j) kept[j] = !masks.pads(b, j);
    }
};

/// The layer and its scratch memory for N queries and M keys, on the heap: megabytes for the larger cases.
template <hs::dims D, std::size_t N, std::size_t M, class... Features>
class stored_layer {
public:
    explicit stored_layer(const case_file& file) : layer_(read(file)) {}

    /// Arrays of tokens, a token behind the other.
    template <class... Options>
    void operator()(const float* q, const float* k, const float* v, float* y, const Options&... options) const
    {
        (*layer_)(hs::columns<D.d_model, N>(q), hs::columns<D.d_key, M>(k), hs::columns<D.d_value, M>(v),
                  hs::columns<D.d_out, N>(y), *scratch_, options...);
    }

    /// The same behind masks.
    template <class... Options>
    void masked(const torch_masks& masks, std::size_t batch, const float* q, const float* k, const float* v, float* y,
                const Options&... options) const
    {
        const auto call = std::make_unique<const call_masks<D.heads, N, M>>(masks, batch);
        operator()(q, k, v, y, hs::score_bias{call->bias}, hs::drop{call->dropped}, hs::keep_keys{call->kept},
                   hs::causal_from{call->causal_offset}, options...);
    }

private:
    using layer = hs::multi_head<float, D, hs::scaled_dot, Features...>;
    using workspace = typename layer::template workspace<N, M>;

    static std::unique_ptr<layer> read(const case_file& file)
    {
        const auto weights = std::make_unique<typename layer::weights_type>();
        file.require(hs::safetensors::read_pytorch_weights(file.tensors(), "", *weights));
        return std::make_unique<layer>(*weights);
    }

    std::unique_ptr<layer> layer_;
    std::unique_ptr<workspace> scratch_ = std::make_unique<workspace>();
};

}  // namespace conformance

#endif
