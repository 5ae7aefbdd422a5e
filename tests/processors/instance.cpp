// SPDX-License-Identifier: BSL-1.0
// The code of one call, without start-up and text: what the linker keeps of it is what one instance costs in flash.
#include "instances.hpp"

extern "C" void call_layer() { tests::INSTANCE::call(); }
