// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_CONFORMANCE_ONNX_INPUTS_HPP
#define HEADSTRONG_TESTS_CONFORMANCE_ONNX_INPUTS_HPP
/// @file
/// What a case of the ONNX operator Attention holds, made ready for attention of one head after the other: caches put before
/// keys and values, masks broadcast. None of it is computed by the library.

#include "case_file.hpp"
#include "comparison.hpp"
#include "onnx_tensors.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace conformance {

/// Which stage of the scores qk_matmul_output holds is its number.
inline constexpr std::size_t onnx_stages = 4;

/// Attention of one head of one batch: row-major arrays, a token a row; bias and kept (n, m).
template <class T>
struct onnx_head {
    const T *q, *k, *v, *bias;
    const bool* kept;
    T* y;
    std::array<T*, onnx_stages> scores;  ///< (n, m) each
    T scale;
    std::ptrdiff_t offset;       ///< query i stands at key offset + i
    std::ptrdiff_t left, right;  ///< of the window; hs::unbounded for none
    std::size_t keys;            ///< only so many exist
};

template <class T>
class onnx_inputs {
public:
    explicit onnx_inputs(const case_file& file);

    [[nodiscard]] std::size_t heads() const { return size_.batch * size_.q_heads; }
    /// Head `index` / q_heads is the batch.
    [[nodiscard]] onnx_head<T> head(std::size_t index);

    /// The results that the heads have written, compared with those of the case.
    [[nodiscard]] std::vector<check> checks() const;

private:
    void read_masks();
    void read_places();
    [[nodiscard]] std::size_t kv_head(std::size_t head) const;
    [[nodiscard]] bool sees(std::size_t head, std::size_t i, std::size_t j) const;
    [[nodiscard]] double score(std::size_t head, std::size_t i, std::size_t j) const;
    [[nodiscard]] double max_abs_score() const;
    [[nodiscard]] bool swallows_scores(std::size_t head, std::size_t i) const;
    [[nodiscard]] check compared(const char* tensor, const std::vector<T>& by_head, std::vector<double> expected,
                                 const difficulty& d) const;
    [[nodiscard]] std::vector<double> stored(const std::string& tensor, std::size_t width) const;

    const case_file& file_;
    onnx_sizes size_;
    std::vector<T> q_, k_, v_, bias_, y_;  // (batch, heads, tokens, numbers)
    std::unique_ptr<bool[]> kept_;
    std::array<std::vector<T>, onnx_stages> scores_;
    std::vector<std::ptrdiff_t> offsets_;  // of each batch
    std::vector<std::size_t> keys_;
    std::ptrdiff_t left_, right_;
    double scale_;
};

extern template class onnx_inputs<float>;
extern template class onnx_inputs<double>;

}  // namespace conformance

#endif
