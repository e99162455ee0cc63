# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed beside programs: documents, examples, schemas; and the target that takes all of it away again.
file(GLOB documents CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/*.md)
install(FILES README.md CONTRIBUTING.md CHANGELOG.md ${documents} DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/scale USE_SOURCE_PERMISSIONS
        PATTERN probes EXCLUDE PATTERN "*.db*" EXCLUDE PATTERN "*.o" EXCLUDE)
file(GLOB_RECURSE schemas CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/*.schema.json)
install(FILES ${schemas} runner/workload/workload.rng DESTINATION ${CMAKE_INSTALL_DATADIR}/scale)

add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DMANIFEST=${CMAKE_BINARY_DIR}/install_manifest.txt
                  -P ${CMAKE_SOURCE_DIR}/packaging/uninstall.cmake COMMENT "Removing what was installed")

add_custom_target(dist COMMAND ${CMAKE_SOURCE_DIR}/packaging/dist ${CMAKE_BINARY_DIR} ${PROJECT_VERSION}
                  COMMENT "Writing a release" USES_TERMINAL)
foreach(part scale-run scale-pages scale-cc-pages)
  if(TARGET ${part})
    add_dependencies(dist ${part})
  endif()
endforeach()
