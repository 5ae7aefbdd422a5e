// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_FUZZ_NUMBERS_HPP
#define HEADSTRONG_TESTS_FUZZ_NUMBERS_HPP
/// @file
/// Numbers from the bytes of a fuzzer: most are moderate, some are NaN, infinite, denormal, huge, or any bits.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

namespace fuzz {

/// Reads bytes; behind the last, numbers of a generator, so that a few bytes fill a layer.
class source {
public:
    source(const std::uint8_t* data, std::size_t size) : left_{data, size} {}

    std::uint8_t byte()
    {
        if (!left_.empty()) {
            const std::uint8_t b = left_[0];
            left_ = left_.subspan(1);
            state_ = (state_ ^ b) * 16777619;
            return b;
        }
        state_ = state_ * 1664525 + 1013904223;
        return static_cast<std::uint8_t>((state_ >> 24) % 225);  // moderate
    }

    std::uint64_t word()
    {
        std::uint64_t w = 0;
        for (int i = 0; i < 8; ++i) w = w << 8 | byte();
        return w;
    }

    /// Any number of places: mostly small, sometimes at the ends of the type.
    std::ptrdiff_t place()
    {
        const std::uint8_t b = byte();
        if (b < 200) return b % 40 - 10;
        if (b < 210) return std::numeric_limits<std::ptrdiff_t>::max() - b % 4;
        if (b < 220) return std::numeric_limits<std::ptrdiff_t>::min() + b % 4;
        return static_cast<std::ptrdiff_t>(word());
    }

    template <class T>
    T number()
    {
        using limits = std::numeric_limits<T>;
        const std::uint8_t b = byte();
        if (b < 225) return (static_cast<T>(b) - 112) / 64;  // below 2
        constexpr T special[] = {limits::quiet_NaN(),
                                 limits::infinity(),
                                 -limits::infinity(),
                                 limits::max(),
                                 limits::lowest(),
                                 limits::denorm_min(),
                                 -limits::min(),
                                 limits::min(),
                                 T(-0.0),
                                 T(1e30),
                                 T(-1e3),
                                 T(90)};
        if (b < 225 + std::size(special)) return special[b - 225];
        const std::uint64_t w = word();
        T any;
        std::memcpy(&any, &w, sizeof(T));
        return any;
    }

    void fill(auto&& numbers)
    {
        for (auto& x : numbers) x = number<std::remove_cvref_t<decltype(x)>>();
    }

private:
    std::span<const std::uint8_t> left_;
    std::uint32_t state_ = 2166136261;
};

template <class T>
bool moderate(T x)
{
    return x >= -2 && x <= 2;
}

template <class T>
bool finite(T x)
{
    return x - x == 0;
}

/// The same bits, or NaN both, whose payload is not promised.
template <class T>
bool same(T a, T b)
{
    return (a != a && b != b) || std::memcmp(&a, &b, sizeof(T)) == 0;
}

}  // namespace fuzz

#endif
