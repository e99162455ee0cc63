# SPDX-License-Identifier: GPL-3.0-or-later
# Instruments a CMake project that keeps its own compiler name (which must be the pass's clang):
#   cmake -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 \
#         -DCMAKE_PROJECT_INCLUDE=<prefix>/lib/scale/scale.cmake ...
# With -DCMAKE_C_COMPILER=scale-cc this file is not needed.
if(NOT DEFINED SCALE_INSTRUMENTED_PROJECT)
  set(SCALE_INSTRUMENTED_PROJECT ${PROJECT_NAME})
  include(${CMAKE_CURRENT_LIST_DIR}/flags.cmake)
  scale_need_clang(scale.cmake)
  foreach(language C CXX)
    string(PREPEND CMAKE_${language}_FLAGS "-g ") # in front: the project's own -g wins
  endforeach()
  add_compile_options("${SCALE_COMPILE_OPTIONS}")
  add_link_options("${SCALE_LINK_OPTIONS}")
  link_libraries(${SCALE_RUNTIME})
endif()
