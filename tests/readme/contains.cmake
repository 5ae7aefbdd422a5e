# SPDX-License-Identifier: BSL-1.0
# Fails unless `readme` contains `file`, word for word: all of it but a licence line, or its one line that matches `line`.
file(READ ${readme} text)
file(READ ${file} expected)
string(REGEX REPLACE "^// SPDX[^\n]*\n" "" expected "${expected}")
if(line)
  file(STRINGS ${file} expected REGEX "${line}")
endif()
string(FIND "${text}" "${expected}" at)
if(expected STREQUAL "" OR at EQUAL -1)
  message(FATAL_ERROR "${readme} does not contain this part of ${file}:\n${expected}")
endif()
