// SPDX-License-Identifier: BSL-1.0
// error: a weight acts from the left (y = W x): W_h^Q is d_k x d_model, W_h^K d_k x d_key, W_h^V d_v x d_value, W_h^O d_out x d_v
// names: weight_has_the_shape_of_its_place<32, 8, 8, 32>
#include "headstrong/checks.hpp"

#ifdef HEADSTRONG_CONTROL
constexpr std::size_t rows = 8, columns = 32;
#else
constexpr std::size_t rows = 32, columns = 8;
#endif

constexpr bool mistake = headstrong::rule::weight_has_the_shape_of_its_place<rows, columns, 8, 32>::holds;
