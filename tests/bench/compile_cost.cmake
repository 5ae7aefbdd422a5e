# SPDX-License-Identifier: BSL-1.0
# What a user of the headers pays when compiling: seconds, memory and code, for layers each called once.
# cmake -D COMPILER=g++ -D FLAGS=-march=native -D INCLUDES="folder;..." -D SOURCE=... -D FOLDER=... -P compile_cost.cmake
# prints a table and writes FOLDER/compile_cost.csv.
cmake_minimum_required(VERSION 3.25)

set(work ${FOLDER}/compile_cost)
file(MAKE_DIRECTORY ${work})
list(TRANSFORM INCLUDES PREPEND -I)
find_program(time_program NAMES time PATHS /usr/bin NO_DEFAULT_PATH)  # GNU time; a shell's own knows no memory
find_program(bash_program bash)
find_program(size_program NAMES size llvm-size REQUIRED)

# seconds_and_memory(result command...): user and system seconds of a command, and its MB at most or "-".
function(seconds_and_memory result)
  if(time_program)
    execute_process(COMMAND ${time_program} -f "cost %U %S %M" ${ARGN} ERROR_VARIABLE messages RESULT_VARIABLE status)
  else()
    execute_process(COMMAND ${CMAKE_COMMAND} -E env "TIMEFORMAT=cost %U %S 0" ${bash_program} -c "time \"$@\"" time ${ARGN}
      ERROR_VARIABLE messages RESULT_VARIABLE status)
  endif()
  if(NOT status EQUAL 0 OR NOT messages MATCHES "cost ([0-9]+)\\.([0-9][0-9])[0-9]* ([0-9]+)\\.([0-9][0-9])[0-9]* ([0-9]+)")
    message(FATAL_ERROR "${ARGN}\n${messages}")
  endif()
  math(EXPR hundredths "${CMAKE_MATCH_1}${CMAKE_MATCH_2} + ${CMAKE_MATCH_3}${CMAKE_MATCH_4}")  # a leading 0 is no octal here
  math(EXPR mb "(${CMAKE_MATCH_5} + 512) / 1024")
  if(mb EQUAL 0)
    set(mb "-")
  endif()
  set(${result} ${hundredths} ${mb} PARENT_SCOPE)
endfunction()

# 312 becomes 3.12.
function(as_seconds hundredths result)
  math(EXPR whole "${hundredths} / 100")
  math(EXPR rest "${hundredths} % 100 + 100")
  string(SUBSTRING ${rest} 1 2 rest)
  set(${result} ${whole}.${rest} PARENT_SCOPE)
endfunction()

# The bytes of all sections of code: functions of templates have sections of their own.
function(code_bytes object result)
  execute_process(COMMAND ${size_program} -A ${object} OUTPUT_VARIABLE sections COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "\n\\.text[^ ]* +[0-9]+" lines "${sections}")
  set(sum 0)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE ".* " "" bytes ${line})
    math(EXPR sum "${sum} + ${bytes}")
  endforeach()
  set(${result} ${sum} PARENT_SCOPE)
endfunction()

# padded(text width result): on the right, or on the left where the width is negative.
function(padded text width result)
  string(LENGTH "${text}" length)
  string(REPLACE "-" "" columns ${width})
  math(EXPR missing "${columns} - ${length}")
  if(missing LESS 0)
    set(missing 0)
  endif()
  string(REPEAT " " ${missing} spaces)
  if(width LESS 0)
    set(${result} "${spaces}${text}" PARENT_SCOPE)
  else()
    set(${result} "${text}${spaces}" PARENT_SCOPE)
  endif()
endfunction()

function(print_row)
  set(row)
  foreach(text width IN ZIP_LISTS ARGN widths)
    padded("${text}" ${width} cell)
    string(APPEND row "${cell}")
  endforeach()
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${row}")  # message() would write to the other stream
endfunction()

