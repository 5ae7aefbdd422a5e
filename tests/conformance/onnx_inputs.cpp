// SPDX-License-Identifier: BSL-1.0
#include "onnx_inputs.hpp"

#include "headstrong/mask/bands.hpp"

#include <algorithm>
#include <cmath>

namespace conformance {
namespace {

namespace hs = headstrong;

template <class T>
std::vector<T> rounded(const std::vector<double>& x)
{
    std::vector<T> y(x.size());
    std::transform(x.begin(), x.end(), y.begin(), [](double number) { return static_cast<T>(number); });
    return y;
}

/// A window's side: -1 is unbounded.
std::ptrdiff_t side(const case_file& file, const char* name)
{
    const double keys = file.attribute(name, -1);
    return keys < 0 ? hs::unbounded : static_cast<std::ptrdiff_t>(keys);
}

}  // namespace

template <class T>
onnx_inputs<T>::onnx_inputs(const case_file& file)
    : file_(file),
      size_(file),
      q_(rounded<T>(by_head(file, "Q", size_.batch, size_.q_heads, size_.n, size_.d_k))),
      k_(rounded<T>(with_past(file, "past_key", "K", size_, size_.d_k))),
      v_(rounded<T>(with_past(file, "past_value", "V", size_, size_.d_v))),
      bias_(heads() * size_.n * size_.m),
      y_(heads() * size_.n * size_.d_v),
      kept_(std::make_unique<bool[]>(bias_.size())),
      left_(side(file, "left_window_size")),
      right_(side(file, "right_window_size")),
      scale_(file.attribute("effective_scale", file.attribute("scale", 1 / std::sqrt(static_cast<double>(size_.d_k)))))
{
    for (auto& stage : scores_) stage.resize(bias_.size());
    read_masks();
    read_places();
}

template <class T>
void onnx_inputs<T>::read_masks()
{
    std::fill_n(kept_.get(), bias_.size(), true);
    if (!file_.has("attn_mask")) return;
    const broadcast_mask mask(file_, size_);
    const bool boolean = file_.is_boolean("attn_mask");
    for (std::size_t bh = 0, at = 0; bh < heads(); ++bh)
        for (std::size_t i = 0; i < size_.n; ++i)
            for (std::size_t j = 0; j < size_.m; ++j, ++at) {
                const double number = mask.has(j) ? mask({bh / size_.q_heads, bh % size_.q_heads, i, j}) : 0;
                kept_[at] = mask.has(j) && (!boolean || number != 0);
                bias_[at] = boolean ? T{0} : static_cast<T>(number);
            }
}

template <class T>
void onnx_inputs<T>::read_places()
{
    offsets_.assign(size_.batch, static_cast<std::ptrdiff_t>(size_.past));
    keys_.assign(size_.batch, size_.m);
    if (file_.attribute("is_causal", 0) != 0) right_ = std::min<std::ptrdiff_t>(right_, 0);
    if (!file_.has("nonpad_kv_seqlen")) return;
    const auto valid = file_.all("nonpad_kv_seqlen", size_.batch);
    for (std::size_t b = 0; b < size_.batch; ++b) {
        keys_[b] = std::min(size_.m, static_cast<std::size_t>(std::max(valid[b], 0.0)));
        if (size_.past == 0) offsets_[b] = static_cast<std::ptrdiff_t>(valid[b]) - static_cast<std::ptrdiff_t>(size_.n);
    }
}

template <class T>
onnx_head<T> onnx_inputs<T>::head(std::size_t index)
{
    const onnx_sizes& s = size_;
    const std::size_t b = index / s.q_heads, kv = kv_head(index);
    const std::size_t matrix = index * s.n * s.m;
    onnx_head<T> head{&q_[index * s.n * s.d_k],
                      &k_[kv * s.m * s.d_k],
                      &v_[kv * s.m * s.d_v],
                      &bias_[matrix],
                      &kept_[matrix],
                      &y_[index * s.n * s.d_v],
                      {},
                      static_cast<T>(scale_),
                      offsets_[b],
                      left_,
                      right_,
                      keys_[b]};
    for (std::size_t stage = 0; stage < onnx_stages; ++stage) head.scores[stage] = &scores_[stage][matrix];
    return head;
}

template <class T>
std::size_t onnx_inputs<T>::kv_head(std::size_t head) const
{
    return head / size_.q_heads * size_.kv_heads + head % size_.q_heads / (size_.q_heads / size_.kv_heads);
}

template <class T>
bool onnx_inputs<T>::sees(std::size_t head, std::size_t i, std::size_t j) const
{
    const std::size_t b = head / size_.q_heads, at = (head * size_.n + i) * size_.m + j;
    const std::ptrdiff_t distance = static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(i) - offsets_[b];
    return kept_[at] && j < keys_[b] && distance <= right_ && -distance <= left_ && std::isfinite(bias_[at]);
}

/// In double, without a soft cap.
template <class T>
double onnx_inputs<T>::score(std::size_t head, std::size_t i, std::size_t j) const
{
    const T *q = &q_[(head * size_.n + i) * size_.d_k], *k = &k_[(kv_head(head) * size_.m + j) * size_.d_k];
    double sum = 0;
    for (std::size_t c = 0; c < size_.d_k; ++c) sum += static_cast<double>(q[c]) * static_cast<double>(k[c]);
    return sum * scale_ + static_cast<double>(bias_[(head * size_.n + i) * size_.m + j]);
}

/// Of the keys that have a weight.
template <class T>
double onnx_inputs<T>::max_abs_score() const
{
    constexpr double no_weight = 200;  // below the largest score: its exp is 0 in float
    double largest = 0;
    for (std::size_t head = 0; head < heads(); ++head)
        for (std::size_t i = 0; i < size_.n; ++i) {
            if (swallows_scores(head, i)) continue;
            std::vector<double> seen;
            for (std::size_t j = 0; j < size_.m; ++j)
                if (sees(head, i, j)) seen.push_back(score(head, i, j));
            const double top = seen.empty() ? 0 : *std::max_element(seen.begin(), seen.end());
            for (const double x : seen)
                if (x >= top - no_weight && std::isfinite(x)) largest = std::max(largest, std::abs(x));
        }
    return largest;
}

/// Whether every key that a query sees has a number added beside which T, but not double, loses the score.
template <class T>
bool onnx_inputs<T>::swallows_scores(std::size_t head, std::size_t i) const
{
    if (sizeof(T) == sizeof(double)) return false;
    bool swallows = false;
    for (std::size_t j = 0; j < size_.m; ++j) {
        if (!sees(head, i, j)) continue;
        const double bias = std::abs(static_cast<double>(bias_[(head * size_.n + i) * size_.m + j]));
        swallows = bias >= 0x1p17 && bias < 0x1p57;
        if (!swallows) return false;
    }
    return swallows;
}

/// The numbers of a result by head, whatever its layout.
template <class T>
std::vector<double> onnx_inputs<T>::stored(const std::string& tensor, std::size_t width) const
{
    return by_head(file_, tensor, size_.batch, size_.q_heads, size_.n, width);
}

/// A result, but for the rows whose scores are swallowed.
template <class T>
check onnx_inputs<T>::compared(const char* tensor, const std::vector<T>& by_head, std::vector<double> expected,
                               const difficulty& d) const
{
    const std::size_t width = expected.size() / (heads() * size_.n);
    std::vector<double> ours(by_head.begin(), by_head.end());
    std::size_t left_out = 0;
    for (std::size_t row = 0; row < heads() * size_.n; ++row)
        if (swallows_scores(row / size_.n, row % size_.n)) {
            std::copy_n(&expected[row * width], width, &ours[row * width]);
            ++left_out;
        }
    check c = compare(tensor, ours, stored(tensor, width), expected, d);
    if (left_out > 0) c.note = std::to_string(left_out) + " rows left out: their mask leaves nothing of the scores in float";
    return c;
}

template <class T>
std::vector<check> onnx_inputs<T>::checks() const
{
    const difficulty d{max_abs_score(), size_.m, sizeof(T) == sizeof(double)};
    const auto copied = [&](const char* tensor, const std::vector<T>& ours) {
        return equal(tensor, std::vector<double>(ours.begin(), ours.end()), file_.all(tensor, ours.size()));
    };
    std::vector<check> checks{compared("Y", y_, stored("expected64_Y", size_.d_v), d)};
    if (file_.has("qk_matmul_output")) {
        const std::size_t mode = file_.size("qk_matmul_output_mode", 0);
        if (mode >= onnx_stages) throw unusable("qk_matmul_output_mode = " + std::to_string(mode));
        checks.push_back(compared("qk_matmul_output", scores_[mode], stored("expected64_qk_matmul_output", size_.m), d));
    }
    if (file_.has("present_key")) checks.push_back(copied("present_key", k_));
    if (file_.has("present_value")) checks.push_back(copied("present_value", v_));
    return checks;
}

template class onnx_inputs<float>;
template class onnx_inputs<double>;

}  // namespace conformance
