// SPDX-License-Identifier: BSL-1.0
// Compiles, but not with flags that let a compiler reorder sums or forget infinities: see refusals.cmake.
#include "headstrong/headstrong.hpp"

static_assert(headstrong::softmax(headstrong::matrix<float, 2, 1>{1, 1}) == headstrong::matrix<float, 2, 1>{0.5f, 0.5f});
