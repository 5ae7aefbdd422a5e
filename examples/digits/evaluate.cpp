// SPDX-License-Identifier: BSL-1.0
#include "evaluate.hpp"

#include "trained.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <vector>

namespace digits {
namespace {

/// FNV-1a over the bits of a number, the lowest byte first.
std::uint64_t hashed(std::uint64_t hash, float number)
{
    for (std::uint32_t bits = std::bit_cast<std::uint32_t>(number), byte = 0; byte < 4; ++byte, bits >>= 8)
        hash = (hash ^ (bits & 0xff)) * 0x100000001b3;
    return hash;
}

void raise(float& largest, float number) { largest = std::max(largest, std::fabs(number)); }

std::array<gaze, 4> gaze_for(std::size_t digit, const tokens& x)
{
    return gaze_of(model::pool, hs::as_view(trained.cls).column(digit), x);
}

}  // namespace

agreement compare(const test_set& set)
{
    agreement a{0, 0, 0, 0xcbf29ce484222325};
    float largest_logit = 0;
    for (std::size_t i = 0; i < test_set::size; ++i) {
        const tokens x = trained.look(set.images.column(i));
        const logits l = trained.decide(x);
        const std::size_t read = answer(l);
        a.right += read == set.labels(i, 0);
        for (std::size_t d = 0; d < 10; ++d) {
            a.hash = hashed(a.hash, l(d, 0));
            raise(a.largest_difference, l(d, 0) - set.logits(d, i));
            raise(largest_logit, set.logits(d, i));
        }
        raise(a.largest_gaze_error, logit_of(gaze_for(read, x), model::pool, trained.read, x) - l(read, 0));
    }
    a.largest_difference /= largest_logit;
    a.largest_gaze_error /= largest_logit;
    return a;
}

latency measure(const test_set& set, double seconds)
{
    using clock = std::chrono::steady_clock;
    const auto since = [](clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); };
    std::vector<double> times;
    const auto round = [&] {
        for (std::size_t i = 0; i < test_set::size; ++i) {
            const auto start = clock::now();
            const volatile std::size_t used = answer(trained(set.images.column(i)));
            static_cast<void>(used);
            times.push_back(since(start));
        }
    };
    round();
    times.clear();
    for (const auto start = clock::now(); times.empty() || since(start) < seconds;) round();

    std::ranges::sort(times);
    const auto at = [&](double share) {
        return 1e6 * times[static_cast<std::size_t>(share * static_cast<double>(times.size()))];
    };
    return {times.size() / test_set::size, at(0.5), at(0.999)};
}

reading read(const test_set& set, std::size_t number)
{
    const image pixels = set.images.column(number);
    const tokens x = trained.look(pixels);
    const logits l = trained.decide(x);
    reading r{number, pixels, set.labels(number, 0), answer(l), hs::softmax(l), gaze_for(answer(l), x), {}};
    for (std::size_t t = 0; t < 16; ++t)
        for (const gaze& head : r.heads) r.mean(t, 0) += head(t, 0) / 4;
    return r;
}

}  // namespace digits
