# SPDX-License-Identifier: BSL-1.0
# From an index.json to a program. All sizes are template arguments, so each distinct shape in the index becomes a
# translation unit with one function, which runs every case of that shape; a generated table names the cases.
#
# A kind of case is served by a function conformance_kind_<kind, as a C identifier>(case), which sets in its caller
#   unsupported   the features for which the case cannot run, a list; if there are any, the case fails
#   shape         the name of the shape, a part of an identifier
#   header, call  what the shape's translation unit includes and what it instantiates: `call` takes a case_file
# To serve a new kind, add such a function and its header. A case of a kind without a function is listed and counted, and is no
# failure. What can be a number at run time, such as the numbers of a mask, is no part of the shape.

include(${CMAKE_CURRENT_LIST_DIR}/attributes.cmake)

# The ONNX operator Attention.
function(conformance_kind_Attention case)
  set(known Q K V attn_mask past_key past_value nonpad_kv_seqlen Y present_key present_value qk_matmul_output)
  conformance_sizes(q_len total_len head_size v_head_size)
  conformance_known_tensors()
  set(type float)
  foreach(tensor IN ITEMS Q K V)
    string(JSON dtype ERROR_VARIABLE absent GET "${case}" tensors ${tensor} dtype)
    if(dtype STREQUAL F64)
      set(type double)
    endif()
  endforeach()

  set(cap no_cap)
  set(cap_name "")
  conformance_attribute(softcap "${case}" softcap 0)
  if(NOT softcap MATCHES "^(-.*|[+]?0*[.]?0*([eE][+-]?[0-9]+)?)$")
    conformance_ratio(cap "${softcap}")
    string(REGEX REPLACE "[^0-9]+" "_" cap_name "_cap${cap}")
    if(NOT cap)
      list(APPEND unsupported "softcap = ${softcap}")
    endif()
  endif()

  conformance_has_tensor(has_mask "${case}" attn_mask nonpad_kv_seqlen)
  conformance_has_tensor(has_scores "${case}" qk_matmul_output)
  conformance_attribute(causal "${case}" is_causal 0)
  conformance_attribute(left "${case}" left_window_size -1)
  conformance_attribute(right "${case}" right_window_size -1)
  conformance_truth(masked has_mask OR causal OR left GREATER_EQUAL 0 OR right GREATER_EQUAL 0)
  conformance_truth(scores has_scores)

  set(unsupported "${unsupported}" PARENT_SCOPE)
  set(shape "${type}_n${q_len}_m${total_len}_k${head_size}_v${v_head_size}${cap_name}_masked_${masked}_scores_${scores}" PARENT_SCOPE)
  set(header onnx_case.hpp PARENT_SCOPE)
  set(call "onnx_case<${type}, ${cap}, onnx_shape{.n = ${q_len}, .m = ${total_len}, .d_k = ${head_size}, .d_v = ${v_head_size}, \
.masked = ${masked}, .scores = ${scores}}>" PARENT_SCOPE)
endfunction()

# torch.nn.MultiheadAttention
function(conformance_kind_nn_MultiheadAttention case)
  set(known query key value in_proj_weight q_proj_weight k_proj_weight v_proj_weight in_proj_bias bias_k bias_v out_proj_weight
    out_proj_bias attn_mask key_padding_mask output output_fused attn_weights)
  conformance_sizes(embed_dim num_heads n m kdim vdim)
  conformance_heads_divide("${embed_dim}" "${num_heads}")
  conformance_known_tensors()
  conformance_biases(biases bias "${case}")
  conformance_has_tensor(has_mask "${case}" attn_mask key_padding_mask)
  conformance_has_tensor(has_weights "${case}" attn_weights)
  conformance_truth(masked has_mask)
  conformance_truth(weights has_weights)

  set(features "")
  conformance_attribute(add_bias_kv "${case}" add_bias_kv 0)
  conformance_attribute(add_zero_attn "${case}" add_zero_attn 0)
  if(add_bias_kv AND NOT unsupported)
    math(EXPR d_k "${embed_dim} / ${num_heads}")
    string(APPEND features ", hs::appended_token<float, ${d_k}, ${d_k}>")
  endif()
  if(add_zero_attn)
    string(APPEND features ", hs::appended_zero")
  endif()

  set(unsupported "${unsupported}" PARENT_SCOPE)
  set(shape "e${embed_dim}_h${num_heads}_k${kdim}_v${vdim}_n${n}_m${m}_bias_${biases}_token_${add_bias_kv}_zero_${add_zero_attn}\
_masked_${masked}_weights_${weights}" PARENT_SCOPE)
  set(header pytorch_case.hpp PARENT_SCOPE)
  set(call "pytorch_case<hs::dims{.d_model = ${embed_dim}, .heads = ${num_heads}, .d_key = ${kdim}, .d_value = ${vdim}, \
.biases = ${bias}}, ${n}, ${m}, pytorch_use{.masked = ${masked}, .weights = ${weights}}${features}>" PARENT_SCOPE)
endfunction()

