# SPDX-License-Identifier: GPL-3.0-or-later
# Simulates the choice of sizes: see plan.c. Run by hand; docs/models.md has its table.
if(SCALE_ANALYSIS)
  add_executable(bench-plan plan.c)
  target_link_libraries(bench-plan PRIVATE scale-regress)
endif()
