// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_CONFORMANCE_STORED_LAYER_HPP
#define HEADSTRONG_TESTS_CONFORMANCE_STORED_LAYER_HPP
/// @file
/// A layer of this library with the parameters of a case.

#include "case_file.hpp"
#include "headstrong/import/read_weights.hpp"
#include "headstrong/multi_head.hpp"

#include <cstddef>
#include <memory>

namespace conformance {
namespace hs = headstrong;

/// The layer and its scratch memory for N queries and M keys, on the heap: megabytes for the larger cases.
template <hs::dims D, std::size_t N, std::size_t M>
class stored_layer {
public:
    explicit stored_layer(const case_file& file) : layer_(read(file)) {}

    /// Arrays of tokens, a token behind the other.
    void operator()(const float* q, const float* k, const float* v, float* y) const
    {
        (*layer_)(hs::columns<D.d_model, N>(q), hs::columns<D.d_key, M>(k), hs::columns<D.d_value, M>(v),
                  hs::columns<D.d_out, N>(y), *scratch_);
    }

private:
    using layer = hs::multi_head<float, D>;
    using workspace = typename layer::template workspace<N, M>;

    static std::unique_ptr<layer> read(const case_file& file)
    {
        const auto weights = std::make_unique<hs::weights<float, D>>();
        file.require(hs::safetensors::read_pytorch_weights(file.tensors(), "", *weights));
        return std::make_unique<layer>(*weights);
    }

    std::unique_ptr<layer> layer_;
    std::unique_ptr<workspace> scratch_ = std::make_unique<workspace>();
};

}  // namespace conformance

#endif
