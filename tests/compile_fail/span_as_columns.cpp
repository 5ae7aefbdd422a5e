// SPDX-License-Identifier: BSL-1.0
// error: a span seen as a matrix must hold exactly rows times columns numbers
// names: span_holds_the_matrix<11, 4, 3>
#include "headstrong/view.hpp"

#include <span>

#ifdef HEADSTRONG_CONTROL
constexpr std::size_t numbers = 12;
#else
constexpr std::size_t numbers = 11;
#endif

auto mistake(std::span<const float, numbers> s) { return headstrong::columns<4, 3>(s); }
