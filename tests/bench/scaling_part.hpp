// SPDX-License-Identifier: BSL-1.0
#ifndef HEADSTRONG_BENCH_SCALING_PART_HPP
#define HEADSTRONG_BENCH_SCALING_PART_HPP
/// @file
/// The layers of the scaling benchmark; generated sources instantiate make_points.

#include "layer_state.hpp"
#include "scaling_points.hpp"

namespace bench {

template <std::size_t I>
void make_point(measured_point& result)
{
    constexpr scaling_point at = scaling_points[I];
    constexpr shape s{"", shape_group::square, shape_kind::layer, at.d_model, at.heads, at.d_k, at.tokens, at.tokens};
    using state = layer_state<dims_of(s), s.n, s.m>;
    const auto p = std::make_shared<const problem>(make_problem(s));
    const auto own = std::make_shared<state>(*p);
    result = {{"", repeated([=, x = p.get()] { own->call(x->x_q.data(), x->x_k.data(), x->x_v.data()); }), own->y.data(),
               static_cast<double>(state::cost.multiply_adds)},
              state::cost,
              p};
}

template <std::size_t Part>
void make_points(measured_points& results)
{
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto call = [&](auto index) {
            if constexpr (index() % SCALING_PARTS == Part) make_point<index()>(results[index()]);
        };
        (call(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<scaling_points.size()>{});
}

}  // namespace bench

#endif
