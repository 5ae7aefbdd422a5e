# SPDX-License-Identifier: BSL-1.0
# Builds the hash for other processors, runs it on their emulators and prints a line for each: processor, compiler, level, hash.
# Fails where a hash is not that of golden.txt, or where NaN does not go where README says.
#   cmake -D SOURCE=<the project> -D BUILD=<folder> [-D ONLY=<a list of names>] [-D CASES=core] -P matrix.cmake
cmake_minimum_required(VERSION 3.25)

# name | toolchain file | level | further arguments of the configuration
set(processors
  "cortex-m0plus|cortex-m|O2|-DHEADSTRONG_CORE=m0plus"
  "cortex-m3|cortex-m|O2|-DHEADSTRONG_CORE=m3"
  "cortex-m4f|cortex-m|O2|-DHEADSTRONG_CORE=m4f"
  "cortex-m4f-small|cortex-m|Os|-DHEADSTRONG_CORE=m4f"
  "cortex-m7|cortex-m|O3|-DHEADSTRONG_CORE=m7"
  "cortex-m4f-portable|cortex-m|O2|-DHEADSTRONG_CORE=m4fportable"
  "cortex-m7-portable|cortex-m|O3|-DHEADSTRONG_CORE=m7portable"
  "cortex-m33|cortex-m|O2|-DHEADSTRONG_CORE=m33"
  "cortex-m55|cortex-m|O2|-DHEADSTRONG_CORE=m55"
  "cortex-m55-helium|cortex-m|O2|-DHEADSTRONG_CORE=m55helium"
  "cortex-m55-helium-small|cortex-m|Os|-DHEADSTRONG_CORE=m55helium"
  "aarch64|aarch64|O2|"
  "aarch64-clang|aarch64|O2|-DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_CXX_COMPILER_TARGET=aarch64-linux-gnu"
  "riscv64|riscv64|O2|"
  "riscv64-clang|riscv64|O2|-DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_CXX_COMPILER_TARGET=riscv64-linux-gnu"
  "armv7|armv7|O2|"
  "i686|i686|O2|")
if(NOT CASES)
  set(CASES core further shapes)
endif()

set(failed "")
foreach(line IN LISTS processors)
  string(REGEX MATCH "^(.*)[|](.*)[|](.*)[|](.*)$" line "${line}")
  set(name ${CMAKE_MATCH_1})
  set(toolchain ${CMAKE_MATCH_2})
  set(level ${CMAKE_MATCH_3})
  separate_arguments(arguments UNIX_COMMAND "${CMAKE_MATCH_4}")
  if(ONLY AND NOT name IN_LIST ONLY)
    continue()
  endif()
  set(cases_here ${CASES})
  if(toolchain STREQUAL cortex-m)
    list(REMOVE_ITEM cases_here shapes)  # too large
  endif()
  list(TRANSFORM cases_here PREPEND hash_ OUTPUT_VARIABLE programs)
  list(APPEND programs not_a_number)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BUILD}/${name} -G Ninja
    -DCMAKE_TOOLCHAIN_FILE=${SOURCE}/tests/processors/${toolchain}.cmake -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-${level}
    -DHEADSTRONG_BUILD_EXAMPLES=OFF -DHEADSTRONG_BUILD_TESTS=ON ${arguments}
    OUTPUT_VARIABLE log ERROR_VARIABLE log RESULT_VARIABLE code)
  file(GLOB compiler ${BUILD}/${name}/CMakeFiles/*/CMakeCXXCompiler.cmake)
  if(name MATCHES "-clang$" AND compiler)
    file(STRINGS ${compiler} compiler REGEX "CMAKE_CXX_COMPILER_ID \"")
    if(NOT compiler MATCHES "Clang")  # a row must be built by what it is named after
      set(log "${name}: error: expected Clang as the compiler, found ${compiler}\n")
      set(code 1)
    endif()
  endif()
  if(code EQUAL 0)
    execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD}/${name} --target ${programs}
      OUTPUT_VARIABLE log ERROR_VARIABLE log RESULT_VARIABLE code)
  endif()
  foreach(cases IN LISTS cases_here)
    set(result "does not build")
    if(code EQUAL 0)
      execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${BUILD}/${name} -R "^exact.(hash.${cases}|not_a_number)$" -V
        OUTPUT_VARIABLE log ERROR_VARIABLE log RESULT_VARIABLE test_code)
      if(test_code EQUAL 0 AND log MATCHES "total ([0-9a-f]+)")
        set(result ${CMAKE_MATCH_1})
      else()
        set(result "failed")
      endif()
    endif()
    if(NOT result MATCHES "^[0-9a-f]+$")
      list(APPEND failed "${name}")
      string(REGEX MATCH "(error|CMake Error|differs|wrong at)[^\n]*" reason "${log}")
      string(APPEND result ": ${reason}")
    endif()
    string(LENGTH "${cases} ${name} -${level}" length)
    math(EXPR missing "40 - ${length}")
    string(REPEAT " " ${missing} blanks)
    message("${cases} ${name} -${level}${blanks}${result}")
  endforeach()
endforeach()
if(failed)
  message(FATAL_ERROR "not the hash of golden.txt: ${failed}")
endif()
