# SPDX-License-Identifier: BSL-1.0
# From an index.json to a program. All sizes are template arguments, so each distinct shape in the index becomes a
# translation unit with one function, which runs every case of that shape; a generated table names the cases.
#
# A kind of case is served by a function conformance_kind_<kind, as a C identifier>(case), which sets in its caller
#   unsupported   the features for which the case cannot run, a list; if there are any, it is listed and counted only
#   shape         the name of the shape, a part of an identifier
#   header, call  what the shape's translation unit includes and what it instantiates: `call` takes a case_file
# To serve a new kind, add such a function and its header. To serve a new feature of a kind, take its line away from
# the features that are refused, add it to the shape's name and hand it to the header.

# An attribute of a case, or `fallback` where it has none.
function(conformance_attribute result case name fallback)
  string(JSON value ERROR_VARIABLE absent GET "${case}" attributes "${name}")
  if(absent)
    set(value "${fallback}")
  endif()
  set(${result} "${value}" PARENT_SCOPE)
endfunction()

# The following are for such functions and read their `case`. It must not be an argument of a macro, which would read the
# backslashes in it once more.

# Sets a variable for each attribute named, all of which must be whole numbers above 0.
macro(conformance_sizes)
  foreach(name ${ARGN})
    conformance_attribute(${name} "${case}" ${name} "absent")
    if(NOT ${name} MATCHES "^[1-9][0-9]*$")
      list(APPEND unsupported "${name} = ${${name}}")
    endif()
  endforeach()
endmacro()

# Refuses the case unless the attribute has the one value that is served. An absent attribute has that value.
macro(conformance_only name served)
  conformance_attribute(value "${case}" ${name} "${served}")
  if(NOT value STREQUAL "${served}")
    list(APPEND unsupported "${name} = ${value}")
  endif()
endmacro()

# Refuses the case if nothing else does and it has a tensor that is not among those `known`: it may change the result.
macro(conformance_known_tensors)
  string(JSON tensors LENGTH "${case}" tensors)
  math(EXPR last_tensor "${tensors} - 1")
  set(unknown "")
  foreach(t RANGE ${last_tensor})
    string(JSON tensor MEMBER "${case}" tensors ${t})
    if(NOT tensor IN_LIST known AND NOT tensor MATCHES "^expected64_")
      list(APPEND unknown "tensor ${tensor}")
    endif()
  endforeach()
  if(NOT unsupported)
    set(unsupported "${unknown}")
  endif()
endmacro()

# torch.nn.MultiheadAttention
function(conformance_kind_nn_MultiheadAttention case)
  set(known query key value in_proj_weight q_proj_weight k_proj_weight v_proj_weight in_proj_bias out_proj_weight
    out_proj_bias output output_fused attn_weights)
  conformance_only(attn_mask none)
  conformance_only(key_padding_mask 0)
  conformance_only(add_bias_kv 0)
  conformance_only(add_zero_attn 0)
  conformance_only(record_only 0)
  conformance_sizes(embed_dim num_heads n m kdim vdim)
  conformance_known_tensors()
  conformance_attribute(bias "${case}" bias 1)
  if(bias)
    set(biases all)
  else()
    set(biases none)
  endif()
  set(unsupported "${unsupported}" PARENT_SCOPE)
  set(shape "e${embed_dim}_h${num_heads}_k${kdim}_v${vdim}_n${n}_m${m}_bias_${biases}" PARENT_SCOPE)
  set(header pytorch_case.hpp PARENT_SCOPE)
  set(call "pytorch_case<hs::dims{.d_model = ${embed_dim}, .heads = ${num_heads}, .d_key = ${kdim}, .d_value = ${vdim}, \
.biases = hs::bias::${biases}}, ${n}, ${m}>" PARENT_SCOPE)
endfunction()

