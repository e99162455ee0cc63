# SPDX-License-Identifier: GPL-3.0-or-later
# Simulates the choice of sizes: see plan.c. docs/models.md has its table, made by hand; what it says is tested.
if(SCALE_ANALYSIS)
  add_executable(bench-plan plan.c)
  target_link_libraries(bench-plan PRIVATE scale-regress)
  add_test(NAME bench.plan COMMAND bench-plan --check)
  set_tests_properties(bench.plan PROPERTIES TIMEOUT 300)
endif()
