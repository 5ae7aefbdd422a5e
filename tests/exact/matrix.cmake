# SPDX-License-Identifier: BSL-1.0
# hash.cpp built by several compilers with many sets of flags; every program must print the total of golden.txt. The programs
# are custom commands because one CMake project has one compiler, and they are built side by side.
#
# Inputs and constant evaluation do not depend on flags, so constants.cpp is built once for each compiler. One program of
# each of the two main compilers also computes by portable lanes and through the public functions.

include(golden.cmake)

add_executable(exact_processor processor.cpp)
target_link_libraries(exact_processor PRIVATE headstrong_warnings)

# Three sets of cases: core, twelve layers of all sizes, for every set of flags; further, every function, plan, mask, score and kind, and
# shapes, those of the benchmark, for some, and for more by the target run_matrix.
set(cases_core "")
set(cases_further -DHASH_FURTHER_CASES)
set(cases_shapes -DHASH_SHAPE_CASES)

# The hash on whatever machine this build is for; on x86-64 the programs below compute it.
set(cases_here "")
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(cases_here core further shapes)
endif()
foreach(cases IN LISTS cases_here)
  add_executable(exact_hash_${cases} hash.cpp constants.cpp)
  target_compile_options(exact_hash_${cases} PRIVATE ${cases_${cases}})
  target_link_libraries(exact_hash_${cases} PRIVATE headstrong::headstrong headstrong_warnings headstrong_native)
  add_test(NAME exact.hash.${cases}.this_build COMMAND exact_hash_${cases} ${golden_${cases}})
  list(APPEND hash_lines "${cases}.this build||any|$<TARGET_FILE:exact_hash_${cases}>")
  list(APPEND hash_targets exact_hash_${cases})
endforeach()

set(hash_folder ${CMAKE_CURRENT_BINARY_DIR}/hash)
set(hash_flags ${command_flags} -I${PROJECT_SOURCE_DIR}/tests ${command_folders})
set(hash_programs "")
set(hash_programs_of_matrix "")

# One object of constants.cpp by `compiler`.
function(hash_constants compiler object)
  add_custom_command(OUTPUT ${object} DEPFILE ${object}.d
    COMMAND ${compiler} ${hash_flags} ${ARGN} -O1 -MD -MF ${object}.d -MT ${object} -c ${CMAKE_CURRENT_SOURCE_DIR}/constants.cpp -o ${object}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/constants.cpp COMMENT "Constants of ${object}" COMMAND_EXPAND_LISTS VERBATIM)
endfunction()

# How one program is made.
function(hash_program program cases compiler level)
  cmake_path(GET program FILENAME name)
  cmake_path(GET compiler FILENAME compiler_name)
  set(constants ${hash_folder}/${cases}-${compiler_name}.o)
  add_custom_command(OUTPUT ${program} DEPFILE ${program}.d
    COMMAND ${compiler} ${hash_flags} ${cases_${cases}} -march=${level} ${ARGN} -MD -MF ${program}.d -MT ${program}
            ${CMAKE_CURRENT_SOURCE_DIR}/hash.cpp ${constants} -o ${program}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/hash.cpp ${constants} COMMENT "Hash program ${name}" COMMAND_EXPAND_LISTS VERBATIM)
endfunction()

