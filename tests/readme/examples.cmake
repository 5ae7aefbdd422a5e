# SPDX-License-Identifier: BSL-1.0
# Each example of README.md and of the comments is one that examples.cpp includes, and compiles there:
# cmake -D SOURCE=... -D BUILD=<folder> -D COMPILER="<command>" -P examples.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${BUILD})
file(MAKE_DIRECTORY ${BUILD})
file(GLOB_RECURSE headers ${SOURCE}/include/*.hpp)
execute_process(COMMAND awk -v folder=${BUILD} -f ${CMAKE_CURRENT_LIST_DIR}/examples.awk ${SOURCE}/README.md ${headers}
  OUTPUT_VARIABLE names OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" names "${names}")
list(REMOVE_ITEM names README_1.inc)  # examples/quick_start: another test compares it
file(READ ${CMAKE_CURRENT_LIST_DIR}/examples.cpp includes)
foreach(name IN LISTS names)
  string(FIND "${includes}" "#include \"${name}\"" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "an example is not compiled: let tests/readme/examples.cpp include \"${name}\", with what it needs before it")
  endif()
endforeach()
list(LENGTH names count)
execute_process(COMMAND ${COMPILER} -std=c++20 -fsyntax-only -I ${SOURCE}/include -I ${BUILD} ${CMAKE_CURRENT_LIST_DIR}/examples.cpp
  COMMAND_ERROR_IS_FATAL ANY)
message("${count} examples compile")
