# SPDX-License-Identifier: Apache-2.0
# A layer is one folder under src/ and one library, static unless BUILD_SHARED_LIBS. Its sources are found, not listed, so a
# new model, reader or view is one new file. tests/structure checks the include edges.
#
#   forewarp_layer(NAME [LINK target..])
function(forewarp_layer name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  forewarp_batches(forewarp_${name} ${CMAKE_SOURCE_DIR}/src ${sources})
  add_library(forewarp_${name} ${FOREWARP_SOURCES})
  target_include_directories(forewarp_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(forewarp_${name} PUBLIC ${ARG_LINK} PRIVATE forewarp_warnings)
  if(FOREWARP_PCH)
    target_precompile_headers(
      forewarp_${name} PRIVATE <algorithm> <array> <cstdint> <memory> <optional> <span> <string>
      <string_view> <unordered_map> <utility> <vector>)
  endif()
endfunction()
