# SPDX-License-Identifier: Apache-2.0
# Commands as a user runs them: one Python file per command, found by its name.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
file(GLOB command_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/command/*_test.py)
foreach(test ${command_tests})
  get_filename_component(name ${test} NAME_WE)
  string(REGEX REPLACE "_test$" "" name ${name})
  add_test(NAME command_${name} COMMAND ${Python3_EXECUTABLE} -B ${test} $<TARGET_FILE:forewarp>)
endforeach()
