# SPDX-License-Identifier: BSL-1.0
# Linux on armv7, by Debian's g++-arm-linux-gnueabihf; programs run under qemu-arm.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-linux-gnueabihf-gcc)
if(NOT CMAKE_CXX_COMPILER)  # else that of the command line
  set(CMAKE_CXX_COMPILER arm-linux-gnueabihf-g++)
endif()
set(CMAKE_CXX_FLAGS_INIT "-mfpu=neon-vfpv4")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-arm -L /usr/arm-linux-gnueabihf)
