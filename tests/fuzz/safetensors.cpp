// SPDX-License-Identifier: BSL-1.0
// The reader of safetensors on any bytes: as a file, as the header of a file whose length is right, and as a choice of pieces
// of headers, which soon makes files that are nearly right.
#include "headstrong/import/safetensors.hpp"

#include "require.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace hs = headstrong;
namespace st = hs::safetensors;

using bytes = std::vector<unsigned char>;

void explain_it(const st::error& e)
{
    std::array<char, 300> large;
    std::array<char, 7> small;
    require(st::explain(e, "file", large).size() <= large.size());
    require(st::explain(e, "file", small).size() <= small.size());
    require(e.ok() || !st::explain(e, "file", large).empty());
}

std::string string_of(st::text text)
{
    std::string s;
    st::text::reader reader(text);
    for (int c = reader.next(); c >= 0; c = reader.next()) s.push_back(static_cast<char>(c));
    return s;
}

template <hs::dims D>
void read_layers(const st::file& f, std::string_view prefix)
{
    hs::weights<float, D> w{};
    explain_it(read_weights(f, prefix, w));
    if constexpr (D.d_out == D.d_model) explain_it(read_pytorch_weights(f, prefix, w));
}

void read_all(std::span<const unsigned char> data)
{
    const st::opened opened = st::open(data);
    explain_it(opened.error());
    if (!opened.ok()) return;
    const st::file& f = opened.file();

    std::size_t count = 0, total = 0;
    volatile double used = 0;
    for (const st::tensor t : f) {
        ++count;
        total += t.bytes.size();
        require(t.bytes.empty()
                || (t.bytes.data() >= data.data() && t.bytes.data() + t.bytes.size() <= data.data() + data.size()));
        const std::string name = string_of(t.name);
        const st::found again = f.find(name);
        require(again.ok() && again.tensor().bytes.data() == t.bytes.data());
        for (std::size_t i = 0; i < std::min<std::size_t>(t.size(), 100); ++i) {
            if (st::holds<double>(t.dtype)) used = used + st::value<double>(t, i);
            if (st::holds<float>(t.dtype)) used = used + static_cast<double>(st::value<float>(t, i));
            if (st::holds<std::uint8_t>(t.dtype)) used = used + st::value<std::uint8_t>(t, i);
        }
    }
    require(count == f.size() && total <= data.size());

    st::text text;
    if (f.metadata("a", text)) static_cast<void>(string_of(text));
    hs::matrix<float, 2, 3> x{};
    hs::matrix<double, 3, 1> y{};
    std::array<hs::matrix<float, 1, 2>, 2> z{};
    for (const std::string_view name : {"x", "y", "", "a.w_q"}) {
        explain_it(read(f, name, x));
        explain_it(read_columns(f, name, x));
        explain_it(read(f, name, y));
        explain_it(read(f, name, z));
    }
    read_layers<hs::dims{.d_model = 2, .heads = 1}>(f, "a.");
    read_layers<hs::dims{.d_model = 2, .heads = 2, .biases = hs::bias::all}>(f, "");
}

/// A file with this header, and data behind it.
bytes with_header(std::string_view header, std::size_t data)
{
    bytes out(8);
    for (std::size_t i = 0; i < 8; ++i) out[i] = static_cast<unsigned char>(std::uint64_t{header.size()} >> (8 * i));
    out.insert(out.end(), header.begin(), header.end());
    out.resize(out.size() + data, 0x3f);
    return out;
}

// clang-format off
constexpr std::string_view pieces[] = {
    "{", "}", "[", "]", ",", ":", "\"", " ", "0", "1", "2", "24", "-", ".", "18446744073709551615", "9999999999999999999999", "\\u0061",
    "\\ud83d\\ude00", "\\ud83d", "\\n", "\\", "\xc3\xa9", "\"x\":", "\"y\":", "\"a.w_q\":", "\"a.w_k\":", "\"a.w_v\":", "\"a.w_o\":",
    "\"__metadata__\":", "{\"a\":\"b\"}", "\"dtype\":", "\"F32\"", "\"F64\"", "\"F16\"", "\"BF16\"", "\"U8\"", "\"F4\"", "\"BOOL\"",
    "\"shape\":", "[2,3]", "[2,1]", "[1,2,2]", "[2,2]", "[0]", "[]", "[4294967296,4294967296]", "[1,1,1,1,1,1,1,1,1]",
    "\"data_offsets\":", "[0,24]", "[24,40]", "[40,56]", "[0,16]", "[16,32]", "[32,48]", "[48,64]", "[24,0]",
    R"("x":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]})",
    R"("x":{"dtype":"BF16","shape":[2,3],"data_offsets":[0,12]},"y":{"dtype":"F32","shape":[3],"data_offsets":[12,24]})",
    R"("y":{"dtype":"F64","shape":[3],"data_offsets":[24,48]})",
    R"("a.w_q":{"dtype":"F32","shape":[1,2,2],"data_offsets":[0,16]},"a.w_k":{"dtype":"F32","shape":[1,2,2],"data_offsets":[16,32]})",
    R"("a.w_v":{"dtype":"F32","shape":[1,2,2],"data_offsets":[32,48]},"a.w_o":{"dtype":"F32","shape":[2,2],"data_offsets":[48,64]})",
    R"("a.in_proj_weight":{"dtype":"F32","shape":[6,2],"data_offsets":[0,48]})",
    R"("a.out_proj.weight":{"dtype":"F32","shape":[2,2],"data_offsets":[48,64]})"};
// clang-format on
constexpr std::size_t usual_sizes[] = {0, 24, 64, 48, 16, 12, 40, 8};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < 2) {
        read_all({data, size});
        return 0;
    }
    const std::uint8_t how = data[0];
    const std::size_t behind = data[1] < 192 ? usual_sizes[data[1] % std::size(usual_sizes)] : data[1];
    const std::span<const std::uint8_t> rest{data + 2, size - 2};
    if (how % 4 == 0) {
        const bytes copy(rest.begin(), rest.end());
        read_all(copy);
    } else if (how % 4 == 1) {
        read_all(with_header({reinterpret_cast<const char*>(rest.data()), rest.size()}, behind));
    } else {
        std::string header = how % 4 == 2 ? "{" : "";
        for (const std::uint8_t one : rest) header += pieces[one % std::size(pieces)];
        if (how % 4 == 2) header += "}";
        read_all(with_header(header, behind));
    }
    return 0;
}
