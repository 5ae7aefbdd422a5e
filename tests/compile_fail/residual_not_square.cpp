// SPDX-License-Identifier: BSL-1.0
// error: the residual form adds W_h^V X to X: d_v, d_key, d_value and d_out must equal d_model
// names: residual_form_is_square<32, 8, 32, 32, 32>
#include "headstrong/residual_attention.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
constexpr hs::dims sizes{.d_model = 32, .heads = 4, .d_v = 32};
#else
constexpr hs::dims sizes{.d_model = 32, .heads = 4};
#endif

auto mistake(const hs::residual_weights<float, sizes>& w) { return hs::residual_attention<float, sizes>(w); }
