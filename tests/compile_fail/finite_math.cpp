// SPDX-License-Identifier: BSL-1.0
// error: headstrong cannot be compiled with -ffast-math, -Ofast or their parts: they reorder sums and drop infinities, so the same call would no longer give the same bits everywhere; compile this file without them
// flags: -ffinite-math-only
#include "headstrong/config.hpp"
