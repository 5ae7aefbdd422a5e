// SPDX-License-Identifier: BSL-1.0
#include "emit.hpp"

#include "failure.hpp"
#include "layer.hpp"
#include "literal.hpp"

#include "headstrong/import/values.hpp"

#include <cctype>
#include <cstdint>
#include <variant>

namespace embed {
namespace {

namespace hs = headstrong;
namespace st = headstrong::safetensors;

/// "{a, b, ...}", eight numbers a line; number i is number(i).
template <class Number>
std::string braces(std::size_t count, Number number)
{
    std::string out = "{";
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) out += i % 8 == 0 ? ",\n    " : ", ";
        out += literal(number(i));
    }
    return out + "}";
}

/// A matrix, or an array of them if `heads` is not 0; number (r, j) of matrix h is number(h, r, j).
template <class T, class Number>
std::string matrix_value(std::size_t heads, std::size_t rows, std::size_t columns, Number number)
{
    std::string out = heads > 0 ? "{{" : "";
    for (std::size_t h = 0; h < (heads > 0 ? heads : 1); ++h)
        out += (h > 0 ? ",\n    {" : "{") + braces(rows * columns, [&](std::size_t i) { return number(h, i % rows, i / rows); })
               + "}";
    return out + (heads > 0 ? "}}" : "");
}

template <class T>
std::string matrix_type(std::size_t heads, std::size_t rows, std::size_t columns)
{
    const std::string one =
        "headstrong::matrix<" + type_name<T>() + ", " + std::to_string(rows) + ", " + std::to_string(columns) + ">";
    return heads > 0 ? "std::array<" + one + ", " + std::to_string(heads) + ">" : one;
}

/// A tensor of up to three axes: a number, a column, a matrix, an array of matrices.
template <class T>
std::string plain(const st::tensor& t, const item& i, const std::string& file)
{
    const std::size_t rank = t.shape.rank;
    const std::string start = "inline constexpr ";
    if (rank == 0) return start + type_name<T>() + " " + i.name + " = " + literal(st::value<T>(t, 0)) + ";\n";
    if (rank > 3 || t.size() == 0)
        throw failure(file + ": tensor " + i.source + ": expected one to three axes of at least 1, found "
                      + (rank > 3 ? std::to_string(rank) + " axes" : "an axis of 0"));
    const bool tokens = i.kind == kind::columns || rank == 1;  // the last axis runs down a column
    const auto last = static_cast<std::size_t>(t.shape[rank - 1]);
    const std::size_t before = rank == 1 ? 1 : static_cast<std::size_t>(t.shape[rank - 2]);
    const std::size_t heads = rank == 3 ? static_cast<std::size_t>(t.shape[0]) : 0;
    const std::size_t rows = tokens ? last : before;
    const std::size_t columns = tokens ? before : last;
    const auto number = [&](std::size_t h, std::size_t r, std::size_t j) {
        return st::value<T>(t, h * rows * columns + (tokens ? j * rows + r : r * columns + j));
    };
    return start + matrix_type<T>(heads, rows, columns) + " " + i.name + "\n    "
           + matrix_value<T>(heads, rows, columns, number) + ";\n";
}

std::string plain(const st::tensor& t, const item& i, const std::string& file)
{
    switch (t.dtype) {
        case st::dtype::f32:
        case st::dtype::f16:
        case st::dtype::bf16:
            return plain<float>(t, i, file);
        case st::dtype::f64:
            return plain<double>(t, i, file);
        case st::dtype::i64:
            return plain<std::int64_t>(t, i, file);
        case st::dtype::i32:
            return plain<std::int32_t>(t, i, file);
        case st::dtype::i16:
            return plain<std::int16_t>(t, i, file);
        case st::dtype::i8:
            return plain<std::int8_t>(t, i, file);
        case st::dtype::u64:
            return plain<std::uint64_t>(t, i, file);
        case st::dtype::u32:
            return plain<std::uint32_t>(t, i, file);
        case st::dtype::u16:
            return plain<std::uint16_t>(t, i, file);
        case st::dtype::u8:
            return plain<std::uint8_t>(t, i, file);
        case st::dtype::boolean:
            return plain<bool>(t, i, file);
        default:
            throw failure(file + ": tensor " + i.source + ": expected numbers that C++ has, such as F32, found "
                          + std::string(name_of(t.dtype)));
    }
}

