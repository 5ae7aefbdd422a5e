# SPDX-License-Identifier: BSL-1.0
# cmake -D QEMU=... -D BOARD=... -D IMAGE=... -D HOST=... -P same_as_host.cmake
# Runs an image on a board of qemu and a program of the host: both must succeed, and the image must print every line of the host.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND ${HOST} OUTPUT_VARIABLE expected COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND ${QEMU} -M ${BOARD} -icount shift=0 -nographic -semihosting-config enable=on,target=native -kernel ${IMAGE}
  INPUT_FILE /dev/null OUTPUT_VARIABLE found ERROR_VARIABLE found RESULT_VARIABLE code)
message("${found}")
if(NOT code EQUAL 0)
  message(FATAL_ERROR "the image ended with ${code}")
endif()
string(REGEX MATCHALL "[^\n]+" lines "${expected}")
if(NOT expected MATCHES "hash [0-9a-f]+\n")
  message(FATAL_ERROR "the host prints no hash: ${expected}")
endif()
foreach(line IN LISTS lines)
  string(FIND "\n${found}" "\n${line}\n" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "the host prints what the image does not: ${line}")
  endif()
endforeach()
