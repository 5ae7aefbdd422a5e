// SPDX-License-Identifier: BSL-1.0
// error: a span seen as a matrix must hold exactly rows times columns numbers
#include "headstrong/view.hpp"

#include <span>

#ifdef HEADSTRONG_CONTROL
using numbers = std::span<const float, 12>;
#else
using numbers = std::span<const float>;
#endif

auto mistake(numbers s) { return headstrong::rows<3, 4>(s); }
