// SPDX-License-Identifier: BSL-1.0
// The reader of safetensors files: good files, every kind of bad file with its sentence, hostile bytes, constants.
#include "headstrong/import/safetensors.hpp"
#include "headstrong/multi_head.hpp"

#include "safetensors_file.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>

namespace hs = headstrong;
namespace st = hs::safetensors;
using tests::bytes;
using tests::raw_file;
using tests::safetensors_builder;

namespace {

std::string sentence(const st::error& e)
{
    std::array<char, 400> buffer{};
    return std::string(st::explain(e, "f", buffer));
}

/// What `open` says about a file with this header and so many bytes of data.
std::string opening(std::string_view header, std::size_t data = 0)
{
    return sentence(st::open(raw_file(header, bytes(data))).error());
}

const std::string four = R"("dtype":"F32","shape":[1],"data_offsets":[0,4])";

}  // namespace

BOOST_AUTO_TEST_SUITE(good_files)

BOOST_AUTO_TEST_CASE(an_empty_file_has_no_tensors)
{
    for (const char* header :
         {"{}", "{}      ", "{ }", "{}\n\t\r ", R"({"__metadata__":{}})", R"({"__metadata__":{"a":"b","c":""}})"}) {
        const bytes file = raw_file(header);
        const auto opened = st::open(file);
        BOOST_TEST(sentence(opened.error()) == "");
        BOOST_TEST(opened.file().size() == 0u);
        BOOST_TEST(sentence(opened.file().find("a").error()) == "f: tensor a: expected a tensor of this name, found none");
    }
}

BOOST_AUTO_TEST_CASE(tensors_are_found_with_shape_and_bytes)
{
    const bytes file = safetensors_builder()
                           .floats("a", {2, 3})
                           .floats("b", {})
                           .floats("c", {0, 7})
                           .tensor("d", "I64", {1}, bytes(8, 255))
                           .file();
    const auto opened = st::open(file);
    BOOST_REQUIRE(opened.ok());
    BOOST_TEST(opened.file().size() == 4u);
    const st::tensor a = opened.file().find("a").tensor();
    BOOST_TEST((a.dtype == st::dtype::f32 && a.shape == st::shape{2, 3} && a.bytes.size() == 24 && a.size() == 6));
    BOOST_TEST(st::value<float>(a, 5) == -1.75f);
    BOOST_TEST(st::value<double>(a, 5) == -1.75);
    const st::tensor b = opened.file().find("b").tensor();
    BOOST_TEST((b.shape.rank == 0 && st::value<float>(b, 0) == -1.5f));
    BOOST_TEST(opened.file().find("c").tensor().bytes.empty());
    BOOST_TEST(st::value<std::int64_t>(opened.file().find("d").tensor(), 0) == -1);
    std::string names;
    for (const st::tensor& t : opened.file()) {
        std::array<char, 8> name{};
        names += t.name.copy(name);
    }
    BOOST_TEST(names == "abcd");
}

