# SPDX-License-Identifier: BSL-1.0
# Counts what calls cost on emulated chips and prints a line for each core and shape: executed instructions, in all and for each
# multiply-add, bytes of scratch memory, bytes of code of that call alone.
#   cmake -D SOURCE=<the project> -D BUILD=<folder> [-D ONLY=<a list of cores>] [-D LEVEL=O2] -P instructions.cmake
cmake_minimum_required(VERSION 3.25)
if(NOT ONLY)
  set(ONLY m4f m4fportable m7 m7portable m33 m55 m55helium)
endif()
if(NOT LEVEL)
  set(LEVEL O2)
endif()
set(board_m4f mps2-an386)
set(board_m7 mps2-an500)
set(board_m4fportable mps2-an386)
set(board_m7portable mps2-an500)
set(board_m33 mps2-an505)
set(board_m55 mps3-an547)
set(board_m55helium mps3-an547)

message("core (tokens, d_model, heads, head size) instructions, of a multiply-add, scratch, code")
foreach(core IN LISTS ONLY)
  set(build ${BUILD}/${core})
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${build} -G Ninja -D HEADSTRONG_CORE=${core}
    -D CMAKE_TOOLCHAIN_FILE=${SOURCE}/tests/processors/cortex-m.cmake -D CMAKE_BUILD_TYPE=Release
    -D CMAKE_CXX_FLAGS_RELEASE=-${LEVEL} -D HEADSTRONG_BUILD_EXAMPLES=OFF -D HEADSTRONG_BUILD_TESTS=ON
    OUTPUT_VARIABLE log ERROR_VARIABLE log COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${build} --target instructions COMMAND_ERROR_IS_FATAL ANY
    OUTPUT_VARIABLE log)
  file(GLOB_RECURSE program ${build}/*/instructions)
  execute_process(COMMAND qemu-system-arm -M ${board_${core}} -nographic -icount shift=0
    -semihosting-config enable=on,target=native -kernel ${program} INPUT_FILE /dev/null OUTPUT_VARIABLE lines
    COMMAND_ERROR_IS_FATAL ANY TIMEOUT 300)
  string(REGEX REPLACE "\n" ";" lines "${lines}")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^([A-Z]) ([0-9]+) ([0-9]+) ([0-9]+) ([0-9]+) (.*) ([0-9.]+) ([0-9]+)$")
      continue()
    endif()
    set(sizes "(${CMAKE_MATCH_2}, ${CMAKE_MATCH_3}, ${CMAKE_MATCH_4}, ${CMAKE_MATCH_5})")
    set(numbers "${CMAKE_MATCH_6}  ${CMAKE_MATCH_7}  ${CMAKE_MATCH_8}")
    string(TOLOWER ${CMAKE_MATCH_1} instance)
    file(GLOB_RECURSE object ${build}/*/instance_${instance})
    execute_process(COMMAND arm-none-eabi-size ${object} OUTPUT_VARIABLE size COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCH "\n *([0-9]+)" size "${size}")
    message("${core} ${sizes} ${numbers}  ${CMAKE_MATCH_1}")
  endforeach()
endforeach()
