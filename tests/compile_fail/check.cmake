# SPDX-License-Identifier: BSL-1.0
# cmake -DCOMPILER=... -DINCLUDES=dir;dir... -DSOURCE=... -P check.cmake
# The mistake in SOURCE must be refused as its first lines say, and with HEADSTRONG_CONTROL, the mistake put right, the
# same file must compile.
set(ENV{LC_ALL} C)
file(READ ${SOURCE} source)
list(TRANSFORM INCLUDES PREPEND -I)
set(compile ${COMPILER} -std=c++20 -fsyntax-only -fmessage-length=0 ${INCLUDES})

# The text behind `// key: ` in the source.
function(read_line key result)
  if(source MATCHES "\n// ${key}: ([^\n]*)")
    set(${result} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  endif()
endfunction()

function(fail reason)
  message("${message}")
  message(FATAL_ERROR "${SOURCE}: ${reason}")
endfunction()

function(expect text)
  string(FIND "${message}" "${text}" at)
  if(at EQUAL -1)
    fail("the compiler does not say: ${text}")
  endif()
endfunction()

read_line(error sentence)
read_line(names rule)
read_line(flags flags)
set(errors 1)
read_line(errors errors)

separate_arguments(flags UNIX_COMMAND "${flags}")
execute_process(COMMAND ${compile} ${flags} ${SOURCE} RESULT_VARIABLE refused ERROR_VARIABLE message)
if(refused EQUAL 0)
  fail("the mistake compiles")
endif()
expect("${sentence}")
expect("${rule}")
# Of a rule that is broken Clang says once more, wherever it is asked for, that it is no constant.
string(REPLACE " error: constexpr if condition is not a constant expression" "" counted "${message}")
string(REGEX MATCHALL " error: " found "${counted}")
list(LENGTH found found)
if(found GREATER errors)
  fail("${found} errors for one mistake, at most ${errors} are expected")
endif()

execute_process(COMMAND ${compile} -DHEADSTRONG_CONTROL ${SOURCE} RESULT_VARIABLE refused ERROR_VARIABLE message)
if(NOT refused EQUAL 0)
  fail("it does not compile without the mistake either")
endif()
