# SPDX-License-Identifier: Apache-2.0
# What a user gets: the program, the GPU data that it finds beside itself (../share/forewarp/data, wherever the whole
# was moved), examples and documents; `cpack -G DEB` makes a package of it.
include(GNUInstallDirs)
install(TARGETS forewarp RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET forewarp-study)
  install(TARGETS forewarp-study RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
endif()
if(TARGET forewarp-system)
  install(TARGETS forewarp-system RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET forewarp-serve)
  install(TARGETS forewarp-serve RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
# What forewarp run puts between a program and a driver: it looks beside itself, then in ../lib/forewarp/run.
if(TARGET forewarp-run)
  install(TARGETS forewarp-run RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT run)
  install(TARGETS ${FOREWARP_SUBSTITUTES} LIBRARY DESTINATION lib/forewarp/run COMPONENT run)
endif()
install(DIRECTORY data DESTINATION ${CMAKE_INSTALL_DATADIR}/forewarp COMPONENT data)
install(DIRECTORY examples docs DESTINATION ${CMAKE_INSTALL_DATADIR}/forewarp)
# The suite: which tests there are, the listings of its kernels, and which samples say which number.
if(TARGET forewarp-bench)
  install(TARGETS forewarp-bench RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
endif()
foreach(folder bench bench/kernels validation/kernels validation/throughput)
  file(GLOB files ${folder}/*.toml ${folder}/*.cu ${folder}/*.cuh ${folder}/*.sass)
  install(FILES ${files} DESTINATION ${CMAKE_INSTALL_DATADIR}/forewarp/${folder})
endforeach()
# What the program says of its own commands: completion for shells and a manual page.
foreach(text bash:bash-completion/completions/forewarp zsh:zsh/site-functions/_forewarp
             fish:fish/vendor_completions.d/forewarp.fish man:man/man1/forewarp.1)
  string(REPLACE ":" ";" pair ${text})
  list(GET pair 0 kind)
  list(GET pair 1 file)
  get_filename_component(folder ${file} DIRECTORY)
  install(CODE "
    file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/${folder}\")
    execute_process(COMMAND \"$<TARGET_FILE:forewarp>\" completion ${kind}
                    OUTPUT_FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/${file}\"
                    COMMAND_ERROR_IS_FATAL ANY)")
endforeach()
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/forewarp)

set(CPACK_PACKAGE_NAME forewarp)
set(CPACK_PACKAGE_VENDOR "The Forewarp authors")
set(CPACK_PACKAGE_CONTACT "The Forewarp authors <forewarp@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Predicts how long a GPU kernel takes, and why, without running it")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS libmuparser2v5)  # loaded when a formula asks
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
include(CPack)
