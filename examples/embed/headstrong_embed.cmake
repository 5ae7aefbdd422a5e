# SPDX-License-Identifier: BSL-1.0
#[[
Trained weights as constants of a program: a C++ header made of a safetensors file whenever that file changes.

  headstrong_embed(<target>
    MODEL <file.safetensors>        # relative to the current source folder
    OUTPUT <name.hpp>               # relative to the current binary folder; <target> can include it by its file name
    [NAMESPACE <namespace>]
    [MATRICES <name=tensor>...]     # (rows, columns) or (heads, rows, columns), as headstrong::matrix
    [COLUMNS <name=tensor>...]      # (tokens, numbers), a token a column
    [LAYERS <name=prefix[:heads=4,d_k=8,...]>...]       # headstrong::weights; the sizes given are checked
    [PYTORCH_LAYERS <name=prefix:heads=4>...]           # of the state of a torch.nn.MultiheadAttention
    [PACKED header|binary])         # layers as headstrong::multi_head, packed for the kernels

`name=` may be left out where the tensor's name is a C++ name. The types have the names <name>_type if PACKED is given.
PACKED binary puts the numbers of the layers beside the header, as <name>.bin, and <name>.S that includes them in .rodata,
so a large layer costs no compile time; it needs the language ASM (`project(... LANGUAGES CXX ASM)`), an ELF target, and
little-endian numbers. The symbols are <namespace>_<name>.

The program of that name runs on the machine that compiles. It is the file HEADSTRONG_EMBED_PROGRAM if that is set; else it is built
from the sources of headstrong where they are part of the build, which is not a cross build, and CLI11 is there; else it is the one
that is installed.
]]
# Sets `program`, a target or a file.
function(headstrong_find_embed_program target)
  set(sources ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  if(NOT HEADSTRONG_EMBED_PROGRAM AND NOT CMAKE_CROSSCOMPILING)
    if(NOT TARGET headstrong_embed AND EXISTS ${sources}/main.cpp)
      add_subdirectory(${sources} ${headstrong_BINARY_DIR}/headstrong_embed EXCLUDE_FROM_ALL)
    endif()
    if(TARGET headstrong_embed)
      set(program headstrong_embed PARENT_SCOPE)
      return()
    endif()
  endif()
  find_program(HEADSTRONG_EMBED_PROGRAM headstrong_embed HINTS ${sources}/../../../bin NO_CMAKE_FIND_ROOT_PATH)
  if(HEADSTRONG_EMBED_PROGRAM)
    set(program ${HEADSTRONG_EMBED_PROGRAM} PARENT_SCOPE)
  elseif(CMAKE_CROSSCOMPILING)
    message(FATAL_ERROR "headstrong_embed(${target}): the program headstrong_embed was not found, and a cross compiler cannot make one "
      "for this machine. Build headstrong for this machine, then install it and add its folder to CMAKE_PREFIX_PATH, or say "
      "-DHEADSTRONG_EMBED_PROGRAM=<path of headstrong_embed>")
  else()
    message(FATAL_ERROR "headstrong_embed(${target}): the program headstrong_embed was not found, and it cannot be built without CLI11. "
      "Install CLI11 (Debian: libcli11-dev), or say -DHEADSTRONG_EMBED_PROGRAM=<path of headstrong_embed>")
  endif()
endfunction()

function(headstrong_embed target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MODEL;OUTPUT;NAMESPACE;PACKED" "MATRICES;COLUMNS;LAYERS;PYTORCH_LAYERS")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "headstrong_embed: expected a target, found \"${target}\"")
  endif()
  foreach(needed IN ITEMS MODEL OUTPUT)
    if(NOT arg_${needed})
      message(FATAL_ERROR "headstrong_embed(${target}): expected ${needed}, found none")
    endif()
  endforeach()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "headstrong_embed(${target}): expected the arguments described in headstrong_embed.cmake, found \"${arg_UNPARSED_ARGUMENTS}\"")
  endif()

  headstrong_find_embed_program(${target})

  cmake_path(ABSOLUTE_PATH arg_MODEL BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
  cmake_path(ABSOLUTE_PATH arg_OUTPUT BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR} NORMALIZE)
  cmake_path(GET arg_OUTPUT PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})

  set(arguments ${arg_MODEL} --output ${arg_OUTPUT})
  if(arg_NAMESPACE)
    list(APPEND arguments --namespace ${arg_NAMESPACE})
  endif()
  foreach(kind IN ITEMS MATRICES:--matrix COLUMNS:--columns LAYERS:--layer PYTORCH_LAYERS:--pytorch-layer)
    string(REPLACE ":" ";" kind ${kind})
    list(GET kind 0 list)
    list(GET kind 1 option)
    foreach(item IN LISTS arg_${list})
      list(APPEND arguments ${option} ${item})
    endforeach()
  endforeach()

  set(outputs ${arg_OUTPUT})
  if(arg_PACKED)
    list(APPEND arguments --packed ${arg_PACKED})
  endif()
  if(arg_PACKED STREQUAL "binary")
    if(NOT CMAKE_ASM_COMPILER)
      message(FATAL_ERROR "headstrong_embed(${target}): PACKED binary needs the language ASM: add it to project(... LANGUAGES), or call enable_language(ASM)")
    endif()
    cmake_path(REPLACE_EXTENSION arg_OUTPUT LAST_ONLY .S OUTPUT_VARIABLE assembler)
    cmake_path(REPLACE_EXTENSION arg_OUTPUT LAST_ONLY .bin OUTPUT_VARIABLE binary)
    list(APPEND outputs ${assembler} ${binary})
    set_source_files_properties(${assembler} PROPERTIES OBJECT_DEPENDS ${binary} INCLUDE_DIRECTORIES ${folder})
  endif()

  add_custom_command(
    OUTPUT ${outputs}
    COMMAND ${program} ${arguments}
    DEPENDS ${arg_MODEL} ${program}
    COMMENT "Embedding ${arg_MODEL}"
    VERBATIM)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    target_sources(${target} INTERFACE ${outputs})
    target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${folder}>)
  else()
    target_sources(${target} PRIVATE ${outputs})
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${folder}>)
  endif()
endfunction()
