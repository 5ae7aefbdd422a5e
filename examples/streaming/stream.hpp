// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_EXAMPLES_STREAM_HPP
#define HEADSTRONG_EXAMPLES_STREAM_HPP
/// @file
/// A stream of frames, each of which attends to itself and the last 32 to 63 before it, in memory that does not grow.

#include <headstrong/headstrong.hpp>

#include <cstddef>
#include <cstdint>

namespace streaming {

namespace hs = headstrong;

inline constexpr hs::dims sizes{.d_model = 32, .heads = 4};
inline constexpr std::size_t most = 64, kept = most / 2;
using layer = hs::multi_head<float, sizes>;
using frame = hs::matrix<float, sizes.d_model, 1>;

/// Weights of no meaning, within a quarter of 0.
[[nodiscard]] constexpr layer::weights_type some_weights() noexcept
{
    layer::weights_type w{};
    std::uint32_t state = 1;
    const auto fill = [&](auto& heads) {
        for (auto& head : heads)
            for (float& number : head.span()) {
                state = state * 1664525 + 1013904223;
                number = (static_cast<float>(state >> 16) - 32768) / 131072;
            }
    };
    fill(w.w_q), fill(w.w_k), fill(w.w_v), fill(w.w_o);
    return w;
}

/// What a sensor says at a time: triangles of 32 periods, exact in float.
[[nodiscard]] constexpr frame frame_at(std::size_t time) noexcept
{
    frame x;
    for (std::size_t r = 0; r < sizes.d_model; ++r) {
        const std::size_t period = 6 + 2 * r, phase = time % period;
        const std::size_t height = phase < period / 2 ? phase : period - phase;
        x(r, 0) = static_cast<float>(height) / 16 - 0.5f;
    }
    return x;
}

/// A cache forgets its last tokens, not its first. So there are two: while one is in its second half the frames go to both, and
/// when it is full the other, which then holds the newest half, takes its place. No frame waits for the old ones to be moved.
struct window {
    hs::kv_cache<float, sizes, most> caches[2];
    std::size_t now;
    layer::cache_workspace<1, most> scratch;

    /// Appends a frame and attends from it to all that the window holds.
    constexpr void next(const layer& decoder, const frame& x, frame& y) noexcept
    {
        auto &current = caches[now], &following = caches[1 - now];
        static_cast<void>(decoder.append(current, x, x));  // there is room: below
        if (current.size() > kept) static_cast<void>(decoder.append(following, x, x));
        decoder(x, current, y, scratch);
        if (current.size() < most) return;
        current.reset();
        now = 1 - now;
    }

    /// The frames that the next one will find.
    [[nodiscard]] constexpr std::size_t size() const noexcept { return caches[now].size(); }
};

}  // namespace streaming

#endif
