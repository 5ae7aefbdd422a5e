// SPDX-License-Identifier: BSL-1.0
#include "onnx_inputs.hpp"

#include "headstrong/mask/bands.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace conformance {
namespace {

namespace hs = headstrong;

/// The numbers of a tensor as (batch, heads, tokens, width); in the 3d layout the file has (batch, tokens, heads width).
std::vector<double> by_head(const case_file& file, const char* tensor, std::size_t batch, std::size_t heads, std::size_t tokens,
                            std::size_t width)
{
    const auto stored = file.all(tensor, batch * heads * tokens * width);
    if (file.shape(tensor).size() != 3) return stored;
    std::vector<double> x(stored.size());
    for (std::size_t b = 0; b < batch; ++b)
        for (std::size_t h = 0; h < heads; ++h)
            for (std::size_t t = 0; t < tokens; ++t)
                std::copy_n(&stored[((b * tokens + t) * heads + h) * width], width, &x[((b * heads + h) * tokens + t) * width]);
    return x;
}

template <class T>
std::vector<T> rounded(const std::vector<double>& x)
{
    std::vector<T> y(x.size());
    std::transform(x.begin(), x.end(), y.begin(), [](double number) { return static_cast<T>(number); });
    return y;
}

/// Past keys or values, then the new ones.
std::vector<double> with_past(const case_file& file, const char* past, const char* tensor, const onnx_sizes& s, std::size_t width)
{
    const auto added = by_head(file, tensor, s.batch, s.kv_heads, s.new_keys, width);
    if (s.past == 0) return added;
    const auto before = file.all(past, s.batch * s.kv_heads * s.past * width);
    std::vector<double> x;
    for (std::size_t bh = 0; bh < s.batch * s.kv_heads; ++bh) {
        const auto append = [&](const std::vector<double>& from, std::size_t count) {
            const auto first = from.begin() + static_cast<std::ptrdiff_t>(bh * count);
            x.insert(x.end(), first, first + static_cast<std::ptrdiff_t>(count));
        };
        append(before, s.past * width);
        append(added, s.new_keys * width);
    }
    return x;
}

/// A mask of rank up to 4, whose axes are those of (batch, heads, n, m) from the right. An axis of one number repeats it, but for the
/// last: keys behind its end are masked.
class broadcast_mask {
public:
    broadcast_mask(const case_file& file, const onnx_sizes& s) : numbers_(file.all("attn_mask"))
    {
        const std::vector<std::size_t> shape = file.shape("attn_mask");
        const std::array<std::size_t, 4> full{s.batch, s.q_heads, s.n, s.m};
        bool fits = shape.size() <= 4;
        for (std::size_t axis = 4; fits && axis-- > 4 - shape.size();) {
            extents_[axis] = shape[axis + shape.size() - 4];
            fits = extents_[axis] == 1 || extents_[axis] == full[axis] || (axis == 3 && extents_[axis] < full[axis]);
        }
        if (!fits) throw unusable("attn_mask is not broadcast to (batch, q_heads, q_len, total_len)");
    }

    [[nodiscard]] bool has(std::size_t j) const { return j < extents_[3]; }
    [[nodiscard]] double operator()(std::array<std::size_t, 4> at) const
    {
        std::size_t index = 0;
        for (std::size_t axis = 0; axis < 4; ++axis) index = index * extents_[axis] + (extents_[axis] == 1 ? 0 : at[axis]);
        return numbers_[index];
    }

private:
    std::vector<double> numbers_;
    std::array<std::size_t, 4> extents_{1, 1, 1, 1};
};

/// A window's side: -1 is unbounded.
std::ptrdiff_t side(const case_file& file, const char* name)
{
    const double keys = file.attribute(name, -1);
    return keys < 0 ? hs::unbounded : static_cast<std::ptrdiff_t>(keys);
}

}  // namespace

onnx_sizes::onnx_sizes(const case_file& file)
    : batch(file.size("batch", 1)), q_heads(file.size("q_heads", 1)), kv_heads(file.size("kv_heads", q_heads)),
      n(file.size("q_len", 0)), new_keys(file.size("kv_len", 0)), past(file.size("past_len", 0)), m(past + new_keys),
      d_k(file.size("head_size", 0)), d_v(file.size("v_head_size", d_k))
{
    if (m != file.size("total_len", m)) throw unusable("total_len is not past_len + kv_len");
    if (kv_heads == 0 || q_heads % kv_heads != 0) throw unusable("kv_heads does not divide q_heads");
}

