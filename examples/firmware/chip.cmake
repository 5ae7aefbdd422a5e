# SPDX-License-Identifier: BSL-1.0
#[[
A program for the host and, with nothing of an operating system or a C library, for a Cortex-M4F and a Cortex-M7:

  headstrong_chip_program(<name> SOURCES <file>... [INCLUDES <folder>...] [DEPENDS <generated file>...])

makes <name>_host, and where arm-none-eabi-g++ and qemu-system-arm are installed <name>_m4f.elf and <name>_m7.elf. The target
run_<name> runs both on the boards of qemu, by `-icount shift=0` so that their clock counts instructions, and holds what they print
against what the host prints; if tests are built, so does the test examples.<name>.<core>.
]]
set(chip_folder ${CMAKE_CURRENT_LIST_DIR})
set(chip_core_m4f -mcpu=cortex-m4 -mfpu=fpv4-sp-d16)
set(chip_core_m7 -mcpu=cortex-m7 -mfpu=fpv5-d16)
set(chip_board_m4f mps2-an386)
set(chip_board_m7 mps2-an500)
set(chip_flags -mfloat-abi=hard -mthumb -std=c++20 -O2 -DNDEBUG -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics
  -fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion -Werror)
# All that an image is linked with beside its own objects: GCC's arithmetic.
set(chip_link -mfloat-abi=hard -mthumb -nostdlib -Wl,--gc-sections -T ${chip_folder}/part.ld)

set(chip_missing "")
foreach(program IN ITEMS arm-none-eabi-g++ qemu-system-arm)
  find_program(HEADSTRONG_${program} ${program})
  mark_as_advanced(HEADSTRONG_${program})
  if(NOT HEADSTRONG_${program})
    list(APPEND chip_missing ${program})
  endif()
endforeach()

# A cross compiler must not see the host's /usr/include: Boost's headers get a folder of their own.
set(chip_headers ${PROJECT_BINARY_DIR}/foreign_headers)
file(MAKE_DIRECTORY ${chip_headers})
find_path(HEADSTRONG_BOOST_INCLUDE_DIR boost/hana.hpp PATHS ${Boost_INCLUDE_DIRS} REQUIRED)
mark_as_advanced(HEADSTRONG_BOOST_INCLUDE_DIR)
file(CREATE_LINK ${HEADSTRONG_BOOST_INCLUDE_DIR}/boost ${chip_headers}/boost SYMBOLIC)

function(headstrong_chip_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;INCLUDES;DEPENDS")
  add_executable(${name}_host ${arg_SOURCES} ${chip_folder}/board_host.cpp)
  target_link_libraries(${name}_host PRIVATE headstrong::headstrong headstrong_warnings headstrong_native)
  target_include_directories(${name}_host PRIVATE ${chip_folder} ${arg_INCLUDES})

  set(includes -I${PROJECT_SOURCE_DIR}/include -isystem ${chip_headers} -I${chip_folder} -I${CMAKE_CURRENT_BINARY_DIR})
  list(TRANSFORM arg_INCLUDES PREPEND -I${CMAKE_CURRENT_SOURCE_DIR}/)
  set(run_both "")
  foreach(core IN ITEMS m4f m7)
    if(NOT chip_missing)
      set(objects "")
      foreach(source IN LISTS arg_SOURCES ITEMS ${chip_folder}/board_chip.cpp)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
        cmake_path(GET source STEM stem)
        set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}_${core}.${stem}.o)
        add_custom_command(OUTPUT ${object}
          COMMAND ${HEADSTRONG_arm-none-eabi-g++} ${chip_core_${core}} ${chip_flags} ${includes} ${arg_INCLUDES} -MD -MF ${object}.d
            -c ${source} -o ${object}
          DEPENDS ${source} ${arg_DEPENDS} DEPFILE ${object}.d
          COMMENT "Compiling ${stem} for Cortex-${core}" VERBATIM)
        list(APPEND objects ${object})
      endforeach()
      set(image ${CMAKE_CURRENT_BINARY_DIR}/${name}_${core}.elf)
      add_custom_command(OUTPUT ${image}
        COMMAND ${HEADSTRONG_arm-none-eabi-g++} ${chip_core_${core}} ${chip_link} ${objects} -lgcc -o ${image}
        DEPENDS ${objects} ${chip_folder}/part.ld VERBATIM)
      add_custom_target(${name}_${core} ALL DEPENDS ${image})
      add_dependencies(${name}_${core} ${name}_host)
      set(run ${CMAKE_COMMAND} -D QEMU=${HEADSTRONG_qemu-system-arm} -D BOARD=${chip_board_${core}} -D IMAGE=${image}
        -D HOST=$<TARGET_FILE:${name}_host> -P ${chip_folder}/same_as_host.cmake)
      list(APPEND run_both COMMAND ${run})
    endif()
    if(HEADSTRONG_BUILD_TESTS)
      if(chip_missing)
        add_test(NAME examples.${name}.${core} COMMAND ${CMAKE_COMMAND} -E echo "skipped: not installed: ${chip_missing}")
      else()
        add_test(NAME examples.${name}.${core} COMMAND ${run})
      endif()
      set_tests_properties(examples.${name}.${core} PROPERTIES TIMEOUT 300 SKIP_REGULAR_EXPRESSION "^skipped: ")
    endif()
  endforeach()
  if(run_both)
    add_custom_target(run_${name} ${run_both} USES_TERMINAL VERBATIM)
    add_dependencies(run_${name} ${name}_m4f ${name}_m7)
  endif()
endfunction()
