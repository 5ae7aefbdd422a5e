// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_BENCH_SCALING_POINTS_HPP
#define HEADSTRONG_BENCH_SCALING_POINTS_HPP
/// @file
/// The shapes of the scaling benchmark: three sweeps, in each of which one size grows. Every point is an instance of the
/// library's templates, so they are spread over SCALING_PARTS translation units.

#include "peer.hpp"

#include <headstrong/headstrong.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace bench {

enum class sweep { tokens, heads, d_model };

/// A layer with n = m = tokens.
struct scaling_point {
    sweep which;
    std::size_t d_model, heads, d_k, tokens;

    [[nodiscard]] constexpr std::size_t grows() const noexcept
    {
        return which == sweep::tokens ? tokens : which == sweep::heads ? heads : d_model;
    }
};

inline constexpr std::size_t tokens_of_points[] = {16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048};
inline constexpr std::size_t heads_of_points[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
inline constexpr std::size_t d_models_of_points[] = {16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024};

inline constexpr auto scaling_points = [] {
    std::array<scaling_point, std::size(tokens_of_points) + std::size(heads_of_points) + std::size(d_models_of_points)> all{};
    std::size_t i = 0;
    for (std::size_t tokens : tokens_of_points) all[i++] = {sweep::tokens, 64, 4, 16, tokens};
    for (std::size_t heads : heads_of_points) all[i++] = {sweep::heads, 64, heads, 16, 32};
    for (std::size_t d_model : d_models_of_points) all[i++] = {sweep::d_model, d_model, 4, d_model / 4, 32};
    return all;
}();

/// What is measured of a point, at the same index.
struct measured_point {
    bench::peer peer;
    headstrong::costs cost;
    std::shared_ptr<const problem> data;
};
using measured_points = std::array<measured_point, scaling_points.size()>;

/// Every SCALING_PARTS-th point, from point Part on. Defined in scaling_part.hpp.
template <std::size_t Part>
void make_points(measured_points& results);

}  // namespace bench

#endif
