# SPDX-License-Identifier: BSL-1.0
# README.md's whole CMakeLists.txt builds its PyTorch layer here, and with its toolchain file and by its line for the hand on a chip:
# cmake -D README=... -D COMPILER=... -D INSTALLED=<prefix> -D MODEL=<file> -D BUILD=... -P own_project.cmake
cmake_minimum_required(VERSION 3.25)
file(READ ${README} text)
string(REPLACE "/opt/headstrong" "${INSTALLED}" text "${text}")

# The part of README that matches, in parentheses.
function(cut name pattern)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "README.md has no ${name}")
  endif()
  set(${name} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()
cut(project "```cmake\n(cmake_minimum_required[^`]*)```")
cut(toolchain "```cmake\n(set[(]CMAKE_SYSTEM_NAME[^`]*)```")
cut(layer "```cpp\n(constexpr [^`]* encoder{model::encoder};\n)```")
cut(by_hand "```sh\n(arm-none-eabi-g[+][+] [^`]*)```")
cut(configure_for_chip "```sh\n(cmake -S [^\n]*-DCMAKE_TOOLCHAIN_FILE=[^\n]*)\n```")
cut(configure "`(cmake -S [.] -B build [^`]*)`")

file(REMOVE_RECURSE ${BUILD})
file(COPY ${MODEL} DESTINATION ${BUILD})
file(WRITE ${BUILD}/cortex-m4.cmake "${toolchain}")
file(WRITE ${BUILD}/main.cpp "#include <headstrong/headstrong.hpp>\n#include \"model.hpp\"\nnamespace hs = headstrong;\n${layer}"
  "int main()\n{\n    hs::matrix<float, 32, 5> x{};\n    x(3, 2) = 1;\n    const auto y = encoder(x, x, x);\n"
  "    return y(0, 0) == y(0, 0) ? 0 : 1;\n}\n")

function(run command)
  execute_process(COMMAND sh -c "${command}" WORKING_DIRECTORY ${BUILD} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
string(REPLACE "-march=x86-64-v3" "-march=native" project_here "${project}")  # so that it runs
file(WRITE ${BUILD}/CMakeLists.txt "${project_here}")
set(ENV{CXX} ${COMPILER})
run("${configure}")
run("build/mine")

find_program(cross arm-none-eabi-g++)
if(cross)
  string(REPLACE " -march=x86-64-v3" "" project_chip "${project}")
  file(WRITE ${BUILD}/CMakeLists.txt "${project_chip}")
  run("${configure_for_chip}")
  run("${by_hand}")
endif()
