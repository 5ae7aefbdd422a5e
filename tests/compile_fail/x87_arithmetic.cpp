// SPDX-License-Identifier: BSL-1.0
// error: headstrong needs float and double arithmetic in their own precision; on 32-bit x86 compile with -msse2 -mfpmath=sse
#ifndef HEADSTRONG_CONTROL
#undef __FLT_EVAL_METHOD__
#define __FLT_EVAL_METHOD__ 2  // what a compiler for x87 says
#endif
#include "headstrong/config.hpp"