# measure(name text runs): a row. Seconds are the least of so many runs.
function(measure name text runs)
  string(MAKE_C_IDENTIFIER "${name}" file)
  file(WRITE ${work}/${file}.cpp "${text}")
  foreach(level IN ITEMS O2 O3 Os)
    set(command ${COMPILER} -std=c++20 -DNDEBUG ${FLAGS} ${INCLUDES} -${level} -c ${work}/${file}.cpp -o ${work}/${file}.${level}.o)
    seconds_and_memory(cost ${command})
    if(level STREQUAL O2)
      list(GET cost 0 least)
      list(GET cost 1 mb)
      foreach(run RANGE 2 ${runs})
        seconds_and_memory(again ${command})
        list(GET again 0 hundredths)
        if(hundredths LESS least)
          set(least ${hundredths})
        endif()
      endforeach()
    endif()
    code_bytes(${work}/${file}.${level}.o bytes_${level})
  endforeach()
  as_seconds(${least} seconds)
  print_row("${name}" ${seconds} ${mb} ${bytes_O2} ${bytes_O3} ${bytes_Os})
  file(APPEND ${FOLDER}/compile_cost.csv "${name},${seconds},${mb},${bytes_O2},${bytes_O3},${bytes_Os}\n")
endfunction()

# A function that calls a layer with everything given, so that the code is that of the call alone.
function(call_of name d_model heads d_k n m result)
  set(${result} "
using layer_${name} = headstrong::multi_head<float, headstrong::dims{.d_model = ${d_model}, .heads = ${heads}, .d_k = ${d_k}}>;
void call_${name}(const layer_${name}& layer, const float* q, const float* k, const float* v, float* y,
                  layer_${name}::workspace<${n}, ${m}>& scratch)
{
    layer(headstrong::columns<${d_model}, ${n}>(q), headstrong::columns<${d_model}, ${m}>(k), headstrong::columns<${d_model}, ${m}>(v),
          headstrong::columns<${d_model}, ${n}>(y), scratch);
}
" PARENT_SCOPE)
endfunction()

execute_process(COMMAND ${COMPILER} --version OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\n.*" "" version "${version}")
set(widths 34 -9 -7 -12 -12 -12)
execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${version}, -O2 ${FLAGS}")
print_row("unit" "seconds" "MB" ".text -O2" ".text -O3" ".text -Os")
file(WRITE ${FOLDER}/compile_cost.csv "unit,seconds,mb,text_o2,text_o3,text_os\n")

# What the headers themselves include of other libraries.
file(GLOB_RECURSE headers ${SOURCE}/include/*.hpp)
set(others)
foreach(header IN LISTS headers)
  file(STRINGS ${header} lines REGEX "^#include <(xsimd|boost)/")
  list(APPEND others ${lines})
endforeach()
list(REMOVE_DUPLICATES others)
list(JOIN others "\n" others)
measure("xsimd and Hana alone" "${others}\n" 6)

set(header "#include <headstrong/headstrong.hpp>\n")
measure("header alone" "${header}" 6)

file(STRINGS ${SOURCE}/tests/bench/shapes.hpp lines REGEX "shape_group::square, shape_kind::layer")
set(all "${header}")
foreach(line IN LISTS lines)
  string(REGEX MATCH "\"([A-Za-z0-9]+)\".*layer, ([0-9]+), ([0-9]+), ([0-9]+), ([0-9]+), ([0-9]+)" match "${line}")
  set(numbers ${CMAKE_MATCH_2} ${CMAKE_MATCH_3} ${CMAKE_MATCH_4} ${CMAKE_MATCH_5} ${CMAKE_MATCH_6})
  set(name ${CMAKE_MATCH_1})
  call_of(${name} ${numbers} call)
  list(JOIN numbers " " text)
  measure("${name} (${text})" "${header}${call}" 2)
  string(APPEND all "${call}")
endforeach()
measure("all of these" "${all}" 2)

foreach(heads IN ITEMS 1 4 16 64)
  call_of(heads_${heads} 64 ${heads} 16 32 32 call)
  measure("${heads} heads (64 ${heads} 16 32 32)" "${header}${call}" 2)
endforeach()
