# SPDX-License-Identifier: Apache-2.0
# Turns a text file into a constexpr string_view, so that a text has one home.
#
#   forewarp_embed(TARGET FILE SYMBOL)  -> #include "embedded/SYMBOL.h", forewarp::embedded::SYMBOL
function(forewarp_embed target file symbol)
  get_filename_component(input ${file} ABSOLUTE)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded/${symbol}.h)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DOUTPUT=${output} -DSYMBOL=${symbol} -P
            ${CMAKE_SOURCE_DIR}/cmake/embed_text.cmake
    DEPENDS ${input} ${CMAKE_SOURCE_DIR}/cmake/embed_text.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
