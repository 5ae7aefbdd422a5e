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

    /// An attribute that is a number, or `fallback` where the file has no such attribute.
    [[nodiscard]] double attribute(std::string_view key, double fallback) const;

    /// Throws `unusable` unless e is no error.
    void require(const headstrong::safetensors::error& e) const;

private:
    std::string path_;
    std::vector<unsigned char> bytes_;
    headstrong::safetensors::file tensors_;
};

}  // namespace conformance

#endif
