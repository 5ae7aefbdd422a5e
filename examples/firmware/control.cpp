// SPDX-License-Identifier: BSL-1.0
// What an image must not hold: each does not link. USES names a function of the C library that there is none of; DEFINES one
// that the program brings along.
#include "board.hpp"

#if defined(DEFINES)
extern "C" [[gnu::used]] void* DEFINES(std::size_t) { return nullptr; }
bool board::run() { return DEFINES(1) != nullptr; }
#elif defined(BEFORE_MAIN)
std::uint32_t at_start = board::instructions();
bool board::run() { return at_start != 0; }
#elif defined(USES)
extern "C" void* USES(std::size_t);
bool board::run() { return USES(1) != nullptr; }
#else
bool board::run() { return true; }
#endif
