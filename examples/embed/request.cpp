// SPDX-License-Identifier: BSL-1.0
#include "request.hpp"

#include "failure.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <string_view>

namespace embed {
namespace {

constexpr std::array keywords = std::to_array<std::string_view>(
    {"alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
     "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
     "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
     "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
     "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
     "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
     "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
     "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
     "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
     "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
     "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
     "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
     "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
     "xor_eq"});

constexpr std::array size_names =
    std::to_array<std::string_view>({"d_model", "heads", "d_k", "d_v", "d_key", "d_value", "d_out", "kv_heads"});

bool is_name(std::string_view s)
{
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto letter_or_digit = [&](char c) { return letter(c) || c == '_' || (c >= '0' && c <= '9'); };
    return !s.empty() && letter(s.front()) && std::all_of(s.begin(), s.end(), letter_or_digit) && s.find("__") == s.npos
           && std::find(keywords.begin(), keywords.end(), s) == keywords.end();
}

void require_name(const std::string& name, const std::string& where)
{
    if (!is_name(name))
        throw failure(where + ": expected a C++ name of letters, digits and single underscores that is no keyword, found \""
                      + name + "\"");
}

std::map<std::string, std::size_t> parse_sizes(const std::string& argument, std::string_view list)
{
    std::map<std::string, std::size_t> sizes;
    while (!list.empty()) {
        const std::string_view one = list.substr(0, list.find(','));
        list.remove_prefix(std::min(list.size(), one.size() + 1));
        const std::size_t equals = one.find('=');
        const std::string name(one.substr(0, equals));
        if (std::find(size_names.begin(), size_names.end(), name) == size_names.end())
            throw failure(argument + ": expected d_model, heads, d_k, d_v, d_key, d_value, d_out or kv_heads, found \"" + name
                          + "\"");
        const std::string_view number = equals == one.npos ? std::string_view{} : one.substr(equals + 1);
        std::size_t size = 0;
        const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), size);
        if (problem != std::errc{} || end != number.data() + number.size() || size == 0 || size > 1'000'000)
            throw failure(argument + ": expected " + name + " from 1 to 1000000, found \"" + std::string(number) + "\"");
        if (!sizes.emplace(name, size).second) throw failure(argument + ": expected " + name + " once, found it twice");
    }
    return sizes;
}

}  // namespace

item parse_item(kind k, const std::string& argument)
{
    item out{k, {}, argument, {}};
    if (k == kind::layer || k == kind::pytorch_layer) {
        const std::size_t colon = argument.rfind(':');
        if (colon != argument.npos && argument.find('=', colon) != argument.npos) {
            out.sizes = parse_sizes(argument, std::string_view(argument).substr(colon + 1));
            out.source.resize(colon);
        }
    }
    const std::size_t equals = out.source.find('=');
    out.name = out.source.substr(0, equals);
    if (equals != out.source.npos) out.source.erase(0, equals + 1);
    require_name(out.name, argument);
    return out;
}

void check_names(const request& r)
{
    for (std::size_t first = 0; first < r.name_space.size();) {
        const std::size_t end = std::min(r.name_space.find("::", first), r.name_space.size());
        require_name(r.name_space.substr(first, end - first), "namespace " + r.name_space);
        first = end + 2;
        if (first == r.name_space.size()) require_name("", "namespace " + r.name_space);
    }
    std::set<std::string> names;
    for (const item& i : r.items) {
        if (!names.insert(i.name).second) throw failure(i.name + ": expected a name for one variable, found it for two");
        const bool alias = r.packed != packing::none && (i.kind == kind::layer || i.kind == kind::pytorch_layer);
        if (alias && !names.insert(i.name + "_type").second)
            throw failure(i.name + "_type: expected a name for one variable, found it for two");
    }
}

}  // namespace embed
