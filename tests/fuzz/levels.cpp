// SPDX-License-Identifier: BSL-1.0
// Compiled for each instruction set: LEVEL is the name of the function.
#include "levels.hpp"

void fuzz::LEVEL(const small_layer& layer, const small_tokens& x, small_tokens& direct, small_tokens& absorbed)
{
    direct = layer(x, x, x, headstrong::by<headstrong::plan_kind::direct>);
    absorbed = layer(x, x, x, headstrong::by<headstrong::plan_kind::absorbed>);
}