template <class T>
onnx_inputs<T>::onnx_inputs(const case_file& file)
    : file_(file), size_(file), q_(rounded<T>(by_head(file, "Q", size_.batch, size_.q_heads, size_.n, size_.d_k))),
      k_(rounded<T>(with_past(file, "past_key", "K", size_, size_.d_k))),
      v_(rounded<T>(with_past(file, "past_value", "V", size_, size_.d_v))), bias_(heads() * size_.n * size_.m),
      y_(heads() * size_.n * size_.d_v), kept_(std::make_unique<bool[]>(bias_.size())), left_(side(file, "left_window_size")),
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
    const std::size_t b = index / s.q_heads, kv = b * s.kv_heads + index % s.q_heads / (s.q_heads / s.kv_heads);
    const std::size_t matrix = index * s.n * s.m;
    onnx_head<T> head{&q_[index * s.n * s.d_k], &k_[kv * s.m * s.d_k], &v_[kv * s.m * s.d_v], &bias_[matrix], &kept_[matrix],
                      &y_[index * s.n * s.d_v], {}, static_cast<T>(scale_), offsets_[b], left_, right_, keys_[b]};
    for (std::size_t stage = 0; stage < onnx_stages; ++stage) head.scores[stage] = &scores_[stage][matrix];
    return head;
}

template <class T>
bool onnx_inputs<T>::sees(std::size_t head, std::size_t i, std::size_t j) const
{
    const std::size_t b = head / size_.q_heads, at = (head * size_.n + i) * size_.m + j;
    const std::ptrdiff_t distance = static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(i) - offsets_[b];
    return kept_[at] && j < keys_[b] && distance <= right_ && -distance <= left_ && std::isfinite(bias_[at]);
}

/// Of the keys that are seen, in double.
template <class T>
double onnx_inputs<T>::max_abs_score() const
{
    const onnx_sizes& s = size_;
    double largest = 0;
    for (std::size_t head = 0; head < heads(); ++head)
        for (std::size_t i = 0; i < s.n; ++i)
            for (std::size_t j = 0; j < s.m; ++j) {
                if (!sees(head, i, j)) continue;
                const std::size_t kv = head / s.q_heads * s.kv_heads + head % s.q_heads / (s.q_heads / s.kv_heads);
                double score = 0;
                for (std::size_t c = 0; c < s.d_k; ++c)
                    score += static_cast<double>(q_[(head * s.n + i) * s.d_k + c]) * static_cast<double>(k_[(kv * s.m + j) * s.d_k + c]);
                score = score * scale_ + static_cast<double>(bias_[(head * s.n + i) * s.m + j]);
                if (std::isfinite(score)) largest = std::max(largest, std::abs(score));
            }
    return largest;
}

template <class T>
std::vector<check> onnx_inputs<T>::checks() const
{
    const onnx_sizes& s = size_;
    const difficulty d{max_abs_score(), s.m, sizeof(T) == 8};
    const auto doubles = [](const std::vector<T>& x) { return std::vector<double>(x.begin(), x.end()); };
    const auto y_of = [&](const char* tensor) { return by_head(file_, tensor, s.batch, s.q_heads, s.n, s.d_v); };
    std::vector<check> checks{compare("Y", doubles(y_), y_of("Y"), y_of("expected64_Y"), d)};
    if (file_.has("qk_matmul_output")) {
        const std::size_t mode = file_.size("qk_matmul_output_mode", 0);
        if (mode >= onnx_stages) throw unusable("qk_matmul_output_mode = " + std::to_string(mode));
        checks.push_back(compare("qk_matmul_output", doubles(scores_[mode]), file_.all("qk_matmul_output", bias_.size()),
                                 file_.all("expected64_qk_matmul_output", bias_.size()), d));
    }
    if (file_.has("present_key")) checks.push_back(equal("present_key", doubles(k_), file_.all("present_key", k_.size())));
    if (file_.has("present_value")) checks.push_back(equal("present_value", doubles(v_), file_.all("present_value", v_.size())));
    return checks;
}

template class onnx_inputs<float>;
template class onnx_inputs<double>;

}  // namespace conformance
