# SPDX-License-Identifier: GPL-3.0-or-later
# Man pages and completions: scale-run makes them from its own tables.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS options/options.def)
set(pages)
function(scale_page file) # arguments of scale-run
  get_filename_component(folder ${file} DIRECTORY)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/${folder})
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/${file} COMMAND scale-run ${ARGN} > ${CMAKE_BINARY_DIR}/${file}
                     DEPENDS scale-run COMMENT "Writing ${file}")
  set(pages ${pages} ${CMAKE_BINARY_DIR}/${file} PARENT_SCOPE)
endfunction()

scale_page(man/scale-run.1 --help=man)
file(STRINGS options/options.def verbs REGEX "^VERB\\([A-Z]+, \"")
foreach(verb ${verbs})
  string(REGEX REPLACE "^VERB\\([A-Z]+, \"([a-z]+)\".*" "\\1" verb "${verb}")
  scale_page(man/scale-run-${verb}.1 ${verb} --help=man)
endforeach()
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

scale_page(completions/scale-run.bash --help=bash)
scale_page(completions/_scale-run --help=zsh)
scale_page(completions/scale-run.fish --help=fish)
install(FILES ${CMAKE_BINARY_DIR}/completions/scale-run.bash RENAME scale-run
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${CMAKE_BINARY_DIR}/completions/_scale-run DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${CMAKE_BINARY_DIR}/completions/scale-run.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
add_custom_target(scale-pages ALL DEPENDS ${pages})
