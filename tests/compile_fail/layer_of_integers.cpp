// SPDX-License-Identifier: BSL-1.0
// error: the numbers of a layer or matrix product are float or double
// names: numbers_are_float_or_double<int>
#include "headstrong/multi_head.hpp"

namespace hs = headstrong;

#ifdef HEADSTRONG_CONTROL
using number = float;
#else
using number = int;
#endif

constexpr hs::dims sizes{.d_model = 8, .heads = 2};
auto mistake(const hs::weights<number, sizes>& w) { return hs::multi_head<number, sizes>(w); }
