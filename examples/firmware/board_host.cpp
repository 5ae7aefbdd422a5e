// SPDX-License-Identifier: BSL-1.0
#include "board.hpp"

#include <cstdio>

namespace board {

void write(const char* text) { std::fputs(text, stdout); }
std::uint32_t instructions() { return 0; }
std::uint32_t instructions_between(std::uint32_t, std::uint32_t) { return 0; }
memory measured() { return {}; }
const bool measures = false;

}  // namespace board

int main() { return board::run() ? 0 : 1; }
