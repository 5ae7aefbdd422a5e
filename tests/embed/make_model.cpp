// SPDX-License-Identifier: BSL-1.0
// Writes a model with every kind of tensor that headstrong_embed takes, and with the numbers that text loses easily.
#include "../unit/safetensors_file.hpp"

#include <fstream>
#include <limits>

namespace {

tests::bytes words(std::initializer_list<std::uint32_t> list)
{
    tests::bytes out;
    for (const std::uint32_t w : list)
        for (unsigned i = 0; i < 4; ++i) out.push_back(static_cast<unsigned char>(w >> (8 * i)));
    return out;
}

/// Doubles that are no floats.
tests::bytes doubles(std::size_t count)
{
    tests::bytes out;
    for (std::size_t n = 0; n < count; ++n) {
        const auto bits = std::bit_cast<std::uint64_t>(1.0 / static_cast<double>(n + 3));
        for (unsigned i = 0; i < 8; ++i) out.push_back(static_cast<unsigned char>(bits >> (8 * i)));
    }
    return out;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 2) return 1;
    tests::safetensors_builder b;
    b.floats("single", {}).floats("column", {5}).floats("heads", {2, 3, 4});
    // -0, least and greatest denormal, greatest number, infinities, quiet and signalling NaN with payloads, 1 + epsilon
    b.tensor("special", "F32", {2, 6},
             words({0x80000000, 1, 0x807fffff, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f812345,
                    0x3f800001, 0x00800000, 0}));
    b.tensor("special64", "F64", {4, 1}, words({1, 0, 0, 0x80000000, 0x12345678, 0x7ff81234, 0x89abcdef, 0x3fe12345}));
    b.tensor("half", "F16", {1, 2}, {1, 0, 0, 0xfc});
    b.tensor("integers", "I32", {2}, words({0x80000000, 7}));
    b.tensor("smallest", "I64", {1}, words({0, 0x80000000}));
    b.tensor("flags", "BOOL", {2, 2}, {1, 0, 0, 1});
    b.tensor("odd = name:0", "U8", {3}, {0, 200, 255});
    b.floats("own.w_q", {3, 5, 7}).floats("own.w_k", {3, 5, 7}).floats("own.w_v", {3, 2, 7}).floats("own.w_o", {7, 6});
    b.floats("grouped.w_q", {4, 3, 6})
        .floats("grouped.w_k", {2, 3, 5})
        .floats("grouped.w_v", {2, 9, 4})
        .floats("grouped.w_o", {17, 36});
    b.floats("grouped.b_q", {4, 3}).floats("grouped.b_v", {2, 9}).floats("grouped.b_o", {17});
    b.tensor("wide.w_q", "F64", {2, 5, 3}, doubles(30)).tensor("wide.w_k", "F64", {2, 5, 3}, doubles(30));
    b.tensor("wide.w_v", "F64", {2, 5, 3}, doubles(30))
        .tensor("wide.w_o", "F64", {3, 10}, doubles(30))
        .tensor("wide.b_k", "F64", {2, 5}, doubles(10));
    b.floats("joined.in_proj_weight", {24, 8})
        .floats("joined.in_proj_bias", {24})
        .floats("joined.out_proj.weight", {8, 8})
        .floats("joined.out_proj.bias", {8});
    b.floats("separate.q_proj_weight", {9, 9})
        .floats("separate.k_proj_weight", {9, 4})
        .floats("separate.v_proj_weight", {9, 2})
        .floats("separate.out_proj.weight", {9, 9});
    const tests::bytes file = b.file();
    std::ofstream out(argv[1], std::ios::binary);
    out.write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
    out.close();
    return out ? 0 : 1;
}
