# SPDX-License-Identifier: Apache-2.0
# Small libraries of others go into programs whole: each that is loaded at the start costs a program half a millisecond, and all
# of them are a tenth of a short answer. What is a shared object itself, and a machine without the archives, link them as usual.
#
#   forewarp_archived(NAME [ARCHIVE..]): sets FOREWARP_NAME; ARCHIVE: what the archive needs beside itself
function(forewarp_archived name)
  find_library(FOREWARP_SHARED_${name} ${name} REQUIRED)
  set(archives)
  foreach(each ${name} ${ARGN})
    find_library(FOREWARP_ARCHIVE_${each} lib${each}.a)
    mark_as_advanced(FOREWARP_ARCHIVE_${each} FOREWARP_SHARED_${name})
    list(APPEND archives ${FOREWARP_ARCHIVE_${each}})
  endforeach()
  set(shared ${FOREWARP_SHARED_${name}})
  if(archives MATCHES "NOTFOUND" OR BUILD_SHARED_LIBS)
    set(FOREWARP_${name} ${shared} PARENT_SCOPE)
    return()
  endif()
  string(JOIN "$<SEMICOLON>" archives ${archives})
  set(FOREWARP_${name} "$<IF:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>,${archives},${shared}>" PARENT_SCOPE)
endfunction()
forewarp_archived(csv)
forewarp_archived(md)
forewarp_archived(z)
# libdw gets what libelf opened: both are archives, or none is.
forewarp_archived(elf z zstd dw bz2 lzma)
forewarp_archived(dw elf bz2 lzma z zstd)
forewarp_archived(lz4)
forewarp_archived(zstd)

# The C++ libraries likewise, into a program that needs no other of that language: what Debian has no archive of is compiled here.
# A sanitizer looks at calls between shared objects; another fmt than 9 has other templates.
function(forewarp_whole program)
  if(BUILD_SHARED_LIBS OR CMAKE_CXX_FLAGS MATCHES "-fsanitize" OR NOT fmt_VERSION VERSION_LESS 10)
    return()
  endif()
  target_sources(${program} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/whole/fmt.cpp ${CMAKE_SOURCE_DIR}/cmake/whole/tomlplusplus.cpp)
  target_link_options(${program} PRIVATE -static-libstdc++ -static-libgcc LINKER:--as-needed)
endfunction()
