// SPDX-License-Identifier: BSL-1.0
// Calls as an interrupt would make them: check.cmake reads off the object what they may do.
#include "calls.hpp"

using namespace real_time;

extern "C" void call_in_your_memory(const layer& attend, const tokens& x, tokens& y, layer::workspace<16, 16>& scratch) noexcept
{
    attend(x, x, x, y, scratch);
}

extern "C" void call_causally(const layer& attend, const tokens& x, tokens& y, layer::workspace<16, 16>& scratch) noexcept
{
    attend(x, x, x, y, scratch, hs::causal{});
}

extern "C" void call_on_the_stack(const layer& attend, const tokens& x, tokens& y) noexcept { y = attend(x, x, x); }

extern "C" bool call_with_a_cache(const layer& attend, cache& past, const frame& x, frame& y,
                                  layer::cache_workspace<1, 64>& scratch) noexcept
{
    const bool room = attend.append(past, x, x);
    attend(x, past, y, scratch);
    return room;
}
