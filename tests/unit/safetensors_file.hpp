// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_UNIT_SAFETENSORS_FILE_HPP
#define HEADSTRONG_TESTS_UNIT_SAFETENSORS_FILE_HPP
/// @file
/// Small safetensors files for tests: from a header as text, or tensor by tensor.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tests {

using bytes = std::vector<unsigned char>;

/// The header's length, the header as it is given, then the data.
inline bytes raw_file(std::string_view header, const bytes& data = {})
{
    bytes out(8);
    for (std::size_t i = 0; i < 8; ++i) out[i] = static_cast<unsigned char>(std::uint64_t{header.size()} >> (8 * i));
    for (const char c : header) out.push_back(static_cast<unsigned char>(c));
    out.insert(out.end(), data.begin(), data.end());
    return out;
}

/// The same in a constant expression.
template <std::size_t DataSize = 0, std::size_t N>
constexpr std::array<unsigned char, 8 + N - 1 + DataSize> constant_file(const char (&header)[N],
                                                                        const std::array<unsigned char, DataSize>& data = {})
{
    std::array<unsigned char, 8 + N - 1 + DataSize> out{};
    for (std::size_t i = 0; i < 8; ++i) out[i] = static_cast<unsigned char>(std::uint64_t{N - 1} >> (8 * i));
    for (std::size_t i = 0; i + 1 < N; ++i) out[8 + i] = static_cast<unsigned char>(header[i]);
    for (std::size_t i = 0; i < DataSize; ++i) out[8 + N - 1 + i] = data[i];
    return out;
}

/// Collects tensors and writes the file.
class safetensors_builder {
public:
    safetensors_builder& tensor(std::string_view name, std::string_view dtype, const std::vector<std::size_t>& shape,
                                const bytes& data)
    {
        header_ += header_.empty() ? "{" : ",";
        header_ += "\"" + std::string(name) + "\":{\"dtype\":\"" + std::string(dtype) + "\",\"shape\":[";
        for (std::size_t i = 0; i < shape.size(); ++i) header_ += (i > 0 ? "," : "") + std::to_string(shape[i]);
        header_ +=
            "],\"data_offsets\":[" + std::to_string(data_.size()) + "," + std::to_string(data_.size() + data.size()) + "]}";
        data_.insert(data_.end(), data.begin(), data.end());
        return *this;
    }

    /// Numbers next, next + 1/4, ... so that every element of a file is different, and exact in half precision if few.
    safetensors_builder& floats(std::string_view name, const std::vector<std::size_t>& shape)
    {
        std::size_t count = 1;
        for (const std::size_t extent : shape) count *= extent;
        bytes data;
        for (std::size_t i = 0; i < count; ++i, next_ += 0.25f) put(data, next_);
        return tensor(name, "F32", shape, data);
    }

    static void put(bytes& data, float x)
    {
        const auto bits = std::bit_cast<std::uint32_t>(x);
        for (unsigned i = 0; i < 4; ++i) data.push_back(static_cast<unsigned char>(bits >> (8 * i)));
    }

    bytes file() const
    {
        std::string header = header_.empty() ? "{}" : header_ + "}";
        header.resize((header.size() + 7) / 8 * 8, ' ');
        return raw_file(header, data_);
    }

private:
    std::string header_;
    bytes data_;
    float next_ = -3.0f;
};

}  // namespace tests

#endif
