# SPDX-License-Identifier: Apache-2.0
# The library as others meet it: installed, found by find_package, built against and run; and its headers' documentation.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
set(library ${CMAKE_CURRENT_SOURCE_DIR}/library)
add_test(NAME library_example
         COMMAND ${CMAKE_COMMAND} -DBUILD=${CMAKE_BINARY_DIR} -DSOURCE=${CMAKE_SOURCE_DIR} -DCXX=${CMAKE_CXX_COMPILER} -P
                 ${library}/example.cmake)
set_tests_properties(library_example PROPERTIES RESOURCE_LOCK build_folder)
add_test(NAME library_documentation COMMAND ${Python3_EXECUTABLE} -B ${library}/documentation.py ${CMAKE_BINARY_DIR}/library-documentation)
set_tests_properties(library_documentation PROPERTIES SKIP_RETURN_CODE 77)
