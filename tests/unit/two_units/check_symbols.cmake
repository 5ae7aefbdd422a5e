# SPDX-License-Identifier: BSL-1.0
# cmake -DNM=... -DOBJDUMP=... -DOLD=object -DNEW=object -P check_symbols.cmake
# Of an inline function that two objects hold, the linker keeps one. So a function of the library that is in both must have
# no instruction in NEW, compiled for AVX2, that the processor of OLD does not know.
function(weak_functions object result)
  execute_process(COMMAND ${NM} --defined-only ${object} OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[0-9a-f]+ W [^\n]*headstrong[^\n]*" lines "${lines}")
  list(TRANSFORM lines REPLACE "^[0-9a-f]+ W " "")
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

weak_functions(${OLD} old)
weak_functions(${NEW} new)
if(NOT old OR NOT new)
  message(FATAL_ERROR "no function of the library found: is this an object that uses it?")
endif()

set(shared 0)
set(wrong)
foreach(name IN LISTS new)
  if(name IN_LIST old)
    math(EXPR shared "${shared} + 1")
    execute_process(COMMAND ${OBJDUMP} -d --no-show-raw-insn --disassemble=${name} ${NEW} OUTPUT_VARIABLE code
      COMMAND_ERROR_IS_FATAL ANY)
    # VEX and EVEX instructions, then BMI, LZCNT, MOVBE
    if(code MATCHES "\t(v[a-z0-9]+|andn|bextr|blsi|blsmsk|blsr|bzhi|mulx|pdep|pext|rorx|sarx|shlx|shrx|lzcnt|tzcnt|movbe) ")
      list(APPEND wrong "${name}: ${CMAKE_MATCH_1}")
    elseif(DEFINED LIST)
      message("shared: ${name}")
    endif()
  endif()
endforeach()
list(LENGTH new total)
message("${shared} functions in both, of ${total}")
if(wrong)
  list(JOIN wrong "\n" wrong)
  message("${wrong}")
  message(FATAL_ERROR "functions with instructions of AVX2 or BMI have one name in both objects")
endif()
