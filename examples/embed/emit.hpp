// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EMBED_EMIT_HPP
#define HEADSTRONG_EMBED_EMIT_HPP
/// @file
/// The text of the header, and of the assembler file and the bytes beside it.

#include "headstrong/import/file.hpp"

#include "request.hpp"

#include <string>

namespace embed {

/// The contents of the files to write.
struct product {
    std::string header;
    std::string assembler;  ///< empty unless packing::binary
    std::string binary;
};

/// Turns what was asked for into text. `binary_name` is the name of the file of bytes, as the assembler file includes it.
product emit(const request& r, const headstrong::safetensors::file& file, const std::string& model_name,
             const std::string& header_name, const std::string& binary_name);

}  // namespace embed

#endif