# A block of a trained network: norm, self-attention, norm, feed-forward, with the steps in between.
function(conformance_kind_trained_self_attention_block case)
  set(known input in_proj_weight in_proj_bias out_proj_weight out_proj_bias qkv attn_weights heads_concat output block_input
    block_output norm1_weight norm1_bias norm2_weight norm2_bias linear1_weight linear1_bias linear2_weight linear2_bias)
  conformance_sizes(embed_dim num_heads n dim_feedforward)
  conformance_heads_divide("${embed_dim}" "${num_heads}")
  conformance_known_tensors()
  conformance_biases(biases bias "${case}")
  set(unsupported "${unsupported}" PARENT_SCOPE)
  set(shape "e${embed_dim}_h${num_heads}_n${n}_f${dim_feedforward}_bias_${biases}" PARENT_SCOPE)
  set(header block_case.hpp PARENT_SCOPE)
  set(call "block_case<hs::dims{.d_model = ${embed_dim}, .heads = ${num_heads}, .biases = ${bias}}, ${n}, ${dim_feedforward}>"
    PARENT_SCOPE)
endfunction()

# torch.nn.TransformerEncoderLayer
function(conformance_kind_nn_TransformerEncoderLayer case)
  set(known src src_mask src_key_padding_mask output output_fused in_proj_weight in_proj_bias out_proj_weight out_proj_bias
    norm1_weight norm1_bias norm2_weight norm2_bias linear1_weight linear1_bias linear2_weight linear2_bias)
  conformance_sizes(d_model nhead n dim_feedforward)
  conformance_heads_divide("${d_model}" "${nhead}")
  conformance_known_tensors()
  conformance_biases(biases bias "${case}")
  conformance_has_tensor(has_mask "${case}" src_mask src_key_padding_mask)
  conformance_truth(masked has_mask)
  set(unsupported "${unsupported}" PARENT_SCOPE)
  set(shape "layer_e${d_model}_h${nhead}_n${n}_f${dim_feedforward}_bias_${biases}_masked_${masked}" PARENT_SCOPE)
  set(header block_case.hpp PARENT_SCOPE)
  set(call "encoder_layer_case<hs::dims{.d_model = ${d_model}, .heads = ${nhead}, .biases = ${bias}}, ${n}, ${dim_feedforward}, \
${masked}>" PARENT_SCOPE)
endfunction()

# The kind of a case: its attribute `kind`, or the operator `op`.
function(conformance_kind result case)
  conformance_attribute(op "${case}" op "")
  conformance_attribute(kind "${case}" kind "${op}")
  set(${result} "${kind}" PARENT_SCOPE)
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
    conformance_kind(kind "${case}")
    string(MAKE_C_IDENTIFIER "${kind}" kind_id)
    set(unsupported "")
    set(known_kind true)
    if(COMMAND conformance_kind_${kind_id})
      cmake_language(CALL conformance_kind_${kind_id} "${case}")
    elseif(kind)
      set(known_kind false)
      set(unsupported "kind of case ${kind}")
    else()
      set(known_kind false)
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
    string(APPEND table "    {R\"(${name})\", R\"(${file})\", R\"(${reasons})\", ${known_kind}, ${function}},\n")
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
  # The bits are the same at every level, and compiling is most of the time: 1.7 s for a layer, 0.7 s for attention alone.
  target_compile_options(conformance_${program} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
  if(headers)
    list(REMOVE_DUPLICATES headers)
    target_precompile_headers(conformance_${program} PRIVATE ${headers})
  endif()
  add_test(NAME conformance.${folder_name}
    COMMAND conformance_${program} "${folder}" ${CMAKE_CURRENT_BINARY_DIR}/${program}.csv)
  set_tests_properties(conformance.${folder_name} PROPERTIES LABELS conformance SKIP_RETURN_CODE 77)
endfunction()
