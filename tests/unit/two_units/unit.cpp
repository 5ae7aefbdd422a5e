// SPDX-License-Identifier: BSL-1.0
// One translation unit that includes and uses everything, compiled several times with different flags: UNIT is its name.
#include "two_units.hpp"

#include "headstrong/headstrong.hpp"
#include "headstrong/import/safetensors.hpp"

#include <cstddef>
#include <cstring>
#include <span>

namespace hs = headstrong;

namespace {

class writer {
public:
    explicit writer(results& out) : out_(out) {}

    template <class T, std::size_t R, std::size_t C, std::size_t A>
    void put(const hs::matrix<T, R, C, A>& x)
    {
        std::memcpy(out_.bytes + at_, x.elements, sizeof(T) * R * C);
        at_ += sizeof(T) * R * C;
    }

private:
    results& out_;
    std::size_t at_ = 0;
};

template <class X>
void fill(X& x, int& seed)
{
    if constexpr (requires { x.elements; })
        for (auto& e : x.elements) {
            seed = (seed * 37 + 11) % 101;
            e = static_cast<typename X::value_type>(seed - 50) / 64;
        }
    else if constexpr (requires { x.begin(); })
        for (auto& one : x) fill(one, seed);
}

struct distance {
    constexpr auto operator()(const auto& a, const auto& b) const { return hs::fma(a[0], b[0], hs::exp(b[1] - 1)); }
};

template <class T>
void use_everything(writer& out, int seed)
{
    hs::matrix<T, 3, 19> x;
    fill(x, seed);
    const auto scores = hs::multiply(hs::transposed(x), x);
    out.put(hs::softmax(scores));
    out.put(hs::attention(x, x, x));
    out.put(hs::attention(x, x, hs::rows(x), distance{}));
    out.put(hs::stack(x, x));

    using layer = hs::multi_head<T, hs::dims{.d_model = 3, .heads = 3, .biases = hs::bias::all}>;
    typename layer::weights_type w;
    fill(w.w_q, seed), fill(w.w_k, seed), fill(w.w_v, seed), fill(w.w_o, seed);
    fill(w.b_q, seed), fill(w.b_k, seed), fill(w.b_v, seed), fill(w.b_o, seed);
    hs::matrix<T, 3, 19> y;
    typename layer::template workspace<19, 19> scratch;
    const layer made(w);
    made(x, x, x, y, scratch);
    out.put(y);
    out.put(made(hs::transposed(hs::columns<19, 3>(x.data())), x, x));

    hs::matrix<T, 1, 1> scalars{static_cast<T>(hs::sqrt(x(0, 0) * x(0, 0)) + hs::nearest_integer(x(1, 1) * 100))};
    out.put(scalars);
}

}  // namespace

void UNIT(results& out, int seed)
{
    writer to(out);
    use_everything<float>(to, seed);
    use_everything<double>(to, seed);
    const auto nothing = hs::safetensors::open(std::span<const std::byte>{});
    hs::matrix<float, 1, 1> opened{nothing.ok() ? 1.0f : 0.0f};
    to.put(opened);
}
