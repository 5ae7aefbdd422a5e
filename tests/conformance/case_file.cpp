// SPDX-License-Identifier: BSL-1.0
#include "case_file.hpp"

#include "headstrong/import/error.hpp"
#include "headstrong/import/values.hpp"

#include <array>
#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace conformance {
namespace st = headstrong::safetensors;
namespace {

std::vector<unsigned char> bytes_of(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    if (!in) throw unusable("cannot open " + path);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The shape that a tensor of the rank of `found` must have.
st::shape expected_shape(const st::shape& found, std::size_t rows, std::size_t width)
{
    if (found.rank == 3) return {found[0], rows, width};
    if (found.rank == 1 && rows == 1) return {width};
    return {rows, width};
}

double number(const st::tensor& t, std::size_t i)
{
    if (t.dtype == st::dtype::boolean) return st::value<bool>(t, i) ? 1 : 0;
    if (st::holds<double>(t.dtype)) return st::value<double>(t, i);
    return static_cast<double>(st::value<std::int64_t>(t, i));
}

bool is_number(st::dtype d) { return d == st::dtype::boolean || st::holds<double>(d) || st::holds<std::int64_t>(d); }

}  // namespace

case_file::case_file(const std::string& path) : path_(path), bytes_(bytes_of(path))
{
    const st::opened opened = st::open(bytes_);
    require(opened.error());
    tensors_ = opened.file();
}

void case_file::require(const st::error& e) const
{
    std::array<char, 512> buffer;
    if (!e.ok()) throw unusable(std::string(st::explain(e, path_, buffer)));
}

template <class T>
std::vector<T> case_file::numbers(std::string_view tensor, std::size_t rows, std::size_t width) const
{
    const st::found found = tensors_.find(tensor);
    require(found.error());
    const st::tensor& t = found.tensor();
    const st::shape expected = expected_shape(t.shape, rows, width);
    if (!st::holds<T>(t.dtype) || !(t.shape == expected)) {
        st::error wrong;
        wrong.what = st::fault::wrong_tensor;
        wrong.name = t.name;
        wrong.expected_dtype = std::same_as<T, float> ? st::dtype::f32 : st::dtype::f64;
        wrong.expected_shape = expected;
        wrong.found_dtype = t.dtype;
        wrong.found_shape = t.shape;
        require(wrong);
    }
    std::vector<T> numbers(t.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = st::value<T>(t, i);
    return numbers;
}

template std::vector<float> case_file::numbers<float>(std::string_view, std::size_t, std::size_t) const;
template std::vector<double> case_file::numbers<double>(std::string_view, std::size_t, std::size_t) const;

st::tensor case_file::tensor(std::string_view name) const
{
    const st::found found = tensors_.find(name);
    require(found.error());
    return found.tensor();
}

std::vector<double> case_file::all(std::string_view tensor) const
{
    const st::tensor t = this->tensor(tensor);
    if (!is_number(t.dtype)) throw unusable(std::string(tensor) + " has numbers of type " + std::string(st::name_of(t.dtype)));
    std::vector<double> numbers(t.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = number(t, i);
    return numbers;
}

std::vector<double> case_file::all(std::string_view tensor, std::size_t count) const
{
    std::vector<double> numbers = all(tensor);
    if (numbers.size() != count)
        throw unusable(std::string(tensor) + " has " + std::to_string(numbers.size()) + " numbers, expected "
                       + std::to_string(count));
    return numbers;
}

std::vector<std::size_t> case_file::shape(std::string_view tensor) const
{
    const st::shape s = this->tensor(tensor).shape;
    return {s.extents, s.extents + s.rank};
}

bool case_file::is_boolean(std::string_view tensor) const { return this->tensor(tensor).dtype == st::dtype::boolean; }

std::string case_file::text(std::string_view key) const
{
    st::text text;
    if (!tensors_.metadata(key, text)) return {};
    std::array<char, 256> buffer;
    return std::string(text.copy(buffer));
}

double case_file::attribute(std::string_view key, double fallback) const
{
    const std::string number = text(key);
    return number.empty() ? fallback : std::strtod(number.c_str(), nullptr);
}

std::size_t case_file::size(std::string_view key, std::size_t fallback) const
{
    const double number = attribute(key, static_cast<double>(fallback));
    if (!(number >= 0 && number < 1e9)) throw unusable(std::string(key) + " = " + text(key));
    return static_cast<std::size_t>(number);
}

}  // namespace conformance
