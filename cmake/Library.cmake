# SPDX-License-Identifier: Apache-2.0
# The library that other programs link: libforewarp.so, the layer `api` with everything below it. It shows what include/forewarp
# declares as exported and nothing of the layers, nor of the libraries that they are made with.
# Where each layer is a shared library of its own (scripts/mutate), none is made of them all.
if(BUILD_SHARED_LIBS)
  return()
endif()
include(CMakePackageConfigHelpers)
add_library(forewarp_library SHARED $<TARGET_OBJECTS:forewarp_api>)
add_library(forewarp::forewarp ALIAS forewarp_library)
target_link_libraries(forewarp_library PRIVATE forewarp_sweep forewarp_comparison forewarp_report)
target_link_options(forewarp_library PRIVATE LINKER:--version-script=${CMAKE_CURRENT_SOURCE_DIR}/cmake/library.map
                                             LINKER:--exclude-libs,ALL LINKER:--no-undefined LINKER:--gc-sections)
set_target_properties(forewarp_library PROPERTIES LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cmake/library.map)
target_compile_features(forewarp_library INTERFACE cxx_std_20)
target_include_directories(forewarp_library INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
                                                      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# Below 1.0 a minor version may break what was built against another.
set_target_properties(forewarp_library PROPERTIES OUTPUT_NAME forewarp EXPORT_NAME forewarp VERSION ${PROJECT_VERSION}
                                                  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

install(TARGETS forewarp_library EXPORT forewarp_targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(DIRECTORY include/forewarp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/forewarp)
install(EXPORT forewarp_targets NAMESPACE forewarp:: FILE forewarp-targets.cmake DESTINATION ${package} COMPONENT library)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/forewarp-config.cmake CONTENT
     "include(\${CMAKE_CURRENT_LIST_DIR}/forewarp-targets.cmake)\n" @ONLY)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/forewarp-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/forewarp-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/forewarp-config-version.cmake
        DESTINATION ${package} COMPONENT library)
