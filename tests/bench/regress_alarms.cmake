# SPDX-License-Identifier: GPL-3.0-or-later
# How often growth by stairs and bursts is called superlinear, and how often true superlinear growth is missed.
if(SCALE_ANALYSIS)
  add_executable(bench-regress-alarms regress_alarms.c)
  target_link_libraries(bench-regress-alarms PRIVATE scale-regress)
  add_test(NAME bench.regress_alarms COMMAND bench-regress-alarms --check 400)
  set_tests_properties(bench.regress_alarms PROPERTIES TIMEOUT 600)
endif()
