# SPDX-License-Identifier: BSL-1.0
# Recipes and packages for registries, each a folder of ${OUTPUT} in the form that its registry takes, beside the release archive:
# cmake -D SOURCE=... -D OUTPUT=... -D VERSION=... -D DESCRIPTION=... -D URL=... -D BOOST=<folder of its headers> -P recipes.cmake
cmake_minimum_required(VERSION 3.25)
set(name headstrong-${VERSION})
file(REMOVE_RECURSE ${OUTPUT})
foreach(part IN ITEMS .ci .clang-format .clang-tidy CMakeLists.txt CMakePresets.json LICENSE README.md examples include tests)
  file(COPY ${SOURCE}/${part} DESTINATION ${OUTPUT}/${name})
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} -E tar czf ${name}.tar.gz ${name} WORKING_DIRECTORY ${OUTPUT} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${OUTPUT}/${name})
file(SHA256 ${OUTPUT}/${name}.tar.gz SHA256)
file(SHA512 ${OUTPUT}/${name}.tar.gz SHA512)

# A template, its name without .in, into a folder.
function(fill template folder)
  cmake_path(GET template STEM LAST_ONLY target)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${template} ${OUTPUT}/${folder}/${target} @ONLY)
endfunction()
# What chips take is a whole package: one header with Boost.Hana in it. (They have no vectors, so none of them needs xsimd.)
function(pack folder)
  file(COPY ${SOURCE}/README.md ${SOURCE}/LICENSE DESTINATION ${OUTPUT}/${folder})
  file(MAKE_DIRECTORY ${OUTPUT}/${folder}/include/headstrong)
  execute_process(COMMAND awk -v root=${SOURCE}/include -v others=${BOOST} -v libraries=boost -f ${CMAKE_CURRENT_LIST_DIR}/../single_header.awk
    OUTPUT_FILE ${OUTPUT}/${folder}/include/headstrong/headstrong.hpp COMMAND_ERROR_IS_FATAL ANY)
endfunction()

fill(vcpkg/portfile.cmake.in vcpkg/ports/headstrong)
fill(vcpkg/vcpkg.json.in vcpkg/ports/headstrong)
file(COPY ${CMAKE_CURRENT_LIST_DIR}/vcpkg/usage DESTINATION ${OUTPUT}/vcpkg/ports/headstrong)

fill(conan/config.yml.in conan/recipes/headstrong)
fill(conan/conandata.yml.in conan/recipes/headstrong/all)
fill(conan/conanfile.py.in conan/recipes/headstrong/all)
file(COPY ${CMAKE_CURRENT_LIST_DIR}/conan/test_package DESTINATION ${OUTPUT}/conan/recipes/headstrong/all)
file(COPY_FILE ${SOURCE}/examples/quick_start/quick_start.cpp ${OUTPUT}/conan/recipes/headstrong/all/test_package/test_package.cpp)

fill(platformio/library.json.in platformio)
pack(platformio)
fill(esp_idf/idf_component.yml.in esp_idf)
file(COPY ${CMAKE_CURRENT_LIST_DIR}/esp_idf/CMakeLists.txt DESTINATION ${OUTPUT}/esp_idf)
pack(esp_idf)
file(COPY ${CMAKE_CURRENT_LIST_DIR}/zephyr DESTINATION ${OUTPUT}/zephyr)
pack(zephyr)
message("recipes of ${name}: ${OUTPUT}")
