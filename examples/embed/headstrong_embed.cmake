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

The tool is the target headstrong_embed, or a program of that name. In a cross build set HEADSTRONG_EMBED_EXECUTABLE to a
headstrong_embed that was built for the machine that compiles.
]]
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

  if(HEADSTRONG_EMBED_EXECUTABLE)
    set(tool ${HEADSTRONG_EMBED_EXECUTABLE})
    set(tool_dependency ${HEADSTRONG_EMBED_EXECUTABLE})
  elseif(TARGET headstrong_embed)
    set(tool headstrong_embed)
    set(tool_dependency headstrong_embed)
  else()
    find_program(HEADSTRONG_EMBED_EXECUTABLE headstrong_embed REQUIRED)
    set(tool ${HEADSTRONG_EMBED_EXECUTABLE})
    set(tool_dependency ${HEADSTRONG_EMBED_EXECUTABLE})
  endif()

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
    COMMAND ${tool} ${arguments}
    DEPENDS ${arg_MODEL} ${tool_dependency}
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