# A block of a trained network: norm, self-attention, norm, feed-forward, with the steps in between.
function(conformance_kind_trained_self_attention_block case)
  set(known input in_proj_weight in_proj_bias out_proj_weight out_proj_bias qkv attn_weights heads_concat output block_input
    block_output norm1_weight norm1_bias norm2_weight norm2_bias linear1_weight linear1_bias linear2_weight linear2_bias)
  conformance_only(norm_first 1)
  conformance_only(activation swish)
  conformance_sizes(embed_dim num_heads n dim_feedforward)
  conformance_known_tensors()
  set(unsupported "${unsupported}" PARENT_SCOPE)
  set(shape "e${embed_dim}_h${num_heads}_n${n}_f${dim_feedforward}" PARENT_SCOPE)
  set(header block_case.hpp PARENT_SCOPE)
  set(call "block_case<hs::dims{.d_model = ${embed_dim}, .heads = ${num_heads}, .biases = hs::bias::all}, ${n}, \
${dim_feedforward}>" PARENT_SCOPE)
endfunction()

# The program and the test of one index.
function(conformance_test index)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${index}")
  cmake_path(GET index PARENT_PATH folder)
  cmake_path(GET folder FILENAME folder_name)
  string(MAKE_C_IDENTIFIER "${folder_name}" program)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${program})

  # Every string(JSON) reads its whole document again: 56 cases cost 0.2 s this way, each taken out once.
  file(READ "${index}" list)
  string(JSON count LENGTH "${list}")
  math(EXPR last "${count} - 1")
  set(declarations "")
  set(table "")
  set(shapes "")
  set(headers "")
  set(sources ${generated}/cases.cpp)
  foreach(i RANGE ${last})
    string(JSON case GET "${list}" ${i})
    string(JSON name GET "${case}" name)
    string(JSON file GET "${case}" file)
    conformance_attribute(kind "${case}" kind "")
    string(MAKE_C_IDENTIFIER "${kind}" kind_id)
    set(unsupported "")
    if(COMMAND conformance_kind_${kind_id})
      cmake_language(CALL conformance_kind_${kind_id} "${case}")
    elseif(kind)
      set(unsupported "kind of case ${kind}")
    else()
      set(unsupported "kind of case not named")
    endif()

    set(function nullptr)
    list(JOIN unsupported ", " reasons)
    if(NOT unsupported)
      set(function "run_${shape}")
      if(NOT shape IN_LIST shapes)
        list(APPEND shapes "${shape}")
        list(APPEND sources ${generated}/${shape}.cpp)
        list(APPEND headers ${CMAKE_CURRENT_SOURCE_DIR}/${header})
        string(APPEND declarations "std::vector<check> ${function}(const case_file& file);\n")
        file(CONFIGURE OUTPUT ${generated}/${shape}.cpp @ONLY CONTENT [[
// Generated from an index of conformance cases.
#include "@header@"

namespace conformance {
std::vector<check> @function@(const case_file& file) { return @call@(file); }
}
]])
      endif()
    endif()
    string(APPEND table "    {R\"(${name})\", R\"(${file})\", R\"(${reasons})\", ${function}},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${generated}/cases.cpp @ONLY CONTENT [[
// Generated from an index of conformance cases.
#include "run.hpp"

namespace conformance {
@declarations@
std::span<const entry> all_cases()
{
    static const entry list[] = {
@table@    };
    return list;
}
}
]])

  add_executable(conformance_${program} ${sources})
  target_link_libraries(conformance_${program} PRIVATE conformance_runner headstrong_warnings headstrong_native)
  # The bits are the same at every level, and compiling is most of the time: 4.5 s a shape with -O1, 5.6 s with -O2.
  target_compile_options(conformance_${program} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
  if(headers)
    list(REMOVE_DUPLICATES headers)
    target_precompile_headers(conformance_${program} PRIVATE ${headers})
  endif()
  add_test(NAME conformance.${folder_name}
    COMMAND conformance_${program} "${folder}" ${CMAKE_CURRENT_BINARY_DIR}/${program}.csv)
  set_tests_properties(conformance.${folder_name} PROPERTIES LABELS conformance SKIP_RETURN_CODE 77)
endfunction()
