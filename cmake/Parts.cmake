# SPDX-License-Identifier: Apache-2.0
# Parts whose libraries a machine may lack. What is left out is a test that scripts/test counts as skipped, and CMake looks for
# its libraries again after packages were installed.
#
#   forewarp_left_out(PART LACKING)
function(forewarp_left_out part lacking)
  message(STATUS "${part} is left out: no ${lacking}; scripts/build installs and builds all parts")
  if(EXISTS /var/lib/dpkg/status)
    set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS /var/lib/dpkg/status)
  endif()
  if(FOREWARP_TESTS)
    add_test(NAME part_${part} COMMAND ${CMAKE_COMMAND} -E echo "skipped: part_${part}: no ${lacking}")
    set_tests_properties(part_${part} PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: ")
  endif()
endfunction()

# Everything that a user runs, and no test.
add_custom_target(programs)
