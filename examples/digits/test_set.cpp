// SPDX-License-Identifier: BSL-1.0
#include "test_set.hpp"

#include <headstrong/import/safetensors.hpp>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

namespace digits {
namespace {

namespace safetensors = headstrong::safetensors;

std::vector<unsigned char> bytes_of(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    if (!in || std::filesystem::is_directory(path)) throw std::runtime_error(path + ": expected a file that can be read");
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

std::unique_ptr<const test_set> read_test_set(const std::string& path)
{
    const auto require = [&](const safetensors::error& e) {
        std::array<char, 500> sentence;
        if (!e.ok()) throw std::runtime_error(std::string(explain(e, path, sentence)));
    };
    const std::vector<unsigned char> bytes = bytes_of(path);
    const safetensors::opened opened = safetensors::open(bytes);
    require(opened.error());

    auto set = std::make_unique<test_set>();
    require(read_columns(opened.file(), "images", set->images));
    require(read(opened.file(), "labels", set->labels));
    require(read_columns(opened.file(), "logits", set->logits));
    return set;
}

}  // namespace digits
