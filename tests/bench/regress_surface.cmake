# SPDX-License-Identifier: GPL-3.0-or-later
# How well models of several parameters predict functions that the engine doesn't know (docs/models.md).
if(SCALE_ANALYSIS)
  add_executable(bench-regress-surface regress_surface.c)
  target_link_libraries(bench-regress-surface PRIVATE scale-regress)
  add_test(NAME bench.regress_surface COMMAND bench-regress-surface --check)
  set_tests_properties(bench.regress_surface PROPERTIES TIMEOUT 600)
endif()
