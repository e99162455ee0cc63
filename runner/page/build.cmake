# SPDX-License-Identifier: GPL-3.0-or-later
# Makes OUT, a C file with the page in it: of BUILT, or with NPM from the sources in WEB by way of a copy in BUILD. Where that
# fails, the file is without a page; with MODE=ON it is an error. BUILD/page.html is made with it, empty where no page was
# wanted, but not where npm failed: as an output that is missing it makes the next build try again.
set(page ${BUILD}/page.html)
file(REMOVE ${page})

# npm ci only when the lock file changed: it takes seconds, and needs the network where npm's cache is empty.
function(run_npm ok)
  file(MAKE_DIRECTORY ${BUILD}/web)
  file(REMOVE_RECURSE ${BUILD}/web/src)
  file(COPY ${WEB}/ DESTINATION ${BUILD}/web PATTERN node_modules EXCLUDE)
  file(SHA256 ${BUILD}/web/package-lock.json lock)
  set(stamp ${BUILD}/web/node_modules/.stamp-${lock})
  if(NOT EXISTS ${stamp})
    execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline WORKING_DIRECTORY ${BUILD}/web
                    RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE said TIMEOUT 300)
    if(NOT status EQUAL 0)
      message("${said}")
      return()
    endif()
    file(TOUCH ${stamp})
  endif()
  execute_process(COMMAND ${NODE} build.js ${page} WORKING_DIRECTORY ${BUILD}/web RESULT_VARIABLE status)
  if(status EQUAL 0)
    set(${ok} TRUE PARENT_SCOPE)
  endif()
endfunction()

set(ok FALSE)
if(NPM)
  run_npm(ok)
endif()
if(NOT ok)
  if(MODE STREQUAL ON)
    message(FATAL_ERROR "npm could not build the page (SCALE_PAGE=ON); see above")
  elseif(NPM)
    message(WARNING "npm could not build the page; see above. Without a network, build where there was one, or from a release")
  endif()
  file(REMOVE ${page})
endif()
if(BUILT)
  file(COPY_FILE ${BUILT} ${page})
endif()

set(bytes "")
if(EXISTS ${page})
  file(READ ${page} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
elseif(NOT NPM)
  file(TOUCH ${page})
endif()
file(WRITE ${OUT} "#include \"runner/page/parts.h\"\nconst unsigned char sc_page_template[] = {${bytes}0};\n"
     "const unsigned sc_page_template_bytes = sizeof sc_page_template - 1;\n")
