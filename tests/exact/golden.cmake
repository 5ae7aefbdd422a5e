# SPDX-License-Identifier: BSL-1.0
# Sets golden_core, golden_further and golden_shapes, the hashes of golden.txt.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/golden.txt golden_lines REGEX "^(core|further|shapes) [0-9a-f]+$")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/golden.txt)
foreach(line IN LISTS golden_lines)
  string(REGEX MATCH "^([a-z]+) ([0-9a-f]+)$" line "${line}")
  set(golden_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
endforeach()
