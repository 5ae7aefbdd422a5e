# SPDX-License-Identifier: BSL-1.0
# README.md's script writes a file that headstrong_embed takes: cmake -D README=... -D PYTHON=... -D EMBED=... -D BUILD=... -P this file
cmake_minimum_required(VERSION 3.25)
file(READ ${README} text)
if(NOT text MATCHES "```python\n([^`]*)```\n\nand `headstrong_embed[(][^\n]*PYTORCH_LAYERS ([^)]*)[)]`")
  message(FATAL_ERROR "README.md has no script that exports a PyTorch layer, followed by its call of headstrong_embed")
endif()
file(WRITE ${BUILD}/export.py "${CMAKE_MATCH_1}")
set(layer ${CMAKE_MATCH_2})
execute_process(COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${CMAKE_CURRENT_LIST_DIR}/stand_in PYTHONDONTWRITEBYTECODE=1 ${PYTHON} export.py
  WORKING_DIRECTORY ${BUILD} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${EMBED} model.safetensors --output model.hpp --namespace model --pytorch-layer ${layer}
  WORKING_DIRECTORY ${BUILD} COMMAND_ERROR_IS_FATAL ANY)
file(READ ${BUILD}/model.hpp header)
foreach(part IN ITEMS "{.d_model = 32, .heads = 4, " "encoder{\n    .w_q = {{{{0x0p+0f, 0x1p+5f, 0x1p+6f, ")  # a row is 32 numbers
  string(FIND "${header}" "${part}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "the header that headstrong_embed made has no ${part}")
  endif()
endforeach()
