# SPDX-License-Identifier: BSL-1.0
# Linux on i686, by Debian's g++-i686-linux-gnu; programs run under qemu-i386.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_COMPILER i686-linux-gnu-gcc)
if(NOT CMAKE_CXX_COMPILER)  # else that of the command line
  set(CMAKE_CXX_COMPILER i686-linux-gnu-g++)
endif()
set(CMAKE_CXX_FLAGS_INIT "-msse2 -mfpmath=sse")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-i386 -L /usr/i686-linux-gnu)
