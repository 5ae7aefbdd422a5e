# SPDX-License-Identifier: BSL-1.0
# Cortex-M without operating system, by Debian's gcc-arm-none-eabi; programs run on boards of qemu-system-arm.
#   cmake -D CMAKE_TOOLCHAIN_FILE=tests/processors/cortex-m.cmake -D HEADSTRONG_CORE=m0plus|m3|m4f|m4fportable|m7|m7portable|m33|m55|m55helium
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HEADSTRONG_CORE)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

set(HEADSTRONG_CORE m4f CACHE STRING "The Cortex-M core: m0plus, m3, m4f, m4fportable, m7, m7portable, m33, m55 or m55helium")
set(flags_m0plus -mcpu=cortex-m0plus -mfloat-abi=soft)
set(flags_m3 -mcpu=cortex-m3 -mfloat-abi=soft)
set(flags_m4f -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard)
set(flags_m7 -mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard)
set(flags_m4fportable ${flags_m4f} -DHEADSTRONG_ASSEMBLY=0)
set(flags_m7portable ${flags_m7} -DHEADSTRONG_ASSEMBLY=0)
set(flags_m33 -mcpu=cortex-m33 -mfloat-abi=hard)
set(flags_m55 -mcpu=cortex-m55+nomve.fp -mfloat-abi=hard)  # or the compiler uses vectors that flush denormals
set(flags_m55helium -mcpu=cortex-m55 -mfloat-abi=hard -DHEADSTRONG_HELIUM=1)
set(board_m0plus mps2-an385)  # a Cortex-M3, which runs the code of a Cortex-M0+
set(board_m3 mps2-an385)
set(board_m4f mps2-an386)
set(board_m7 mps2-an500)
set(board_m4fportable mps2-an386)
set(board_m7portable mps2-an500)
set(board_m33 mps2-an505)
set(board_m55 mps3-an547)
set(board_m55helium mps3-an547)
set(clock_m4f 40)  # nanoseconds of a clock of the emulated board
set(clock_m7 40)
set(clock_m4fportable 40)
set(clock_m7portable 40)
set(clock_m33 50)
set(clock_m55 31.25)
set(clock_m55helium 31.25)
set(memory_m33 an505)
set(memory_m55 an547)
set(memory_m55helium an547)
if(NOT DEFINED flags_${HEADSTRONG_CORE})
  message(FATAL_ERROR "HEADSTRONG_CORE: expected m0plus, m3, m4f, m4fportable, m7, m7portable, m33, m55 or m55helium, found ${HEADSTRONG_CORE}")
endif()
if(NOT DEFINED memory_${HEADSTRONG_CORE})
  set(memory_${HEADSTRONG_CORE} mps2)
endif()

set(CMAKE_C_COMPILER arm-none-eabi-gcc)
if(NOT CMAKE_CXX_COMPILER)  # else that of the command line
  set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
endif()
list(JOIN flags_${HEADSTRONG_CORE} " " core_flags)
set(bare_metal "${CMAKE_CURRENT_LIST_DIR}/bare_metal")
set(CMAKE_C_FLAGS_INIT "-mthumb ${core_flags} -ffunction-sections -fdata-sections")
set(CMAKE_CXX_FLAGS_INIT "-mthumb ${core_flags} -ffunction-sections -fdata-sections -fno-exceptions -fno-rtti -fno-threadsafe-statics")
set(CMAKE_EXE_LINKER_FLAGS_INIT
  "--specs=rdimon.specs -nostartfiles -Wl,--gc-sections -L${bare_metal} -T${bare_metal}/${memory_${HEADSTRONG_CORE}}.ld")
set(HEADSTRONG_NANOSECONDS_OF_A_CLOCK "${clock_${HEADSTRONG_CORE}}")
set(HEADSTRONG_START_UP "${bare_metal}/start.c")
set(CMAKE_CROSSCOMPILING_EMULATOR
  qemu-system-arm -M ${board_${HEADSTRONG_CORE}} -nographic -semihosting-config enable=on,target=native -kernel)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
