# SPDX-License-Identifier: BSL-1.0
# Linux on riscv64, by Debian's g++-riscv64-linux-gnu; programs run under qemu-riscv64.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(CMAKE_C_COMPILER riscv64-linux-gnu-gcc)
if(NOT CMAKE_CXX_COMPILER)  # else that of the command line
  set(CMAKE_CXX_COMPILER riscv64-linux-gnu-g++)
endif()
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-riscv64 -L /usr/riscv64-linux-gnu)
