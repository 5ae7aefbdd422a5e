// SPDX-License-Identifier: BSL-1.0
// FILTER is the name that the build gives the function, beside -march. The library's functions bear the instruction set in
// their names. Inline functions of your own do not: keep them in an unnamed namespace, or the linker takes one unit's for all.
#include "filter.hpp"

void dispatch::FILTER(const layer& attend, const tokens& x, tokens& y) noexcept
{
    layer::workspace<tokens::columns, tokens::columns> scratch;
    attend(x, x, x, y, scratch);
}
