// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_TESTS_PROPERTY_LAYERS_HPP
#define HEADSTRONG_TESTS_PROPERTY_LAYERS_HPP
/// @file
/// Layers of many sizes with all forms of their calls, behind one type.

#include "estimate.hpp"
#include "grid.hpp"
#include "inputs.hpp"
#include "numbers.hpp"

#include "reference/reference.hpp"

#include <headstrong/headstrong.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace property {

/// A layer of equal heads with its weights, called by one plan.
template <class T>
class any_layer {
public:
    any_layer() = default;
    any_layer(const any_layer&) = delete;
    any_layer& operator=(const any_layer&) = delete;
    virtual ~any_layer() = default;

    /// multi_head, its result by value.
    [[nodiscard]] virtual grid<T> operator()(const inputs<T>& x) const = 0;
    /// multi_head into an output and with a workspace that both hold `content` before the call.
    [[nodiscard]] virtual grid<T> over(T content, const inputs<T>& x) const = 0;
    /// The forms of forms.hpp.
    [[nodiscard]] virtual grid<T> as_product(const inputs<T>& x) const = 0;
    [[nodiscard]] virtual grid<T> as_sum(const inputs<T>& x) const = 0;
    /// sum_h W_h^O (W_h^V V + b) Softmax(f(W_h^Q Q + b, W_h^K K + b)) + b, matrix by matrix.
    [[nodiscard]] virtual grid<T> expanded(const inputs<T>& x) const = 0;

    [[nodiscard]] virtual reference::layer weights() const = 0;
    [[nodiscard]] virtual headstrong::plan_kind plan() const = 0;
    [[nodiscard]] estimates expected(const inputs<T>& x) const
    {
        if (plan() == headstrong::plan_kind::direct) return expected_directly(x);
        return absorbed_multi_head<T>(weights(), exact(x.q), exact(x.k), exact(x.v));
    }
    /// By the direct plan, and of as_product and as_sum, whatever the plan of the calls is.
    [[nodiscard]] estimates expected_directly(const inputs<T>& x) const
    {
        return multi_head<T>(weights(), exact(x.q), exact(x.k), exact(x.v));
    }
    [[nodiscard]] estimates expected_expanded(const inputs<T>& x) const
    {
        return expanded_multi_head<T>(weights(), exact(x.q), exact(x.k), exact(x.v));
    }
};

/// One size of layer, n, m and a plan.
template <class T>
struct layer_case {
    headstrong::dims sizes;
    std::size_t n, m;
    headstrong::plan_kind plan;
    std::unique_ptr<const any_layer<T>> (*make)(numbers& random);

    [[nodiscard]] std::unique_ptr<const any_layer<T>> random_layer(numbers& random) const { return make(random); }
    [[nodiscard]] inputs<T> random_inputs(numbers& random) const
    {
        return {random.grid<T>(sizes.d_model, n), random.grid<T>(sizes.d_key, m), random.grid<T>(sizes.d_value, m)};
    }
};

/// Each by both plans. Together, every size is each of 1, 2, 3, 5, 8, 15, 16, 17, 35 in one of them.
[[nodiscard]] std::vector<layer_case<float>> layers_of_float();
[[nodiscard]] std::vector<layer_case<double>> layers_of_double();

}  // namespace property

#endif
