# SPDX-License-Identifier: Apache-2.0
# One interface target that every target of the project links: warnings are errors.
# Clang builds the fuzz targets only; GCC's vectorizer pragmas mean nothing to it.
# Off: four that GCC 12 reports falsely for "text" + std::string in C++20 (its bugs 105329, 105651), and one that takes the
# sources of a batch for headers.
add_library(forewarp_warnings INTERFACE)
target_compile_options(
  forewarp_warnings
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
            -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wformat=2 -Wimplicit-fallthrough
            -Werror $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage;-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds>
            $<$<CXX_COMPILER_ID:Clang>:-Wno-unknown-pragmas>)