# One program and its test, or no test if `by` is `by_matrix`: core, further or shapes, its name, the command of the compiler or NOTFOUND,
# the instruction set, more flags.
function(hash_configuration by cases flags_name compiler level)
  set(name ${cases}.${flags_name})
  set(program ${hash_folder}/${name})
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    set(skipped "skipped: -march=${level} is for x86-64 processors")
  elseif(NOT compiler)
    set(skipped "skipped: its compiler is not installed")
  endif()
  if(by STREQUAL by_matrix)
    if(NOT DEFINED skipped)
      hash_program(${program} ${cases} ${compiler} ${level} ${ARGN})
      set(hash_programs_of_matrix ${hash_programs_of_matrix} ${program} PARENT_SCOPE)
    endif()
    set(hash_lines_of_matrix ${hash_lines_of_matrix} "${name}|${skipped}|${level}|${program}" PARENT_SCOPE)
    return()
  endif()
  if(DEFINED skipped)
    add_test(NAME exact.hash.${name} COMMAND ${CMAKE_COMMAND} -E echo "${skipped}")
    set_tests_properties(exact.hash.${name} PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: ")
    set(hash_lines ${hash_lines} "${name}|${skipped}||" PARENT_SCOPE)
    return()
  endif()
  hash_program(${program} ${cases} ${compiler} ${level} ${ARGN})
  add_test(NAME exact.hash.${name} COMMAND exact_processor ${level} ${program} ${golden_${cases}})
  set_tests_properties(exact.hash.${name} PROPERTIES SKIP_RETURN_CODE 77)
  set(hash_programs ${hash_programs} ${program} PARENT_SCOPE)
  set(hash_lines ${hash_lines} "${name}||${level}|${program}" PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY ${hash_folder})
foreach(compiler IN ITEMS g++ clang++-14 clang++-16 clang++-19)
  find_program(HEADSTRONG_${compiler} ${compiler})
  mark_as_advanced(HEADSTRONG_${compiler})
  if(HEADSTRONG_${compiler})
    foreach(cases IN ITEMS core further shapes)
      hash_constants(${HEADSTRONG_${compiler}} ${hash_folder}/${cases}-${compiler}.o ${cases_${cases}})
    endforeach()
  endif()
endforeach()

foreach(compiler IN ITEMS g++ clang++-19)
  foreach(level IN ITEMS x86-64 x86-64-v3 x86-64-v4)
    foreach(optimisation IN ITEMS O0 O2 O3)
      foreach(contraction IN ITEMS off fast)
        set(name ${compiler}.${level}.${optimisation}.contract-${contraction})
        set(every_way "")
        if(name MATCHES "x86-64-v3[.]O0[.]contract-fast$")
          string(APPEND name .every_way)
          set(every_way -DHASH_EVERY_WAY=1)
        endif()
        hash_configuration(by_test core ${name} "${HEADSTRONG_${compiler}}" ${level} -${optimisation} -ffp-contract=${contraction} ${every_way})
      endforeach()
    endforeach()
    foreach(cases IN ITEMS further shapes)
      set(by by_matrix)
      if("${cases} ${compiler} ${level}" MATCHES "^(further g[+][+] x86-64-v4|shapes g[+][+] x86-64-v3|shapes clang[+][+]-19 x86-64-v4)$")
        set(by by_test)
      endif()
      hash_configuration(${by} ${cases} ${compiler}.${level}.O2.contract-fast "${HEADSTRONG_${compiler}}" ${level} -O2 -ffp-contract=fast)
    endforeach()
  endforeach()
endforeach()
# Multiply-adds in hardware but no vectors, the portable C++ of Arm and RISC-V: the last -march is the one that counts.
hash_configuration(by_test core g++.single_numbers.O1 "${HEADSTRONG_g++}" x86-64-v3 -O1 -march=x86-64 -mfma)
hash_configuration(by_matrix core clang++-19.single_numbers.O3 "${HEADSTRONG_clang++-19}" x86-64-v3 -O3 -march=x86-64 -mfma)
hash_configuration(by_matrix further g++.single_numbers.O2 "${HEADSTRONG_g++}" x86-64-v3 -O2 -march=x86-64 -mfma)
hash_configuration(by_matrix core g++.x86-64-v4.O1.every_way "${HEADSTRONG_g++}" x86-64-v4 -O1 -ffp-contract=fast -DHASH_EVERY_WAY=1)
hash_configuration(by_matrix core clang++-19.x86-64-v4.O1.every_way "${HEADSTRONG_clang++-19}" x86-64-v4 -O1 -ffp-contract=fast -DHASH_EVERY_WAY=1)
hash_configuration(by_matrix core clang++-14.x86-64-v3.O2 "${HEADSTRONG_clang++-14}" x86-64-v3 -O2)
hash_configuration(by_matrix core clang++-16.x86-64-v4.O3 "${HEADSTRONG_clang++-16}" x86-64-v4 -O3)
hash_configuration(by_matrix core g++.x86-64-v3.Os "${HEADSTRONG_g++}" x86-64-v3 -Os)
hash_configuration(by_test further clang++-19.x86-64-v3.O0 "${HEADSTRONG_clang++-19}" x86-64-v3 -O0)
hash_configuration(by_matrix further clang++-19.x86-64-v3.O0.every_way "${HEADSTRONG_clang++-19}" x86-64-v3 -O0 -DHASH_EVERY_WAY=1)
hash_configuration(by_matrix further clang++-14.x86-64-v4.O1 "${HEADSTRONG_clang++-14}" x86-64-v4 -O1)
hash_configuration(by_matrix further g++.x86-64-v4.O3.contract-off "${HEADSTRONG_g++}" x86-64-v4 -O3 -ffp-contract=off)

add_custom_target(exact_hash_matrix ALL DEPENDS ${hash_programs})
add_custom_target(exact_hash_rest DEPENDS ${hash_programs_of_matrix})
list(JOIN hash_lines "\n" lines)
file(GENERATE OUTPUT ${hash_folder}/tests.txt CONTENT "${lines}\n")
list(JOIN hash_lines_of_matrix "\n" lines)
file(GENERATE OUTPUT ${hash_folder}/rest.txt CONTENT "${lines}\n")

# A table of the programs that tests have run, and of all.
set(hash_table -D PROCESSOR=$<TARGET_FILE:exact_processor> -P ${CMAKE_CURRENT_SOURCE_DIR}/table.cmake)
add_test(NAME exact.hash.table COMMAND ${CMAKE_COMMAND} -D PROGRAMS=${hash_folder}/tests.txt ${hash_table})
add_custom_target(run_hash_table COMMAND ${CMAKE_COMMAND} -D "PROGRAMS=${hash_folder}/tests.txt;${hash_folder}/rest.txt" ${hash_table}
  USES_TERMINAL VERBATIM)
add_dependencies(run_hash_table exact_hash_matrix exact_hash_rest exact_processor ${hash_targets})
add_dependencies(run_matrix run_hash_table)
