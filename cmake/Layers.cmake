# SPDX-License-Identifier: Apache-2.0
# A layer is one folder under src/ and one library, static unless BUILD_SHARED_LIBS. Its sources are found, not listed, so a
# new model, reader or view is one new file. tests/structure checks the include edges.
#
# It is linked with the layers that the table, tests/structure/layers.txt, lets it include, as far as they are built.
#
#   forewarp_layer(NAME [OWN] [LINK library..])
set(FOREWARP_LAYER_TABLE ${CMAKE_SOURCE_DIR}/tests/structure/layers.txt)
set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${FOREWARP_LAYER_TABLE})

function(forewarp_layers_below name out)
  file(STRINGS ${FOREWARP_LAYER_TABLE} row REGEX "^[0-9]+ ${name} *:")
  if(NOT row)
    message(FATAL_ERROR "${FOREWARP_LAYER_TABLE} has no layer '${name}'")
  endif()
  string(REGEX REPLACE "^[^:]*: *" "" row "${row}")
  separate_arguments(row)
  set(below)
  foreach(layer ${row})
    if(TARGET forewarp_${layer})
      list(APPEND below forewarp_${layer})
    endif()
  endforeach()
  set(${out} ${below} PARENT_SCOPE)
endfunction()

# Every source begins with the namespaces of the layers. They and headers of the standard library are compiled once for all that is
# compiled alike: forewarp_precompiled(TARGET FROM) takes what FROM, a target of the same options, has precompiled.
set(FOREWARP_STANDARD_HEADERS <base/layers.h> <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <optional> <span>
                              <string> <string_view> <unordered_map> <utility> <vector>)
function(forewarp_precompile target)
  if(FOREWARP_PCH AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    set_target_properties(${target} PROPERTIES FOREWARP_PRECOMPILED ON)
  endif()
endfunction()
function(forewarp_precompiled target from)
  if(FOREWARP_PCH AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_precompile_headers(${target} REUSE_FROM ${from})
    set_target_properties(${target} PROPERTIES FOREWARP_PRECOMPILED ON)
  endif()
endfunction()

# OWN: its options differ, or further namespaces come first, so that nothing is taken from the first layer's.
function(forewarp_layer name)
  cmake_parse_arguments(ARG "OWN" "" "LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  forewarp_batches(forewarp_${name} ${CMAKE_SOURCE_DIR}/src ${sources})
  add_library(forewarp_${name} ${FOREWARP_SOURCES})
  # No macro of its own, also where it is shared: what is precompiled holds for targets of equal macros.
  set_target_properties(forewarp_${name} PROPERTIES DEFINE_SYMBOL "")
  target_include_directories(forewarp_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  forewarp_layers_below(${name} below)
  target_link_libraries(forewarp_${name} PUBLIC ${below} ${ARG_LINK} PRIVATE forewarp_warnings)
  if(name STREQUAL base)
    forewarp_precompile(forewarp_base ${FOREWARP_STANDARD_HEADERS})
  elseif(NOT ARG_OWN)
    forewarp_precompiled(forewarp_${name} forewarp_base)
  endif()
endfunction()
