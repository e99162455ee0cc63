# SPDX-License-Identifier: GPL-3.0-or-later
# How well the regression engine predicts functions it doesn't know (docs/models.md).
if(SCALE_ANALYSIS)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c)
  add_executable(regress-bench ${sources})
  target_link_libraries(regress-bench PRIVATE scale-regress PkgConfig::CJSON)
  add_test(NAME bench.regress COMMAND regress-bench --check ${CMAKE_CURRENT_SOURCE_DIR}/regress.limits)
  set_tests_properties(bench.regress PROPERTIES TIMEOUT 600)
endif()