std::string bias_text(hs::bias set)
{
    std::string out;
    for (const auto& [one, name] : {std::pair{hs::bias::q, "q"}, {hs::bias::k, "k"}, {hs::bias::v, "v"}, {hs::bias::o, "o"}})
        if (contains(set, one)) out += std::string(out.empty() ? "" : " | ") + "headstrong::bias::" + name;
    return out.empty() ? "headstrong::bias::none" : out;
}

template <class T>
std::string template_arguments(const layer<T>& l)
{
    const hs::dims& d = l.sizes;
    const auto size = [](const char* name, std::size_t n) { return std::string(".") + name + " = " + std::to_string(n); };
    return type_name<T>() + ", headstrong::dims{" + size("d_model", d.d_model) + ", " + size("heads", d.heads) + ", "
           + size("d_k", d.d_k) + ", " + size("d_v", d.d_v) + ",\n    " + size("d_key", d.d_key) + ", "
           + size("d_value", d.d_value) + ", " + size("d_out", d.d_out) + ", " + size("kv_heads", d.kv_heads)
           + ",\n    .biases = " + bias_text(d.biases) + "}";
}

template <class T>
std::string weights_text(const layer<T>& l, const std::string& name)
{
    const hs::dims& d = l.sizes;
    std::string out = "inline constexpr headstrong::weights<" + template_arguments(l) + "> " + name + "{\n";
    const auto below = [&](const char* member, std::size_t heads, const rows<T>& m) {  // heads below each other
        if (m.rows == 0) return;
        const std::size_t height = m.rows / heads;
        out += std::string("    .") + member + " = "
               + matrix_value<T>(
                   heads, height, m.columns,
                   [&](std::size_t h, std::size_t r, std::size_t j) { return m.numbers[(h * height + r) * m.columns + j]; })
               + ",\n";
    };
    below("w_q", d.heads, l.w_q);
    below("w_k", d.kv_heads, l.w_k);
    below("w_v", d.kv_heads, l.w_v);
    out += "    .w_o = "
           + matrix_value<T>(
               d.heads, d.d_out, d.d_v,
               [&](std::size_t h, std::size_t r, std::size_t j) { return l.w_o.numbers[r * l.w_o.columns + h * d.d_v + j]; })
           + ",\n";
    below("b_q", d.heads, l.b_q);
    below("b_k", d.kv_heads, l.b_k);
    below("b_v", d.kv_heads, l.b_v);
    if (l.b_o.rows > 0)
        out += "    .b_o = "
               + matrix_value<T>(0, d.d_out, 1, [&](std::size_t, std::size_t r, std::size_t) { return l.b_o.numbers[r]; })
               + ",\n";
    return out + "};\n";
}

template <class T>
std::string alias(const layer<T>& l, const std::string& name)
{
    return "using " + name + "_type = headstrong::multi_head<" + template_arguments(l) + ">;\n";
}

template <class T>
std::string packed_text(const layer<T>& l, const std::string& name)
{
    const std::vector<T> values = pack(l);
    return alias(l, name) + "inline constexpr " + name + "_type " + name + "{" + name + "_type::packed_type{"
           + braces(values.size(), [&](std::size_t i) { return values[i]; }) + "}};\n";
}

/// The name of the object that the linker sees: namespaces take no part in it.
std::string symbol(const request& r, const std::string& name)
{
    std::string out;
    for (const char c : r.name_space)
        if (c != ':') out += c;
        else if (out.back() != '_') out += '_';
    return out.empty() ? name : out + "_" + name;
}

