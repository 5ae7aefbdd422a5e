// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_CONFORMANCE_CASE_FILE_HPP
#define HEADSTRONG_TESTS_CONFORMANCE_CASE_FILE_HPP
/// @file
/// One case: a safetensors file with inputs, parameters, results, and attributes.

#include "headstrong/import/file.hpp"

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace conformance {

/// A case that cannot be run: its file is missing, damaged, or not what the index says.
struct unusable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class case_file {
public:
    explicit case_file(const std::string& path);
    case_file(const case_file&) = delete;  // tensors_ refers to bytes_
    case_file& operator=(const case_file&) = delete;

    [[nodiscard]] const headstrong::safetensors::file& tensors() const { return tensors_; }
    [[nodiscard]] bool has(std::string_view tensor) const { return tensors_.find(tensor).ok(); }

    /// The numbers of a tensor (rows, width), the last index running fastest. If `rows` is 1 it may be a tensor (width);
    /// a third extent in front is a batch: as many such tensors behind each other.
    template <class T>
    [[nodiscard]] std::vector<T> numbers(std::string_view tensor, std::size_t rows, std::size_t width) const;

    /// All numbers of a tensor of any type and shape, the last index running fastest; true is 1.
    [[nodiscard]] std::vector<double> all(std::string_view tensor) const;
    /// The same of a tensor that must hold `count` numbers.
    [[nodiscard]] std::vector<double> all(std::string_view tensor, std::size_t count) const;
    [[nodiscard]] std::vector<std::size_t> shape(std::string_view tensor) const;
    [[nodiscard]] bool is_boolean(std::string_view tensor) const;

    /// An attribute that is a number, or `fallback` where the file has no such attribute.
    [[nodiscard]] double attribute(std::string_view key, double fallback) const;
    /// An attribute that is a whole number, not below 0.
    [[nodiscard]] std::size_t size(std::string_view key, std::size_t fallback) const;
    [[nodiscard]] std::string text(std::string_view key) const;

    /// Throws `unusable` unless e is no error.
    void require(const headstrong::safetensors::error& e) const;

private:
    [[nodiscard]] headstrong::safetensors::tensor tensor(std::string_view name) const;

    std::string path_;
    std::vector<unsigned char> bytes_;
    headstrong::safetensors::file tensors_;
};

}  // namespace conformance

#endif
