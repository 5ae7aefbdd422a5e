# SPDX-License-Identifier: BSL-1.0
# cmake -DCOMPILER=... -DINCLUDES=dir;dir... -DHEADERS=<all of them, HEADERS.gch beside it> -DSOURCE=... -P check.cmake
# The mistake in SOURCE must be refused as its first lines say. A mistake that is flags must compile without them.
set(ENV{LC_ALL} C)
file(READ ${SOURCE} source)
list(TRANSFORM INCLUDES PREPEND -I)
set(compile ${COMPILER} -std=c++20 -fsyntax-only -fmessage-length=0 ${INCLUDES})
set(read_before -include ${HEADERS})

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
if(flags OR source MATCHES "#define")  # which the headers have not been read with
  set(read_before "")
endif()
execute_process(COMMAND ${compile} ${read_before} ${flags} ${SOURCE} RESULT_VARIABLE refused ERROR_VARIABLE message)
if(refused EQUAL 0)
  fail("the mistake compiles")
endif()
expect("${sentence}")
expect("${rule}")
# The sentence comes first, and alone.
string(FIND "${message}" " error: " first_error)
string(SUBSTRING "${message}" ${first_error} -1 from_first_error)
string(REGEX REPLACE "\n.*" "" first_line "${from_first_error}")
string(FIND "${first_line}" "${sentence}" at)
if(at EQUAL -1)
  fail("the first error is another one:${first_line}")
endif()
string(REGEX MATCHALL " error: " found "${message}")
list(LENGTH found found)
if(found GREATER errors)
  fail("${found} errors for one mistake, at most ${errors} are expected")
endif()

if(flags)
  execute_process(COMMAND ${compile} -DHEADSTRONG_CONTROL ${SOURCE} RESULT_VARIABLE refused ERROR_VARIABLE message)
  if(NOT refused EQUAL 0)
    fail("it does not compile without the mistake either")
  endif()
endif()
