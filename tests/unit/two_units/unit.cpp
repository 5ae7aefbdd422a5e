// SPDX-License-Identifier: BSL-1.0
// One translation unit that includes everything and computes with it, compiled several times with different flags: UNIT is
// its name. FLOAT_ALONE leaves out double.
#include "two_units.hpp"

#include "headstrong/headstrong.hpp"
#include "headstrong/import/safetensors.hpp"

#include <cstddef>
#include <cstdlib>
#include <cstring>

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
using layer = hs::multi_head<T, hs::dims{.d_model = 3, .heads = 3, .biases = hs::bias::all}>;

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

    // By braces: a constructor that the compiler writes itself cannot have the instruction set in its name.
    typename layer<T>::weights_type w{};
    fill(w.w_q, seed), fill(w.w_k, seed), fill(w.w_v, seed), fill(w.w_o, seed);
    fill(w.b_q, seed), fill(w.b_k, seed), fill(w.b_v, seed), fill(w.b_o, seed);
    hs::matrix<T, 3, 19> y;
    typename layer<T>::template workspace<19, 19> scratch;
    const layer<T> made(w);
    made(x, x, x, y, scratch);
    out.put(y);
    out.put(made(hs::transposed(hs::columns<19, 3>(x.data())), x, x));
    out.put(made(x, x, x, hs::by<hs::plan_kind::absorbed>));
    out.put(made(x, x, x, hs::by<hs::plan_kind::streamed>));
    const hs::folded_multi_head<T, layer<T>::sizes> folded(w);
    out.put(folded(x, x, x));
    hs::kv_cache<T, layer<T>::sizes, 20> cache{};
    if (!made.append(cache, x, x)) std::abort();
    out.put(made(x, cache));

    out.put(hs::multi_head_as_sum(w, x, x, x));
    out.put(hs::multi_head_as_product(w, x, x, x));
    const auto inner = hs::from_rows<3, 3>(x.data());
    out.put(hs::w_o_of(w));
    out.put(hs::fold(w, inner, inner, inner).w_q[2]);
    constexpr hs::dims square{.d_model = 3, .heads = 2, .d_k = 2, .d_v = 3};
    hs::residual_weights<T, square> residual;
    fill(residual.w_q, seed), fill(residual.w_k, seed), fill(residual.w_v, seed);
    out.put(hs::residual_attention<T, square>(residual)(x));

    constexpr hs::widths width{.d_model = 3};
    hs::mixed_weights<T, width, hs::head<1, 2>, hs::head<2, 1, hs::dot>> mixed{};
    boost::hana::for_each(
        mixed.heads, [&](auto& one) { fill(one.w_q, seed), fill(one.w_k, seed), fill(one.w_v, seed), fill(one.w_o, seed); });
    out.put(hs::mixed_multi_head<T, width, hs::head<1, 2>, hs::head<2, 1, hs::dot>>(mixed)(x, x, x));

    hs::matrix<T, 1, 1> scalars{static_cast<T>(hs::sqrt(x(0, 0) * x(0, 0)) + hs::nearest_integer(x(1, 1) * 100))};
    out.put(scalars);
    const double angle = static_cast<double>(x(2, 1)) * 40;
    const hs::sine_cosine<double> turn = hs::sin_cos(angle);
    out.put(hs::matrix<T, 5, 1>{hs::tanh(x(0, 2)), hs::log(x(1, 2) * x(1, 2)), static_cast<T>(turn.sine),
                                static_cast<T>(turn.cosine), static_cast<T>(hs::power(10000, angle / 64))});
}

void use_import(writer& out, int seed)
{
    constexpr char header[] = R"({"x":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},"y":{"dtype":"BF16","shape":[1],)"
                              R"("data_offsets":[8,10]},"w_q":{"dtype":"F16","shape":[1,1,1],"data_offsets":[10,12]}})";
    constexpr std::size_t size = sizeof(header) - 1;
    static_assert(size < 256);
    unsigned char bytes[8 + size + 12] = {static_cast<unsigned char>(size)};
    std::memcpy(bytes + 8, header, size);
    for (std::size_t i = 8 + size; i < sizeof(bytes); ++i) bytes[i] = static_cast<unsigned char>(seed + static_cast<int>(i));
    const auto opened = hs::safetensors::open(bytes);
    if (!opened.ok()) std::abort();
    hs::matrix<float, 1, 2> x{};
    hs::weights<float, hs::dims{.d_model = 1}> w{};
    char sentence[200] = {};
    if (!hs::safetensors::read(opened.file(), "x", x).ok()) std::abort();
    static_cast<void>(hs::safetensors::explain(hs::safetensors::read_weights(opened.file(), "", w), "a file", sentence));
    out.put(x);
    hs::matrix<float, 1, 202> rest{hs::safetensors::value<float>(*++opened.file().begin(), 0)};
    for (std::size_t i = 0; i < sizeof(sentence); ++i) rest(0, i + 1) = static_cast<float>(sentence[i]);
    out.put(rest);
}

}  // namespace

void UNIT(results& out, int seed)
{
    writer to(out);
    use_everything<float>(to, seed);
#ifndef FLOAT_ALONE
    use_everything<double>(to, seed);
#endif
    use_import(to, seed);
}
