// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_PROPERTY_LAYER_INSTANCE_HPP
#define HEADSTRONG_TESTS_PROPERTY_LAYER_INSTANCE_HPP
/// @file
/// The library's code for one layer_case.

#include "layers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace property {

template <class T, headstrong::dims D, std::size_t N, std::size_t M, headstrong::plan_kind Plan>
class layer_instance final : public any_layer<T> {
public:
    explicit layer_instance(numbers& random) : w_(random.weights<T, D>()), layer_(w_) {}

    [[nodiscard]] grid<T> operator()(const inputs<T>& x) const override
    {
        return grid<T>(layer_(q(x), k(x), v(x), headstrong::by<Plan>));
    }

    [[nodiscard]] grid<T> over(T content, const inputs<T>& x) const override
    {
        typename layer_type::template workspace<N, M, Plan> scratch;
        std::ranges::fill(scratch.values, content);
        grid<T> y(D.d_out, N, content);
        layer_(q(x), k(x), v(x), y.template as<D.d_out, N>(), scratch);
        return y;
    }

    [[nodiscard]] grid<T> as_product(const inputs<T>& x) const override
    {
        return grid<T>(headstrong::multi_head_as_product(w_, q(x), k(x), v(x)));
    }
    [[nodiscard]] grid<T> as_sum(const inputs<T>& x) const override
    {
        return grid<T>(headstrong::multi_head_as_sum(w_, q(x), k(x), v(x)));
    }

    [[nodiscard]] grid<T> expanded(const inputs<T>& x) const override
    {
        grid<T> y = expanded_head(0, x);
        for (std::size_t h = 1; h < D.heads; ++h) y = plus(y, expanded_head(h, x));
        if constexpr (contains(D.biases, headstrong::bias::o))
            for (std::size_t i = 0; i < N; ++i)
                for (std::size_t r = 0; r < D.d_out; ++r) y(r, i) += w_.b_o(r, 0);
        return y;
    }

    [[nodiscard]] reference::layer weights() const override { return reference::layer_of(w_); }
    [[nodiscard]] headstrong::plan_kind plan() const override { return Plan; }

private:
    using layer_type = headstrong::multi_head<T, D>;

    headstrong::weights<T, D> w_;
    layer_type layer_;

    [[nodiscard]] static auto q(const inputs<T>& x) { return x.q.template as<D.d_model, N>(); }
    [[nodiscard]] static auto k(const inputs<T>& x) { return x.k.template as<D.d_key, M>(); }
    [[nodiscard]] static auto v(const inputs<T>& x) { return x.v.template as<D.d_value, M>(); }

    /// W X + b, where there is a b.
    template <class W, class X, class B>
    [[nodiscard]] static auto projected(const W& w, const X& x, const B& b)
    {
        if constexpr (std::is_same_v<B, headstrong::no_bias>) return headstrong::multiply(w, x);
        else return headstrong::affine(w, x, b);
    }

    [[nodiscard]] grid<T> expanded_head(std::size_t h, const inputs<T>& x) const
    {
        const std::size_t kv = h * D.kv_heads / D.heads;
        auto queries = projected(w_.w_q[h], q(x), w_.b_q[h]);
        for (T& number : queries.elements) number *= headstrong::scaled_dot::scale<T, D.d_k>();
        const auto keys = projected(w_.w_k[kv], k(x), w_.b_k[kv]);
        const auto values = projected(w_.w_v[kv], v(x), w_.b_v[kv]);
        const auto weights = headstrong::softmax(headstrong::multiply(headstrong::transposed(keys), queries));
        return grid<T>(headstrong::multiply(headstrong::multiply(w_.w_o[h], values), weights));
    }
};

template <class T, headstrong::dims D, std::size_t N, std::size_t M, headstrong::plan_kind Plan>
[[nodiscard]] layer_case<T> layer_by()
{
    return {D, N, M, Plan, [](numbers& random) -> std::unique_ptr<const any_layer<T>> {
                return std::make_unique<layer_instance<T, D, N, M, Plan>>(random);
            }};
}

/// One size by both plans.
template <class T, headstrong::dims D, std::size_t N, std::size_t M>
[[nodiscard]] std::array<layer_case<T>, 2> layer_of()
{
    return {layer_by<T, D, N, M, headstrong::plan_kind::direct>(), layer_by<T, D, N, M, headstrong::plan_kind::absorbed>()};
}

/// All of them in one list.
template <class T, std::size_t Sizes>
[[nodiscard]] std::vector<layer_case<T>> list_of(const std::array<layer_case<T>, 2> (&sizes)[Sizes])
{
    std::vector<layer_case<T>> list;
    for (const auto& plans : sizes) list.insert(list.end(), plans.begin(), plans.end());
    return list;
}

}  // namespace property

#endif
