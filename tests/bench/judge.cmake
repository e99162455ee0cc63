# SPDX-License-Identifier: GPL-3.0-or-later
# What judging a study costs for each context: see judge.c. Tested is, by instructions, that it is linear.
if(SCALE_ANALYSIS)
  add_executable(bench-judge judge.c)
  target_link_libraries(bench-judge PRIVATE scale-transitions)
  if(NOT SCALE_SANITIZE)
    add_test(NAME bench.judge COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/judge_linear $<TARGET_FILE:bench-judge>)
    set_tests_properties(bench.judge PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77)
  endif()
endif()
