# SPDX-License-Identifier: GPL-3.0-or-later
# Instruments a CMake project that keeps its own compiler name (which must be the pass's clang):
#   cmake -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 \
#         -DCMAKE_PROJECT_INCLUDE=<prefix>/lib/scale/scale.cmake ...
# With -DCMAKE_C_COMPILER=scale-cc this file is not needed.
if(NOT DEFINED SCALE_INSTRUMENTED_PROJECT)
  set(SCALE_INSTRUMENTED_PROJECT ${PROJECT_NAME})
  foreach(language C CXX)
    if(CMAKE_${language}_COMPILER AND NOT CMAKE_${language}_COMPILER_ID STREQUAL "Clang")
      message(FATAL_ERROR "scale.cmake needs clang 19, and the ${language} compiler is ${CMAKE_${language}_COMPILER}.\n"
              "Configure with -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19, "
              "or use scale-cc and scale-c++ as the compilers instead of this file.")
    endif()
    string(PREPEND CMAKE_${language}_FLAGS "-g ") # in front: the project's own -g wins
  endforeach()
  add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-fpass-plugin=${CMAKE_CURRENT_LIST_DIR}/scale-pass.so>"
                      "$<$<COMPILE_LANGUAGE:C,CXX>:-D__SCALE__=1>"
                      "$<$<COMPILE_LANGUAGE:C,CXX>:SHELL:-idirafter ${CMAKE_CURRENT_LIST_DIR}/include>")
  add_link_options("$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:LINKER:--export-dynamic-symbol=__scale_*>"
                   LINKER:--build-id LINKER:-u,__scale_runtime)
  link_libraries(${CMAKE_CURRENT_LIST_DIR}/libscale-rt.a)
endif()
