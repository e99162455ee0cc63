# SPDX-License-Identifier: GPL-3.0-or-later
# What the analysis costs (docs/scale.md) is measured by hand (scale). Tested is, at the smallest size, that everything
# that was made comes back from the study.
if(SCALE_ANALYSIS)
  add_executable(bench-scale scale.c scale_generate.c scale_measure.c scale_program.c)
  target_link_libraries(bench-scale PRIVATE scale-runner ZLIB::ZLIB)
  add_test(NAME bench.scale COMMAND bench-scale --max 10000)
  set_tests_properties(bench.scale PROPERTIES TIMEOUT 300)
endif()