BOOST_AUTO_TEST_CASE(tensors_may_stand_in_any_order)
{
    const bytes file =
        raw_file(R"({"b":{"data_offsets":[4,8],"shape":[1],"dtype":"F32"},"e":{"dtype":"U8","shape":[0],"data_offsets":[4,4]},)"
                 R"("f":{"dtype":"U8","shape":[0],"data_offsets":[4,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                 bytes(8));
    BOOST_TEST(sentence(st::open(file).error()) == "");
}

BOOST_AUTO_TEST_CASE(thousands_of_tensors_in_reverse_order_are_checked)
{
    constexpr int count = 3000;
    const auto header = [](int twice, int gap) {
        std::string h = "{";
        for (int i = count; i-- > 0;) {
            const int begin = i == gap ? i + 1 : i;
            h += "\"t" + std::to_string(i == twice ? i + 2000 : i) + R"(":{"dtype":"U8","shape":[1],"data_offsets":[)"
                 + std::to_string(begin) + "," + std::to_string(begin + 1) + "]}" + (i > 0 ? "," : "}");
        }
        return h;
    };
    BOOST_TEST(opening(header(-1, -1), count) == "");
    BOOST_TEST(opening(header(7, -1), count) == "f: tensor t2007: expected one entry of this name, found it twice");
    BOOST_TEST(
        opening(header(-1, 1234), count)
        == "f: tensor t1234: expected data_offsets that begin at 1236, where the tensor before ends, found [1235, 1236]");
}

BOOST_AUTO_TEST_CASE(names_are_compared_with_escapes_resolved)
{
    const bytes file = raw_file(R"({"a\u0062\n\"\\\/\t\b\f\r":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                                R"("\u00e9\u20ac\ud83d\ude00":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                                bytes(2));
    const auto opened = st::open(file);
    BOOST_TEST(sentence(opened.error()) == "");
    BOOST_TEST(opened.file().find("ab\n\"\\/\t\b\f\r").ok());
    BOOST_TEST(opened.file().find("a", "b\n\"\\/\t\b\f\r").ok());
    BOOST_TEST(!opened.file().find("ab\n\"\\/").ok());
    BOOST_TEST(opened.file().find("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80").ok());
}

BOOST_AUTO_TEST_CASE(metadata_is_read)
{
    const bytes file = raw_file(R"({"__metadata__" : { "format" : "pt", "k": "v" } })");
    st::text value;
    const auto opened = st::open(file);
    BOOST_TEST(opened.file().metadata("k", value));
    BOOST_TEST((value == "v"));
    BOOST_TEST(!opened.file().metadata("x", value));
}

BOOST_AUTO_TEST_CASE(unknown_keys_of_a_tensor_are_skipped)
{
    BOOST_TEST(opening(R"({"a":{"x":[{"y":[]},{},-1.5e+3,true,false,null,"s",[[0]]],)" + four + R"(,"z":0.25}})", 4) == "");
    BOOST_TEST(opening("{\"a\":{\"x\":" + std::string(64, '[') + std::string(64, ']') + "," + four + "}}", 4) == "");
}

BOOST_AUTO_TEST_CASE(bytes_of_std_byte_are_taken)
{
    const bytes file = safetensors_builder().floats("a", {1}).file();
    BOOST_TEST(st::open(std::as_bytes(std::span(file))).file().find("a").ok());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE(bad_files)

BOOST_AUTO_TEST_CASE(the_length_is_checked)
{
    BOOST_TEST(sentence(st::open(bytes{}).error()) == "f: expected at least 8 bytes, found 0 bytes");
    BOOST_TEST(sentence(st::open(bytes(7)).error()) == "f: expected at least 8 bytes, found 7 bytes");
    BOOST_TEST(sentence(st::open(bytes(8)).error()) == "f: header byte 0: expected '{', found the end of the header");
    BOOST_TEST(sentence(st::open(bytes{9, 0, 0, 0, 0, 0, 0, 0, '{', '}'}).error())
               == "f: expected a header of 9 bytes, found 2 bytes");
    BOOST_TEST(sentence(st::open(bytes(8, 255)).error())
               == "f: expected a header of at most 100000000 bytes, found 18446744073709551615 bytes");
}

BOOST_AUTO_TEST_CASE(the_header_is_json_of_the_format)
{
    BOOST_TEST(opening(" {}") == "f: header byte 0: expected '{', found byte 32");
    BOOST_TEST(opening("[]") == "f: header byte 0: expected '{', found '['");
    BOOST_TEST(opening("{") == "f: header byte 1: expected a string, found the end of the header");
    BOOST_TEST(opening("{}x") == "f: header byte 2: expected spaces only behind the last '}', found 'x'");
    BOOST_TEST(opening(std::string_view("{}\0", 3))
               == "f: header byte 2: expected spaces only behind the last '}', found byte 0");
    BOOST_TEST(opening(R"({"a" 1})") == "f: header byte 5: expected ':', found '1'");
    BOOST_TEST(opening(R"({"a":1})") == "f: tensor a: header byte 5: expected '{', found '1'");
    BOOST_TEST(opening(R"({"a":{"dtype":5}})") == "f: tensor a: header byte 14: expected a string, found '5'");
    BOOST_TEST(opening("{\"a\":{" + four + "},}", 4) == "f: header byte 54: expected a string, found '}'");
    BOOST_TEST(opening("{\"a\":{" + four + ",}}", 4) == "f: tensor a: header byte 53: expected a string, found '}'");
    BOOST_TEST(opening("{\"a\":{" + four + "} \"b\"", 4) == "f: header byte 54: expected ',' or '}', found '\"'");
    BOOST_TEST(opening(R"({"__metadata__":{"a":1}})")
               == "f: tensor __metadata__: header byte 21: expected a string, found '1'");
    BOOST_TEST(opening(R"({"__metadata__":[]})") == "f: tensor __metadata__: header byte 16: expected '{', found '['");
    BOOST_TEST(opening(R"({"__metadata__":{"a":"b",}})")
               == "f: tensor __metadata__: header byte 25: expected a string, found '}'");
    BOOST_TEST(opening(R"({"__metadata__":{},"__metadata__":{}})")
               == "f: tensor __metadata__: expected one entry of this name, found it twice");
}

BOOST_AUTO_TEST_CASE(strings_are_valid)
{
    BOOST_TEST(opening("{\"a\nb\":1}") == "f: header byte 3: expected no control character in a string, found byte 10");
    BOOST_TEST(opening("{\"ab") == "f: header byte 4: expected the end of the string, found the end of the header");
    BOOST_TEST(opening(R"({"a\x":1})") == "f: header byte 4: expected an escape, found 'x'");
    BOOST_TEST(opening(R"({"a\u12g4":1})") == "f: header byte 5: expected four hexadecimal digits, found '1'");
    BOOST_TEST(opening(R"({"\u12)") == "f: header byte 4: expected four hexadecimal digits, found '1'");
    for (const char* half :
         {R"({"\ud800":1})", R"({"\udc00":1})", R"({"\ud800x":1})", R"({"\ud800\ud800":1})", R"({"\ud800\n":1})"})
        BOOST_TEST(opening(half).find("expected both halves of a surrogate pair") != std::string::npos);
    for (const char* wrong :
         {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80",
          "\xf5\x80\x80\x80", "\xff", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xe2\x28\xa1"})
        BOOST_TEST(opening("{\"" + std::string(wrong) + "\":1}").find("f: header byte 2: expected UTF-8, found byte ") == 0u);
}

BOOST_AUTO_TEST_CASE(numbers_are_whole_and_small_enough)
{
    const auto shape = [](std::string_view n) { return opening(R"({"a":{"shape":[)" + std::string(n) + "]}}"); };
    const std::string wanted = "expected a whole number from 0 to 18446744073709551615, found ";
    BOOST_TEST(shape("-1") == "f: tensor a: header byte 15: " + wanted + "'-'");
    BOOST_TEST(shape("1.5") == "f: tensor a: header byte 16: " + wanted + "'.'");
    BOOST_TEST(shape("1e3") == "f: tensor a: header byte 16: " + wanted + "'e'");
    BOOST_TEST(shape("007") == "f: tensor a: header byte 18: " + wanted + "']'");
    BOOST_TEST(shape("18446744073709551616") == "f: tensor a: header byte 34: " + wanted + "'6'");
    BOOST_TEST(shape("1,") == "f: tensor a: header byte 17: " + wanted + "']'");
    BOOST_TEST(shape("1 2") == "f: tensor a: header byte 17: expected ',' or ']', found '2'");
    BOOST_TEST(shape("1,2,3,4,5,6,7,8,9") == "f: tensor a: expected at most 8 dimensions, found more");
    BOOST_TEST(opening(R"({"a":{"data_offsets":[0]}})") == "f: tensor a: header byte 23: expected ',', found ']'");
    BOOST_TEST(opening(R"({"a":{"data_offsets":[0,1,2]}})") == "f: tensor a: header byte 25: expected ']', found ','");
}

BOOST_AUTO_TEST_CASE(keys_are_there_once)
{
    BOOST_TEST(opening(R"({"a":{}})") == "f: tensor a: expected the keys dtype, shape and data_offsets, found no dtype");
    BOOST_TEST(opening(R"({"a":{"dtype":"F32","data_offsets":[0,4]}})")
               == "f: tensor a: expected the keys dtype, shape and data_offsets, found no shape");
    BOOST_TEST(opening(R"({"a":{"dtype":"F32","shape":[1]}})")
               == "f: tensor a: expected the keys dtype, shape and data_offsets, found no data_offsets");
    BOOST_TEST(opening("{\"a\":{" + four + R"(,"shape":[1]}})", 4)
               == "f: tensor a: expected the key shape once, found it twice");
    BOOST_TEST(
        opening(
            "{\"a\":{" + four
                + R"(},"b":{"dtype":"U8","shape":[0],"data_offsets":[4,4]},"\u0061":{"dtype":"U8","shape":[0],"data_offsets":[4,4]}})",
            4)
        == "f: tensor \\u0061: expected one entry of this name, found it twice");
    BOOST_TEST(opening(R"({"a":{"dtype":"F33"}})")
               == "f: tensor a: expected a dtype of the format, such as F32, found \"F33\"");
    BOOST_TEST(opening(R"({"a":{"dtype":""}})") == "f: tensor a: expected a dtype of the format, such as F32, found \"\"");
}

BOOST_AUTO_TEST_CASE(sizes_and_offsets_agree)
{
    const auto tensor = [](std::string_view dtype, std::string_view shape, std::string_view offsets, std::size_t data) {
        return opening(R"({"a":{"dtype":")" + std::string(dtype) + R"(","shape":[)" + std::string(shape)
                           + R"(],"data_offsets":[)" + std::string(offsets) + "]}}",
                       data);
    };
    BOOST_TEST(tensor("F32", "2,2", "0,16", 16) == "");
    BOOST_TEST(tensor("F4", "2", "0,1", 1) == "");
    BOOST_TEST(tensor("F32", "2,2", "0,12", 12) == "f: tensor a: expected 16 bytes for F32 (2, 2), found 12 bytes");
    BOOST_TEST(tensor("F32", "2,2", "16,0", 16)
               == "f: tensor a: expected data_offsets [begin, end] with begin <= end, found [16, 0]");
    BOOST_TEST(tensor("F32", "2,2", "0,16", 15)
               == "f: tensor a: expected data_offsets within the 15 bytes of data, found [0, 16]");
    BOOST_TEST(tensor("F32", "2,2", "0,16", 17) == "f: expected data of 16 bytes, where the last tensor ends, found 17 bytes");
    BOOST_TEST(tensor("F32", "2,2", "4,20", 20)
               == "f: tensor a: expected data_offsets that begin at 0, where the tensor before ends, found [4, 20]");
    BOOST_TEST(tensor("F4", "3", "0,1", 1) == "f: tensor a: expected whole bytes, found F4 (3)");
    BOOST_TEST(tensor("I32", "2,18446744073709551614", "0,16", 16)
               == "f: tensor a: expected a size below 2^64 bits, found I32 (2, 18446744073709551614)");
    BOOST_TEST(tensor("I32", "4611686018427387904", "0,0", 0)
               == "f: tensor a: expected a size below 2^64 bits, found I32 (4611686018427387904)");
    BOOST_TEST(tensor("I32", "0,18446744073709551615", "0,0", 0) == "");
    BOOST_TEST(
        tensor("U8", "", "18446744073709551614,18446744073709551615", 1)
        == "f: tensor a: expected data_offsets within the 1 bytes of data, found [18446744073709551614, 18446744073709551615]");
}

BOOST_AUTO_TEST_CASE(tensors_neither_overlap_nor_leave_gaps)
{
    const auto two = [](std::string_view first, std::string_view second, std::size_t data) {
        const auto one = [](std::string_view offsets) {
            return R"({"dtype":"U8","shape":[2],"data_offsets":[)" + std::string(offsets) + "]}";
        };
        return opening("{\"a\":" + one(first) + ",\"b\":" + one(second) + "}", data);
    };
    BOOST_TEST(two("0,2", "2,4", 4) == "");
    BOOST_TEST(two("2,4", "0,2", 4) == "");
    BOOST_TEST(two("0,2", "1,3", 3)
               == "f: tensor b: expected data_offsets that begin at 2, where the tensor before ends, found [1, 3]");
    BOOST_TEST(two("3,5", "0,2", 5)
               == "f: tensor a: expected data_offsets that begin at 2, where the tensor before ends, found [3, 5]");
    BOOST_TEST(two("0,2", "0,2", 2)
               == "f: tensor b: expected data_offsets that begin at 2, where the tensor before ends, found [0, 2]");
    BOOST_TEST(
        opening(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[0],"data_offsets":[1,1]}})",
                2)
        == "f: tensor b: expected data_offsets that begin at 2, where the tensor before ends, found [1, 1]");
}

BOOST_AUTO_TEST_CASE(a_sentence_that_does_not_fit_is_cut_off)
{
    const auto opened = st::open(bytes(7));
    std::array<char, 10> buffer{};
    BOOST_TEST(st::explain(opened.error(), "f", buffer) == "f: expecte");
    BOOST_TEST(st::explain(opened.error(), "f", {}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE(hostile_bytes)

BOOST_AUTO_TEST_CASE(nesting_costs_no_stack)
{
    for (const char* open : {"[", "{\"x\":", "[{\"x\":"}) {
        std::string header = R"({"a":{"x":)";
        while (header.size() < 10'000'000) header += open;
        BOOST_TEST(opening(header).find("expected values nested at most 64 deep") != std::string::npos);
    }
    BOOST_TEST(opening(std::string(1'000'000, '{')).find("expected a string, found '{'") != std::string::npos);
    BOOST_TEST(opening("{\"a\":{\"x\":" + std::string(64, '[') + "]}")
               == "f: tensor a: header byte 75: expected ',' or ']', found '}'");
    BOOST_TEST(opening(R"({"a":{"x":{1}})") == "f: tensor a: header byte 11: expected a string, found '1'");
    BOOST_TEST(opening(R"({"a":{"x":-}})") == "f: tensor a: header byte 11: expected a value, found '}'");
    BOOST_TEST(opening(R"({"a":{"x":01}})")
               == "f: tensor a: header byte 12: expected a number without leading zeros, found '}'");
    BOOST_TEST(opening(R"({"a":{"x":nul}})") == "f: tensor a: header byte 13: expected a value, found '}'");
}

const bytes& small_file()
{
    static const bytes file = [] {
        bytes out = safetensors_builder()
                        .floats("a\\u0041\\ud83d\\ude00", {2, 3})
                        .floats("b", {1})
                        .tensor("c", "F16", {2}, bytes(4))
                        .file();
        const std::string extra =
            R"("m":{"x":[{"y":-1.5e3},null],"dtype":"U8","shape":[0],"data_offsets":[0,0]},"__metadata__":{"k":"v"},)";
        out.insert(out.begin() + 9, extra.begin(), extra.end());
        const std::size_t length = out[0] + 256u * out[1] + extra.size();
        out[0] = static_cast<unsigned char>(length);
        out[1] = static_cast<unsigned char>(length >> 8);
        return out;
    }();
    return file;
}

/// Opens a copy of exactly these bytes (so that a sanitizer sees a read behind them) and uses all that it can.
bool open_and_use(std::span<const unsigned char> contents)
{
    const bytes copy(contents.begin(), contents.end());
    const auto opened = st::open(copy);
    BOOST_TEST(opened.ok() == sentence(opened.error()).empty());
    std::size_t sum = 0;
    for (const st::tensor& t : opened.file()) {
        for (const unsigned char b : t.bytes) sum += b;
        for (std::size_t i = 0; st::holds<float>(t.dtype) && i < t.size(); ++i)
            sum += std::isnan(st::value<float>(t, i)) ? 1u : 0u;
    }
    st::text value;
    sum += opened.file().metadata("k", value) ? 1u : 0u;
    volatile std::size_t used = sum;
    (void)used;
    return opened.ok();
}

BOOST_AUTO_TEST_CASE(every_truncation_is_an_error)
{
    BOOST_TEST(open_and_use(small_file()));
    for (std::size_t size = 0; size < small_file().size(); ++size)
        BOOST_TEST(!open_and_use(std::span(small_file()).first(size)));
    for (std::size_t header = 0; header < small_file().size() - 9; ++header) {  // the header's length cut instead
        bytes file = small_file();
        file[0] = static_cast<unsigned char>(header);
        file[1] = static_cast<unsigned char>(header >> 8);
        const bool same = std::equal(file.begin(), file.end(), small_file().begin());
        BOOST_TEST(open_and_use(file) == same);
    }
}

BOOST_AUTO_TEST_CASE(mutated_bytes_never_crash)
{
    std::mt19937 random(1);
    constexpr std::string_view favourites = "\"\\{}[]:,0129-.eEu \x80\xc3\xe2\xf0\xff";
    for (int round = 0; round < 60'000; ++round) {
        bytes file = small_file();
        const std::size_t header = file.size() - 32;
        for (unsigned changes = 1 + random() % 4; changes-- > 0;) {
            unsigned char& b = file[random() % (random() % 8 == 0 ? file.size() : header)];
            b = random() % 2 == 0 ? static_cast<unsigned char>(favourites[random() % favourites.size()])
                                  : static_cast<unsigned char>(random());
        }
        open_and_use(file);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE(numbers)

template <class T>
T first_value(std::string_view dtype, const bytes& data)
{
    const bytes file = safetensors_builder().tensor("a", dtype, {1}, data).file();
    return st::value<T>(st::open(file).file().find("a").tensor(), 0);
}

BOOST_AUTO_TEST_CASE(every_half_is_widened_exactly)
{
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const float f = st::detail::from_half(static_cast<std::uint16_t>(bits));
        const int exponent = static_cast<int>((bits >> 10) & 31);
        const auto fraction = static_cast<double>(bits & 1023);
        double expected = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
        if (exponent == 31)
            expected = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
        if (std::isnan(expected) ? !std::isnan(f) : static_cast<double>(std::fabs(f)) != expected) BOOST_ERROR("half " << bits);
        if ((std::bit_cast<std::uint32_t>(f) >> 31) != (bits >> 15)) BOOST_ERROR("sign of half " << bits);
    }
}

BOOST_AUTO_TEST_CASE(each_type_of_number_is_read)
{
    BOOST_TEST(first_value<float>("F16", {0x00, 0xbc}) == -1.0f);
    BOOST_TEST(first_value<double>("BF16", {0x80, 0x3f}) == 1.0);
    BOOST_TEST(first_value<double>("F64", {0, 0, 0, 0, 0, 0, 0xf8, 0xbf}) == -1.5);
    BOOST_TEST(std::bit_cast<std::uint32_t>(first_value<float>("F32", {1, 0, 0, 0x80})) == 0x80000001u);
    BOOST_TEST(first_value<std::int64_t>("I64", {0xfe, 255, 255, 255, 255, 255, 255, 255}) == -2);
    BOOST_TEST(first_value<std::int64_t>("U32", {255, 255, 255, 255}) == 0xffffffff);
    BOOST_TEST(first_value<std::int32_t>("I32", {255, 255, 255, 255}) == -1);
    BOOST_TEST(first_value<int>("I16", {0, 0x80}) == -32768);
    BOOST_TEST(first_value<int>("U16", {0, 0x80}) == 32768);
    BOOST_TEST(first_value<int>("I8", {0x80}) == -128);
    BOOST_TEST(first_value<unsigned>("U8", {0x80}) == 128u);
    BOOST_TEST(first_value<bool>("BOOL", {1}));
    BOOST_TEST((st::holds<float>(st::dtype::bf16) && !st::holds<float>(st::dtype::f64) && !st::holds<float>(st::dtype::i32)));
    BOOST_TEST((st::holds<std::int32_t>(st::dtype::u16) && !st::holds<std::int32_t>(st::dtype::u32)
                && !st::holds<bool>(st::dtype::u8)));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE(matrices)

BOOST_AUTO_TEST_CASE(a_row_major_tensor_fills_a_column_major_matrix)
{
    const bytes file = safetensors_builder().floats("w", {2, 3}).floats("heads", {2, 2, 1}).floats("b", {3}).file();
    const st::file f = st::open(file).file();
    hs::matrix<float, 2, 3> w{};
    BOOST_TEST(sentence(st::read(f, "w", w)) == "");
    BOOST_TEST((w == hs::matrix<float, 2, 3>{-3.0f, -2.25f, -2.75f, -2.0f, -2.5f, -1.75f}));
    hs::matrix<double, 3, 2> x{};
    BOOST_TEST(sentence(st::read_columns(f, "w", x)) == "");
    BOOST_TEST((x == hs::matrix<double, 3, 2>{-3, -2.75, -2.5, -2.25, -2, -1.75}));
    std::array<hs::matrix<float, 2, 1>, 2> heads{};
    BOOST_TEST(sentence(st::read(f, "heads", heads)) == "");
    BOOST_TEST((heads[1] == hs::matrix<float, 2, 1>{-1.0f, -0.75f}));
    hs::matrix<float, 3, 1> b{};
    BOOST_TEST(sentence(st::read(f, "b", b)) == "");
    BOOST_TEST(b(2, 0) == 0.0f);
}

BOOST_AUTO_TEST_CASE(a_wrong_tensor_leaves_the_target_untouched)
{
    const bytes file = safetensors_builder().floats("w", {2, 3}).tensor("d", "F64", {1, 1}, bytes(8)).file();
    const st::file f = st::open(file).file();
    hs::matrix<float, 3, 2> w{1, 2, 3, 4, 5, 6};
    const auto before = w;
    BOOST_TEST(sentence(st::read(f, "w", w)) == "f: tensor w: expected F32 (3, 2), found F32 (2, 3)");
    BOOST_TEST(sentence(st::read(f, "x", w)) == "f: tensor x: expected F32 (3, 2), found none");
    BOOST_TEST(sentence(st::read_columns(f, "x", w)) == "f: tensor x: expected F32 (2, 3), found none");
    BOOST_TEST((w == before));
    hs::matrix<float, 1, 1> one{7};
    BOOST_TEST(sentence(st::read(f, "d", one)) == "f: tensor d: expected F32 (1, 1), found F64 (1, 1)");
    BOOST_TEST(one(0, 0) == 7);
    std::array<hs::matrix<float, 3, 1>, 2> heads{};
    BOOST_TEST(sentence(st::read(f, "w", heads)) == "f: tensor w: expected F32 (2, 3, 1), found F32 (2, 3)");
    BOOST_TEST(sentence(st::read(f, "y", heads)) == "f: tensor y: expected F32 (2, 3, 1), found none");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE(layers)

constexpr hs::dims grouped{
    .d_model = 4, .heads = 2, .d_k = 3, .d_v = 2, .d_key = 5, .d_value = 6, .d_out = 7, .kv_heads = 1, .biases = hs::bias::all};

safetensors_builder grouped_layer()
{
    safetensors_builder b;
    b.floats("l.w_q", {2, 3, 4}).floats("l.w_k", {1, 3, 5}).floats("l.w_v", {1, 2, 6}).floats("l.w_o", {7, 4});
    b.floats("l.b_q", {2, 3}).floats("l.b_k", {1, 3}).floats("l.b_v", {1, 2}).floats("l.b_o", {7});
    return b;
}

BOOST_AUTO_TEST_CASE(all_weights_of_a_layer_are_read)
{
    const bytes file = grouped_layer().file();
    const st::file f = st::open(file).file();
    hs::weights<float, grouped> w{};
    BOOST_TEST(sentence(st::read_weights(f, "l.", w)) == "");
    const auto number = [&](std::string_view name, std::size_t i) { return st::value<float>(f.find("l.", name).tensor(), i); };
    for (std::size_t h = 0; h < 2; ++h)
        for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t j = 0; j < 4; ++j) BOOST_TEST(w.w_q[h](r, j) == number("w_q", (h * 3 + r) * 4 + j));
    for (std::size_t h = 0; h < 2; ++h)
        for (std::size_t r = 0; r < 7; ++r)
            for (std::size_t j = 0; j < 2; ++j) BOOST_TEST(w.w_o[h](r, j) == number("w_o", r * 4 + h * 2 + j));
    BOOST_TEST(w.w_k[0](2, 4) == number("w_k", 14));
    BOOST_TEST(w.w_v[0](1, 0) == number("w_v", 6));
    BOOST_TEST(w.b_q[1](2, 0) == number("b_q", 5));
    BOOST_TEST(w.b_k[0](1, 0) == number("b_k", 1));
    BOOST_TEST(w.b_v[0](1, 0) == number("b_v", 1));
    BOOST_TEST(w.b_o(6, 0) == number("b_o", 6));
}

BOOST_AUTO_TEST_CASE(a_layer_that_does_not_fit_writes_nothing)
{
    const bytes file = grouped_layer().file();
    const st::file f = st::open(file).file();
    constexpr auto with = [](hs::bias b) {
        hs::dims d = grouped;
        d.biases = b;
        return d;
    };
    hs::weights<float, with(hs::bias::q | hs::bias::k | hs::bias::v)> less{};
    less.w_q[0](0, 0) = 42;
    BOOST_TEST(sentence(st::read_weights(f, "l.", less))
               == "f: tensor l.b_o: expected none, since dims::biases does not name it, found F32 (7)");
    BOOST_TEST(less.w_q[0](0, 0) == 42);
    hs::weights<float, hs::dims{.d_model = 4, .heads = 2, .d_k = 4}> other{};
    other.w_q[0](0, 0) = 42;
    BOOST_TEST(sentence(st::read_weights(f, "l.", other)) == "f: tensor l.w_q: expected F32 (2, 4, 4), found F32 (2, 3, 4)");
    BOOST_TEST(sentence(st::read_weights(f, "m.", other)) == "f: tensor m.w_q: expected F32 (2, 4, 4), found none");
    BOOST_TEST(other.w_q[0](0, 0) == 42);
}

constexpr hs::dims torch_plain{.d_model = 4, .heads = 2};
constexpr hs::dims torch_biased{.d_model = 4, .heads = 2, .biases = hs::bias::all};
constexpr hs::dims torch_wide{.d_model = 4, .heads = 2, .d_key = 3, .d_value = 5};

BOOST_AUTO_TEST_CASE(a_state_of_pytorch_is_read)
{
    const bytes file = safetensors_builder()
                           .floats("a.in_proj_weight", {12, 4})
                           .floats("a.in_proj_bias", {12})
                           .floats("a.out_proj.weight", {4, 4})
                           .floats("a.out_proj.bias", {4})
                           .file();
    const st::file f = st::open(file).file();
    const auto number = [&](std::string_view name, std::size_t i) { return st::value<float>(f.find("a.", name).tensor(), i); };
    hs::weights<float, torch_biased> w{};
    BOOST_TEST(sentence(st::read_pytorch_weights(f, "a.", w)) == "");
    BOOST_TEST(w.w_q[1](0, 3) == number("in_proj_weight", 2 * 4 + 3));
    BOOST_TEST(w.w_k[0](1, 2) == number("in_proj_weight", 5 * 4 + 2));
    BOOST_TEST(w.w_v[1](1, 0) == number("in_proj_weight", 11 * 4));
    BOOST_TEST(w.w_o[1](3, 0) == number("out_proj.weight", 3 * 4 + 2));
    BOOST_TEST(w.b_q[1](1, 0) == number("in_proj_bias", 3));
    BOOST_TEST(w.b_k[0](0, 0) == number("in_proj_bias", 4));
    BOOST_TEST(w.b_v[1](0, 0) == number("in_proj_bias", 10));
    BOOST_TEST(w.b_o(2, 0) == number("out_proj.bias", 2));
    hs::weights<float, torch_plain> plain{};
    BOOST_TEST(sentence(st::read_pytorch_weights(f, "a.", plain))
               == "f: tensor a.in_proj_bias: expected none, since dims::biases does not name it, found F32 (12)");
}

BOOST_AUTO_TEST_CASE(a_state_of_pytorch_with_own_widths_is_read)
{
    const bytes file = safetensors_builder()
                           .floats("q_proj_weight", {4, 4})
                           .floats("k_proj_weight", {4, 3})
                           .floats("v_proj_weight", {4, 5})
                           .floats("out_proj_weight", {4, 4})
                           .file();
    const st::file f = st::open(file).file();
    const auto number = [&](std::string_view name, std::size_t i) { return st::value<float>(f.find(name).tensor(), i); };
    hs::weights<float, torch_wide> w{};
    BOOST_TEST(sentence(st::read_pytorch_weights(f, "", w)) == "");
    BOOST_TEST(w.w_k[1](0, 2) == number("k_proj_weight", 2 * 3 + 2));
    BOOST_TEST(w.w_v[1](1, 4) == number("v_proj_weight", 3 * 5 + 4));
    BOOST_TEST(w.w_o[0](1, 1) == number("out_proj_weight", 5));
    hs::weights<float, torch_plain> plain{};
    BOOST_TEST(sentence(st::read_pytorch_weights(f, "", plain))
               == "f: tensor k_proj_weight: expected F32 (4, 4), found F32 (4, 3)");
    BOOST_TEST(sentence(st::read_pytorch_weights(f, "x.", plain))
               == "f: tensor x.in_proj_weight: expected F32 (12, 4), found none");
    const bytes more = safetensors_builder()
                           .floats("in_proj_weight", {12, 4})
                           .floats("out_proj.weight", {4, 4})
                           .floats("bias_k", {1, 1, 4})
                           .file();
    BOOST_TEST(
        sentence(st::read_pytorch_weights(st::open(more).file(), "", plain))
        == "f: tensor bias_k: expected none: the layer has no place for the additional key of add_bias_kv, found F32 (1, 1, "
           "4)");
}

BOOST_AUTO_TEST_CASE(the_additional_key_of_pytorch_goes_to_the_appended_token_of_each_head)
{
    using layer = hs::multi_head<float, torch_plain, hs::scaled_dot, hs::appended_zero, hs::appended_token<float, 2, 2>>;
    const auto with = [](safetensors_builder b) {
        return b.floats("in_proj_weight", {12, 4}).floats("out_proj_weight", {4, 4});
    };
    const bytes file = with({}).floats("bias_k", {1, 1, 4}).floats("bias_v", {4}).file();
    const st::file f = st::open(file).file();
    const auto number = [&](std::string_view name, std::size_t i) { return st::value<float>(f.find(name).tensor(), i); };
    layer::weights_type w{};
    BOOST_TEST(sentence(st::read_pytorch_weights(f, "", w)) == "");
    for (std::size_t h = 0; h < 2; ++h)
        for (std::size_t r = 0; r < 2; ++r) {
            BOOST_TEST(w.kinds[h].key(r, 0) == number("bias_k", 2 * h + r));
            BOOST_TEST(w.kinds[h].value(r, 0) == number("bias_v", 2 * h + r));
        }
    const bytes less = with({}).floats("bias_k", {4}).file();
    BOOST_TEST(sentence(st::read_pytorch_weights(st::open(less).file(), "", w))
               == "f: tensor bias_v: expected F32 (1, 1, 4), found none");
    const bytes wide = with({}).floats("bias_k", {1, 1, 5}).floats("bias_v", {4}).file();
    BOOST_TEST(sentence(st::read_pytorch_weights(st::open(wide).file(), "", w))
               == "f: tensor bias_k: expected F32 (1, 1, 4), found F32 (1, 1, 5)");
}

BOOST_AUTO_TEST_SUITE_END()

// The same in constant expressions, where the compiler also refuses any read outside the bytes.
namespace constants {

constexpr auto good = tests::constant_file<24>(
    R"({"__metadata__":{"a":"b"},"w":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},"h":{"dtype":"F16","shape":[4,1],"data_offsets":[16,24]}})",
    {0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64, 0, 0, 128, 64, 0, 0x3c, 0, 0xbc, 1, 0, 0, 0x7c});
constexpr auto opened = st::open(good);
static_assert(opened.ok() && opened.file().size() == 2 && opened.file().find("w").ok());

constexpr auto w = [] {
    hs::matrix<float, 2, 2> m{};
    return st::read(opened.file(), "w", m).ok() ? m : hs::matrix<float, 2, 2>{};
}();
static_assert(w == hs::matrix<float, 2, 2>{1, 3, 2, 4});
static_assert(st::value<float>(opened.file().find("h").tensor(), 2) == 0x1p-24f);

constexpr bool says(const st::error& e, std::string_view expected)
{
    std::array<char, 200> buffer{};
    return st::explain(e, "digits.safetensors", buffer) == expected;
}

constexpr auto wrong = [] {
    std::array<hs::matrix<float, 2, 2>, 3> heads{};
    return st::read(opened.file(), "w", heads);
}();
constexpr auto missing_pixels = [] {
    hs::matrix<std::uint8_t, 4, 3> pixels{};
    return st::read(opened.file(), "pixels", pixels);
}();
static_assert(says(missing_pixels, "digits.safetensors: tensor pixels: expected U8 (4, 3), found none"));
static_assert(says(wrong, "digits.safetensors: tensor w: expected F32 (3, 2, 2), found F32 (2, 2)"));
static_assert(wrong.what == st::fault::wrong_tensor);
static_assert(says(opened.file().find("att1.", "w_q").error(),
                   "digits.safetensors: tensor att1.w_q: expected a tensor of this name, found none"));

constexpr auto deep = tests::constant_file(R"({"a":{"x":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[)");
static_assert(says(st::open(deep).error(),
                   "digits.safetensors: tensor a: header byte 74: expected values nested at most 64 deep, found '['"));
constexpr auto cut = tests::constant_file<3>(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", {1, 2, 3});
static_assert(says(st::open(cut).error(),
                   "digits.safetensors: tensor a: expected data_offsets within the 3 bytes of data, found [0, 4]"));
constexpr auto overlapping = tests::constant_file<4>(
    R"({"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]},"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})",
    {1, 2, 3, 4});
static_assert(
    says(st::open(overlapping).error(),
         "digits.safetensors: tensor b: expected data_offsets that begin at 2, where the tensor before ends, found [1, 3]"));

}  // namespace constants
