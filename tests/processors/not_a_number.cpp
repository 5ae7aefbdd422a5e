// SPDX-License-Identifier: BSL-1.0
// What the hashes do not hold, since the payload of NaN is not promised: where NaN and infinities go.
#include <headstrong/headstrong.hpp>

#include <cstddef>
#include <cstdio>
#include <limits>

namespace {

namespace hs = headstrong;
using tokens = hs::matrix<float, 3, 7>;

constexpr float infinity = std::numeric_limits<float>::infinity(), not_a_number = std::numeric_limits<float>::quiet_NaN();
int mistakes = 0;

tokens plain()
{
    tokens x;
    for (std::size_t e = 0; e < x.span().size(); ++e) x.elements[e] = static_cast<float>(e % 5) - 2;
    return x;
}

/// Whether the numbers of column `column`, or of all, are what `holds` says, and no others.
template <class F>
void expect(const char* what, const tokens& y, std::size_t column, bool all, F holds)
{
    for (std::size_t i = 0; i < 7; ++i)
        for (std::size_t r = 0; r < 3; ++r) {
            if (holds(y(r, i)) == (all || i == column)) continue;
            std::printf("%s: wrong at (%d, %d)\n", what, static_cast<int>(r), static_cast<int>(i));
            ++mistakes;
        }
}

bool is_nan(float x) { return x != x; }

}  // namespace

int main()
{
    const tokens x = plain();
    for (std::size_t i = 0; i < 7; ++i) {
        tokens q = x, k = x;
        q(1, i) = not_a_number;
        k(1, i) = not_a_number;
        expect("NaN in a query stays in its column", hs::attention(q, x, x, hs::dot{}), i, false, is_nan);
        expect("NaN in a key reaches every query", hs::attention(x, k, x, hs::dot{}), i, true, is_nan);

        hs::matrix<float, 7, 7> scores{};
        for (float& one : scores.column(i)) one = -infinity;
        const auto hidden = hs::attention(x, x, x, hs::dot{}, hs::score_bias(scores));
        expect("a query whose scores are all -infinity gives zeros", hidden, i, false, [](float one) { return one == 0; });
    }
    std::printf("%d mistakes\n", mistakes);
    return mistakes == 0 ? 0 : 1;
}
