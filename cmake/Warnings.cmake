# SPDX-License-Identifier: Apache-2.0
# One interface target that every target of the project links: warnings are errors.
add_library(forewarp_warnings INTERFACE)
target_compile_options(
  forewarp_warnings
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
            -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wformat=2 -Wimplicit-fallthrough
            -Werror)
