# SPDX-License-Identifier: GPL-3.0-or-later
# What other build systems find: headers, CMake files, pkg-config files. The build tree has the same layout as what is
# installed, so that all of it can be used from there.
set(SCALE_LIBDIR ${CMAKE_INSTALL_LIBDIR}/scale)
set(cmake ${CMAKE_SOURCE_DIR}/instrument/cmake)

# For projects that would rather keep their compiler's name.
foreach(file scale.cmake flags.cmake)
  configure_file(${cmake}/${file} ${CMAKE_BINARY_DIR}/lib/scale/${file} COPYONLY)
  install(FILES ${cmake}/${file} DESTINATION ${SCALE_LIBDIR})
endforeach()

# Compiled by whatever compiler, a program finds the header where all headers are; scale-cc has a folder that holds
# nothing else.
set(header ${CMAKE_SOURCE_DIR}/instrument/include/scale/annotate.h)
configure_file(${header} ${CMAKE_BINARY_DIR}/lib/scale/include/scale/annotate.h COPYONLY)
install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/scale)
install(FILES ${header} DESTINATION ${SCALE_LIBDIR}/include/scale)

include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Scale)
configure_package_config_file(${cmake}/ScaleConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/ScaleConfig.cmake
  INSTALL_DESTINATION ${package} PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR SCALE_LIBDIR)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/ScaleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ScaleConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/ScaleConfigVersion.cmake
        DESTINATION ${package})

file(RELATIVE_PATH SCALE_PREFIX_FROM_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(file scale scale-instrument)
  configure_file(${cmake}/${file}.pc.in ${CMAKE_BINARY_DIR}/lib/pkgconfig/${file}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/lib/pkgconfig/${file}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# Probe sets to use and to learn from, and what an editor checks new ones with.
install(FILES ${CMAKE_SOURCE_DIR}/instrument/events/probe-set.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/scale)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples/probes DESTINATION ${CMAKE_INSTALL_DATADIR}/scale)