/// Appends the object to the bytes, whole cache lines, and its place to the assembler file.
template <class T>
void append_object(product& p, const layer<T>& l, const std::string& symbol_name, const std::string& binary_name)
{
    const std::size_t first = p.binary.size();
    for (const T x : pack(l)) {
        const auto bits = std::bit_cast<std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>(x);
        for (std::size_t byte = 0; byte < sizeof(T); ++byte)
            p.binary += static_cast<char>(static_cast<unsigned char>(bits >> (8 * byte)));
    }
    p.binary.resize((p.binary.size() + 63) / 64 * 64, '\0');
    const std::string size = std::to_string(p.binary.size() - first);
    p.assembler += "\n    .section .rodata." + symbol_name + ",\"a\",%progbits\n    .globl " + symbol_name + "\n    .type "
                   + symbol_name + ", %object\n    .balign 64\n" + symbol_name + ":\n    .incbin \"" + binary_name + "\", "
                   + std::to_string(first) + ", " + size + "\n    .size " + symbol_name + ", " + size + "\n";
}

template <class T>
void emit_binary(product& p, const request& r, const layer<T>& l, const item& i, const std::string& binary_name)
{
    const std::string name = symbol(r, i.name);
    const std::size_t first = p.binary.size();
    append_object(p, l, name, binary_name);
    p.header += alias(l, i.name) + "static_assert(sizeof(" + i.name + "_type) == " + std::to_string(p.binary.size() - first)
                + " && alignof(" + i.name + "_type) <= 64 && std::endian::native == std::endian::little);\nextern \"C\" const "
                + i.name + "_type " + name + ";\n";
    if (name != i.name) p.header += "inline constexpr const " + i.name + "_type& " + i.name + " = " + name + ";\n";
}

template <class T>
void emit_layer(product& p, const request& r, const layer<T>& l, const item& i, const std::string& binary_name)
{
    if (r.packed == packing::none) p.header += weights_text(l, i.name);
    else if (r.packed == packing::header) p.header += packed_text(l, i.name);
    else emit_binary(p, r, l, i, binary_name);
}

std::string guard_of(const request& r, const std::string& header_name)
{
    std::string out = "HEADSTRONG_EMBEDDED_";
    for (const char c : r.name_space + "_" + header_name) {
        const auto u = static_cast<unsigned char>(c);
        const char next = u < 0x80 && std::isalnum(u) ? static_cast<char>(std::toupper(u)) : '_';
        if (next != '_' || out.back() != '_') out += next;
    }
    return out;
}

/// A comment cannot end, nor a line break it, whatever the file is called.
std::string one_line(const std::string& s)
{
    std::string out;
    for (const char c : s) out += static_cast<unsigned char>(c) < 0x20 || c == '\\' || c == '*' || c == '"' ? '?' : c;
    return out;
}

}  // namespace

product emit(const request& r, const st::file& file, const std::string& model_name, const std::string& header_name,
             const std::string& binary_name)
{
    if (one_line(binary_name) != binary_name)
        throw failure(header_name
                      + ": expected a file name without quotes, stars, backslashes and control characters, found one");
    const std::string made_from = "Made by headstrong_embed from " + one_line(model_name) + ". Changes here are lost.\n";
    const std::string guard = guard_of(r, header_name);
    product p;
    p.header = "// " + made_from + "#ifndef " + guard + "\n#define " + guard
        + "\n\n#include <headstrong/headstrong.hpp>\n\n#include <array>\n#include <bit>\n#include <cstdint>\n#include <limits>\n\n";
    if (!r.name_space.empty()) p.header += "namespace " + r.name_space + " {\n\n";
    if (r.packed == packing::binary) p.assembler = "/* " + made_from.substr(0, made_from.size() - 1) + " */\n";
    for (const item& i : r.items) {
        if (i.kind == kind::layer || i.kind == kind::pytorch_layer) {
            std::visit([&](const auto& l) { emit_layer(p, r, l, i, binary_name); }, read_layer(file, model_name, i));
        } else {
            const st::found t = file.find(i.source);
            require(t.error(), model_name);
            p.header += plain(t.tensor(), i, model_name);
        }
        p.header += "\n";
    }
    if (r.packed == packing::binary) p.assembler += "\n    .section .note.GNU-stack,\"\",%progbits\n";
    if (!r.name_space.empty()) p.header += "}  // namespace " + r.name_space + "\n\n";
    p.header += "#endif\n";
    return p;
}

}  // namespace embed
