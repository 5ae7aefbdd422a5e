# SPDX-License-Identifier: BSL-1.0
# cmake -DOBJDUMP=... -DOBJECT=... -P check_constant_layer.cmake
# The layer lies in .rodata, all of its four projections of 16 x 4 floats (hexadecimal 400 bytes), and nothing runs before
# main.
execute_process(COMMAND ${OBJDUMP} -t ${OBJECT} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(NOT symbols MATCHES " O \\.rodata[^ \t]*[ \t]+0+400 constant_layer\n")
  message("${symbols}")
  message(FATAL_ERROR "the layer is not in .rodata")
endif()
execute_process(COMMAND ${OBJDUMP} -h ${OBJECT} OUTPUT_VARIABLE sections COMMAND_ERROR_IS_FATAL ANY)
if(sections MATCHES "\\.(init_array|ctors)")
  message("${sections}")
  message(FATAL_ERROR "something is initialised before main")
endif()
