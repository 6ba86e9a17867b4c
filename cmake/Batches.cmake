# SPDX-License-Identifier: Apache-2.0
# Most of the time of a source is that of its headers, so several are compiled at once. Which go together is found by
# cmake/batches.py: names in unnamed namespaces need not differ among files. A name that collides after an edit is an error
# of the compiler; configuring again (cmake --preset NAME) groups anew.
#
#   forewarp_batches(TARGET ROOT SOURCE..)  -> FOREWARP_SOURCES: what TARGET compiles in place of these sources below ROOT
option(FOREWARP_BATCHES "Compile several sources at once" ON)
set(FOREWARP_BATCH 6 CACHE STRING "Sources of a batch at most")
find_package(Python3 3.9 QUIET COMPONENTS Interpreter)

function(forewarp_batches target root)
  set(FOREWARP_SOURCES ${ARGN} PARENT_SCOPE)
  if(NOT FOREWARP_BATCHES OR NOT Python3_Interpreter_FOUND)
    return()
  endif()
  execute_process(COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/cmake/batches.py ${CMAKE_CURRENT_BINARY_DIR}/batches/${target}
                          ${FOREWARP_BATCH} ${root} ${ARGN}
                  OUTPUT_VARIABLE batches COMMAND_ERROR_IS_FATAL ANY)
  set(FOREWARP_SOURCES ${batches} PARENT_SCOPE)
endfunction()
