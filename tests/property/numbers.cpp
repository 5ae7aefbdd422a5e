// SPDX-License-Identifier: BSL-1.0
#include "numbers.hpp"

#include <cstdint>
#include <utility>

namespace property {

double numbers::next(double size) { return static_cast<double>(static_cast<std::int32_t>(generator_())) * 0x1p-31 * size; }

int numbers::integer(int limit) { return static_cast<int>(generator_() % static_cast<unsigned>(2 * limit + 1)) - limit; }

void numbers::fill(std::span<float> all, double size)
{
    for (float& number : all) number = static_cast<float>(next(size));
}

void numbers::fill(std::span<double> all, double size)
{
    for (double& number : all) number = next(size);
}

std::vector<std::size_t> numbers::order(std::size_t count)
{
    std::vector<std::size_t> places(count);
    for (std::size_t i = 0; i < count; ++i) {
        places[i] = i;
        std::swap(places[i], places[generator_() % (i + 1)]);
    }
    return places;
}

}  // namespace property
