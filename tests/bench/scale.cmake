# SPDX-License-Identifier: GPL-3.0-or-later
# What the analysis costs (docs/scale.md): built when tests/bench/scale asks for it.
if(SCALE_ANALYSIS)
  add_executable(bench-scale EXCLUDE_FROM_ALL scale.c scale_generate.c scale_measure.c scale_program.c)
  target_link_libraries(bench-scale PRIVATE scale-runner ZLIB::ZLIB)
endif()
