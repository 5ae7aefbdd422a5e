// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EMBED_REQUEST_HPP
#define HEADSTRONG_EMBED_REQUEST_HPP
/// @file
/// What the command line asks for.
///
/// Three forms of naming a part of the model were written down:
///   --layer att1.=att1:heads=4,d_k=8        the tensor first: unclear if its name holds '=' or ':', as TensorFlow's do
///   --layer att1. --as att1 --heads 4 ...   options that belong together by their order alone; CMake cannot repeat them
///   --layer att1=att1.:heads=4,d_k=8        the C++ name first, as in a declaration
/// The third is used: a C++ name holds neither '=' nor ':', so the first '=' ends it, and what follows the last ':' is
/// sizes if it holds a '='.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace embed {

enum class kind { matrix, columns, layer, pytorch_layer };

/// One variable of the header.
struct item {
    embed::kind kind;
    std::string name;                          ///< in C++
    std::string source;                        ///< the tensor, or the prefix of the layer's tensors
    std::map<std::string, std::size_t> sizes;  ///< of a layer, as far as they are given
};

enum class packing { none, header, binary };

struct request {
    std::string model;
    std::string output;
    std::string name_space;
    packing packed = packing::none;
    std::vector<item> items;
};

/// Reads `name=source`, `source` alone if it is a C++ name, and for layers `:size=number,...` behind it.
item parse_item(kind k, const std::string& argument);

/// Throws unless all names are C++ names, each used once.
void check_names(const request& r);

}  // namespace embed

#endif
