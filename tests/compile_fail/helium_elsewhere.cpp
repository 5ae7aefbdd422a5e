// SPDX-License-Identifier: BSL-1.0
// error: headstrong needs the vectors of Helium for float where HEADSTRONG_HELIUM is 1: compile with -mcpu=cortex-m55 -mfloat-abi=hard, or leave it undefined
#ifndef HEADSTRONG_CONTROL
#define HEADSTRONG_HELIUM 1
#endif
#include "headstrong/config.hpp"
