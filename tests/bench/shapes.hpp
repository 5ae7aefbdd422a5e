// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_BENCH_SHAPES_HPP
#define HEADSTRONG_BENCH_SHAPES_HPP
/// @file
/// The shapes that are measured. Peers with compile-time sizes are instantiated over this table, a group at a time.

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace bench {

enum class shape_kind {
    layer,   ///< four projections and the core; query, key and value are three tensors
    core,    ///< attention of each head alone
    decode,  ///< a step of generating: one token is projected, its key and value become the last of the m that are kept as
             ///< projections, its query attends over all of these
};

/// What belongs into one table, and into one translation unit.
enum class shape_group { square, query, decode, odd, core, deployed };

struct shape {
    std::string_view name;
    shape_group group;
    shape_kind kind;
    std::size_t d_model, heads, d_k, n, m;  // d_v = d_k

    [[nodiscard]] constexpr std::size_t width() const noexcept { return heads * d_k; }

    /// Of the equations as they stand, without any rearrangement.
    [[nodiscard]] constexpr double multiply_adds() const noexcept
    {
        const std::size_t core = 2 * width() * n * m, projected = kind == shape_kind::decode ? 1 : m;
        const std::size_t projections = 2 * d_model * width() * (n + projected);
        return static_cast<double>(kind == shape_kind::core ? core : core + projections);
    }

    /// The numbers that a call must read or write: weights, inputs or cache, and output, once.
    [[nodiscard]] constexpr std::size_t bytes() const noexcept
    {
        const std::size_t weights = 4 * d_model * width();
        const std::size_t numbers = kind == shape_kind::core     ? 2 * width() * (n + m)
                                    : kind == shape_kind::decode ? weights + 2 * width() * m + 2 * d_model
                                                                 : weights + 2 * d_model * (n + m);
        return numbers * sizeof(float);
    }
};

inline constexpr auto shapes = std::to_array<shape>({
    {"S1", shape_group::square, shape_kind::layer, 16, 2, 8, 8, 8},
    {"S2", shape_group::square, shape_kind::layer, 32, 4, 8, 16, 16},
    {"S3", shape_group::square, shape_kind::layer, 64, 4, 16, 32, 32},
    {"S4", shape_group::square, shape_kind::layer, 128, 8, 16, 64, 64},
    {"S5", shape_group::square, shape_kind::layer, 256, 8, 32, 128, 128},
    {"S6", shape_group::square, shape_kind::layer, 512, 8, 64, 128, 128},
    {"S7", shape_group::square, shape_kind::layer, 768, 12, 64, 128, 128},
    {"P1", shape_group::query, shape_kind::layer, 64, 4, 16, 1, 64},
    {"P2", shape_group::query, shape_kind::layer, 256, 8, 32, 1, 256},
    {"P3", shape_group::query, shape_kind::layer, 512, 8, 64, 1, 128},
    {"D1", shape_group::decode, shape_kind::decode, 64, 4, 16, 1, 128},
    {"D2", shape_group::decode, shape_kind::decode, 256, 8, 32, 1, 512},
    {"D3", shape_group::decode, shape_kind::decode, 768, 12, 64, 1, 512},
    {"O1", shape_group::odd, shape_kind::layer, 40, 5, 8, 17, 23},
    {"O2", shape_group::odd, shape_kind::layer, 100, 5, 20, 33, 33},
    {"C1", shape_group::core, shape_kind::core, 64, 4, 16, 32, 32},
    {"C2", shape_group::core, shape_kind::core, 256, 8, 32, 128, 128},
    {"C3", shape_group::core, shape_kind::core, 512, 8, 64, 512, 512},
    {"radar", shape_group::deployed, shape_kind::layer, 32, 8, 32, 4, 4},      // radar gestures
    {"kernel", shape_group::deployed, shape_kind::layer, 64, 8, 8, 16, 16},    // test of a microcontroller kernel
    {"ecg", shape_group::deployed, shape_kind::layer, 16, 8, 2, 66, 66},       // electrocardiogram
    {"eeg", shape_group::deployed, shape_kind::layer, 32, 8, 32, 81, 81},      // electroencephalogram
    {"coins", shape_group::deployed, shape_kind::layer, 64, 16, 64, 32, 32},   // the network of COINS 2021
    {"keyword", shape_group::deployed, shape_kind::layer, 64, 1, 64, 98, 98},  // keyword spotting
    {"radio", shape_group::deployed, shape_kind::layer, 32, 4, 8, 128, 128},   // radio signals
    {"text", shape_group::deployed, shape_kind::layer, 120, 8, 15, 40, 40},    // text recognition
});

/// Calls f with the index of each shape of the group, as a constant.
template <shape_group Group, class F>
void for_each_index(F&& f)
{
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto call = [&](auto index) {
            if constexpr (shapes[index()].group == Group) f(index);
        };
        (call(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<shapes.size()>{});
}

}  // namespace bench

#endif
