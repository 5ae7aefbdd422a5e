# SPDX-License-Identifier: BSL-1.0
# Flags that would break the exactness contract are refused with a sentence; without them the same file compiles.
# Clang says of -fassociative-math, -freciprocal-math and -funsafe-math-optimizations nothing that a header could see, so
# those cannot be refused there.

function(refused_flags name compiler)
  set(command ${compiler} -std=c++20 -fsyntax-only -I${PROJECT_SOURCE_DIR}/include)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/refused.cpp)
  add_test(NAME exact.refuses.${name}.control COMMAND ${command} ${source} COMMAND_EXPAND_LISTS)
  foreach(flags IN LISTS ARGN)
    separate_arguments(each UNIX_COMMAND "${flags}")
    string(REPLACE " " "" test exact.refuses.${name}.${flags})
    add_test(NAME ${test} COMMAND ${command} -Wfatal-errors ${each} ${source} COMMAND_EXPAND_LISTS)
    set_tests_properties(${test} PROPERTIES
      PASS_REGULAR_EXPRESSION "error: .*headstrong cannot be compiled with -ffast-math, -Ofast or their parts")
  endforeach()
endfunction()

find_program(HEADSTRONG_g++ g++)
if(HEADSTRONG_g++)
  refused_flags(gcc ${HEADSTRONG_g++} -ffast-math -Ofast -ffinite-math-only -freciprocal-math -funsafe-math-optimizations
    "-fassociative-math -fno-signed-zeros -fno-trapping-math")
endif()
foreach(release IN ITEMS 14 16 19)
  find_program(HEADSTRONG_clang++-${release} clang++-${release})
  if(HEADSTRONG_clang++-${release})
    refused_flags(clang-${release} ${HEADSTRONG_clang++-${release}} -ffast-math -Ofast -ffinite-math-only -ffp-model=fast)
  endif()
endforeach()
