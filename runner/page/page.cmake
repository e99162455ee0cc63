# SPDX-License-Identifier: GPL-3.0-or-later
# The page: web/ is bundled by esbuild into one HTML file, which becomes part of the program. A page that was built before
# (page.html here, as release tarballs have it) is taken as it is, so that they need neither npm nor a network. Where there is
# neither that nor npm, scale-run is built without a page, and --format html says so.
set(SCALE_PAGE AUTO CACHE STRING "The HTML page: AUTO (page.html, else built where npm is), ON (built with npm), OFF (page.html or none)")
set_property(CACHE SCALE_PAGE PROPERTY STRINGS AUTO ON OFF)
set(page_source ${CMAKE_CURRENT_SOURCE_DIR}/page)
set(page_build ${CMAKE_CURRENT_BINARY_DIR}/page)
set(page_html ${page_build}/page.html)
set(page_template ${CMAKE_CURRENT_BINARY_DIR}/page_template.c)

find_program(NPM npm)
find_program(NODE NAMES node nodejs)
set(page_npm "")
set(page_built "")
if(NOT SCALE_PAGE STREQUAL ON AND EXISTS ${page_source}/page.html)
  set(page_built ${page_source}/page.html)
elseif(NOT SCALE_PAGE STREQUAL OFF AND NPM AND NODE)
  set(page_npm ${NPM})
elseif(SCALE_PAGE STREQUAL ON)
  message(FATAL_ERROR "SCALE_PAGE=ON needs npm and node (Debian: apt-get install npm)")
elseif(SCALE_PAGE STREQUAL AUTO)
  message(WARNING "there is no npm, so scale-run will not write HTML pages; apt-get install npm, or build from a release")
endif()

file(GLOB_RECURSE page_web CONFIGURE_DEPENDS ${page_source}/web/src/*)
list(APPEND page_web ${page_source}/web/package.json ${page_source}/web/package-lock.json ${page_source}/web/build.js)
# page.html comes first: where it is missing, make runs the command of the first output alone.
add_custom_command(OUTPUT ${page_html} ${page_template}
  COMMAND ${CMAKE_COMMAND} -DMODE=${SCALE_PAGE} -DNPM=${page_npm} -DNODE=${NODE} -DWEB=${page_source}/web
          -DBUILT=${page_built} -DBUILD=${page_build} -DOUT=${page_template} -P ${page_source}/build.cmake
  DEPENDS ${page_web} ${page_built} ${page_source}/build.cmake
  COMMENT "Building the HTML page" VERBATIM)
