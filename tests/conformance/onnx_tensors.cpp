// SPDX-License-Identifier: BSL-1.0
#include "onnx_tensors.hpp"

#include <algorithm>

namespace conformance {

onnx_sizes::onnx_sizes(const case_file& file)
    : batch(file.size("batch", 1)),
      q_heads(file.size("q_heads", 1)),
      kv_heads(file.size("kv_heads", q_heads)),
      n(file.size("q_len", 0)),
      new_keys(file.size("kv_len", 0)),
      past(file.size("past_len", 0)),
      m(past + new_keys),
      d_k(file.size("head_size", 0)),
      d_v(file.size("v_head_size", d_k))
{
    if (m != file.size("total_len", m)) throw unusable("total_len is not past_len + kv_len");
    if (kv_heads == 0 || q_heads % kv_heads != 0) throw unusable("kv_heads does not divide q_heads");
}

std::vector<double> by_head(const case_file& file, const std::string& tensor, std::size_t batch, std::size_t heads,
                            std::size_t tokens, std::size_t width)
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

std::vector<double> with_past(const case_file& file, const std::string& past, const std::string& tensor, const onnx_sizes& s,
                              std::size_t width)
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

broadcast_mask::broadcast_mask(const case_file& file, const onnx_sizes& s) : numbers_(file.all("attn_mask"))
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

double broadcast_mask::operator()(const std::array<std::size_t, 4>& at) const
{
    std::size_t index = 0;
    for (std::size_t axis = 0; axis < 4; ++axis) index = index * extents_[axis] + (extents_[axis] == 1 ? 0 : at[axis]);
    return numbers_[index];
}

}  // namespace conformance
