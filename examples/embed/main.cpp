// SPDX-License-Identifier: BSL-1.0
/// @file
/// headstrong_embed: makes a C++ header, and if wanted an assembler file, of tensors of a safetensors file.
#include "emit.hpp"
#include "failure.hpp"
#include "request.hpp"

#include "headstrong/import/safetensors.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::vector<unsigned char> read_bytes(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    std::vector<unsigned char> bytes;
    if (in && !fs::is_directory(path)) bytes.assign(std::istreambuf_iterator<char>(in), {});
    else throw embed::failure(path.string() + ": expected a file that can be read, found none");
    return bytes;
}

/// Writes files under other names first. All get their own names at the end, or none does.
class output {
public:
    output() = default;
    output(const output&) = delete;
    output& operator=(const output&) = delete;
    ~output()
    {
        std::error_code ignored;
        for (const auto& [unfinished, path] : files_) fs::remove(unfinished, ignored);
    }

    void add(const fs::path& path, const std::string& contents)
    {
        const fs::path unfinished = path.string() + ".unfinished";
        files_.emplace_back(unfinished, path);
        std::ofstream out(unfinished, std::ios::binary | std::ios::trunc);
        out.write(contents.data(), static_cast<std::streamsize>(contents.size()));
        out.close();
        if (!out)
            throw embed::failure(path.string() + ": expected a place for " + std::to_string(contents.size())
                                 + " bytes, found none");
    }

    void finish()
    {
        for (const auto& [unfinished, path] : files_) fs::rename(unfinished, path);
        files_.clear();
    }

private:
    std::vector<std::pair<fs::path, fs::path>> files_;
};

void run(const embed::request& r)
{
    check_names(r);
    const std::vector<unsigned char> bytes = read_bytes(r.model);
    const std::string model_name = fs::path(r.model).filename().string();
    const auto opened = headstrong::safetensors::open(std::span<const unsigned char>(bytes));
    embed::require(opened.error(), model_name);
    const fs::path header = r.output;
    const fs::path binary = fs::path(header).replace_extension(".bin");
    const embed::product p = emit(r, opened.file(), model_name, header.filename().string(), binary.filename().string());
    output out;
    if (r.packed == embed::packing::binary) {
        out.add(binary, p.binary);
        out.add(fs::path(header).replace_extension(".S"), p.assembler);
    }
    out.add(header, p.header);  // renamed last: when it is there, the others are
    out.finish();
}

/// Options that may be repeated, each taking items of one kind, kept in the order of the command line.
void add_items(CLI::App& app, embed::request& r, const std::string& option, embed::kind k, const std::string& help)
{
    app.add_option_function<std::vector<std::string>>(
           option,
           [&r, k](const std::vector<std::string>& arguments) {
               for (const std::string& a : arguments) r.items.push_back(parse_item(k, a));
           },
           help)
        ->type_name("NAME=...");
}

}  // namespace

int main(int argc, char** argv)
try {
    embed::request r;
    CLI::App app{"Makes a C++ header of tensors of a safetensors file. All numbers are exact, all shapes are in the types.",
                 "headstrong_embed"};
    app.add_option("model", r.model, "the safetensors file")->required();
    app.add_option("-o,--output", r.output, "the header to write")->required();
    app.add_option("-n,--namespace", r.name_space, "the namespace of the variables");
    add_items(app, r, "--matrix", embed::kind::matrix,
              "NAME=TENSOR: a tensor (rows, columns), or (heads, rows, columns), as matrices");
    add_items(app, r, "--columns", embed::kind::columns,
              "NAME=TENSOR: a tensor (tokens, numbers) as a matrix with a token a column");
    add_items(app, r, "--layer", embed::kind::layer,
              "NAME=PREFIX[:heads=4,d_k=8,...]: the weights of a layer; sizes that are given are checked");
    add_items(app, r, "--pytorch-layer", embed::kind::pytorch_layer,
              "NAME=PREFIX:heads=4: the state of a torch.nn.MultiheadAttention");
    app.add_option("--packed", r.packed,
                   "layers packed for the kernels: numbers in the header, or NAME.bin and NAME.S beside it")
        ->transform(CLI::CheckedTransformer(
            std::map<std::string, embed::packing>{{"header", embed::packing::header}, {"binary", embed::packing::binary}}));
    CLI11_PARSE(app, argc, argv);
    if (r.items.empty())
        throw embed::failure("headstrong_embed: expected --matrix, --columns, --layer or --pytorch-layer, found none");
    run(r);
    return 0;
} catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
