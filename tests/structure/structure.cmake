# SPDX-License-Identifier: Apache-2.0
# One test per structure check, so that the summary names the broken rule.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
set(structure ${CMAKE_CURRENT_SOURCE_DIR}/structure)

function(forewarp_structure_test name)
  add_test(NAME structure_${name} COMMAND ${Python3_EXECUTABLE} -B ${ARGN})
  set_tests_properties(structure_${name} PROPERTIES LABELS structure)
endfunction()

foreach(check layers public_headers models_apart cycles architecture builtins names hardware_numbers output
              globals house coverage measured namespaces widenings facts roles skips)
  forewarp_structure_test(${check} ${structure}/structure.py ${check})
endforeach()
forewarp_structure_test(self_test ${structure}/self_test.py)
forewarp_structure_test(data ${structure}/structure.py data --forewarp $<TARGET_FILE:forewarp>)

# Only optimised code shows what the compiler made of the executor's loops.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  forewarp_structure_test(vector_code ${structure}/vector_code.py $<TARGET_FILE:forewarp>)
  set_tests_properties(structure_vector_code PROPERTIES SKIP_RETURN_CODE 77)
endif()

# Every header compiles alone: its own source includes it first, as found when CMake last ran, or it has a source here,
# checked when the test asks for it. That it may come twice is the check "house".
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/src
     ${CMAKE_SOURCE_DIR}/src/*.h)
if(NOT TARGET forewarp_system)
  list(FILTER headers EXCLUDE REGEX "^system/")
endif()
if(NOT TARGET forewarp_serve)
  list(FILTER headers EXCLUDE REGEX "^serve/")
endif()
set(header_sources "")
foreach(header ${headers})
  string(REGEX REPLACE "\\.h$" ".cpp" own ${CMAKE_SOURCE_DIR}/src/${header})
  if(EXISTS ${own})
    file(STRINGS ${own} includes REGEX "^#include" LIMIT_COUNT 1)
    if(includes STREQUAL "#include \"${header}\"")
      continue()
    endif()
  endif()
  string(REPLACE "/" "." name ${header})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${name}.cpp)
  string(REGEX REPLACE "/.*" "/layers.h" table ${header})  # what its namespace sees, as its own sources have it first
  set(content "#include \"${header}\"\n")
  if(EXISTS ${CMAKE_SOURCE_DIR}/src/${table} AND NOT header STREQUAL table)
    string(PREPEND content "#include \"${table}\"\n")
  endif()
  file(CONFIGURE OUTPUT ${source} CONTENT "${content}")
  list(APPEND header_sources ${source})
endforeach()
add_library(header_self_test OBJECT EXCLUDE_FROM_ALL ${header_sources})
target_include_directories(header_self_test PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
target_link_libraries(header_self_test PRIVATE forewarp_base fmt::fmt nlohmann_json::nlohmann_json
                                               tomlplusplus::tomlplusplus forewarp_warnings)
if(TARGET forewarp_system)
  target_link_libraries(header_self_test PRIVATE PkgConfig::SIMGRID PkgConfig::LUA)
endif()
target_compile_definitions(header_self_test PRIVATE FOREWARP_LAYERS)  # the library's own sources see its headers so
target_compile_options(header_self_test PRIVATE -O0 -g0)
add_test(NAME structure_headers COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target
                                        header_self_test)
# A header that lacks its include on purpose must be refused.
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/headers/lacking.cpp
     CONTENT "std::string lacks_its_include();\n")
add_test(NAME structure_headers_can_fail
         COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only
                 ${CMAKE_CURRENT_BINARY_DIR}/headers/lacking.cpp)
set_tests_properties(structure_headers structure_headers_can_fail PROPERTIES LABELS structure)
set_tests_properties(structure_headers PROPERTIES RESOURCE_LOCK build_folder)
set_tests_properties(structure_headers_can_fail PROPERTIES WILL_FAIL ON)
