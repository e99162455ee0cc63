# SPDX-License-Identifier: GPL-3.0-or-later
# What instrumenting with plain clang takes, for scale.cmake and for the CMake package. Lies beside the pass and the runtime.
set(SCALE_COMPILE_OPTIONS
  "$<$<COMPILE_LANGUAGE:C,CXX>:-fpass-plugin=${CMAKE_CURRENT_LIST_DIR}/scale-pass.so>"
  "$<$<COMPILE_LANGUAGE:C,CXX>:-D__SCALE__=1>"
  "$<$<COMPILE_LANGUAGE:C,CXX>:SHELL:-idirafter ${CMAKE_CURRENT_LIST_DIR}/include>")
set(SCALE_LINK_OPTIONS
  LINKER:--export-dynamic-symbol=__scale_*
  LINKER:--build-id LINKER:-u,__scale_runtime)
set(SCALE_RUNTIME ${CMAKE_CURRENT_LIST_DIR}/libscale-rt.a)

# Ends the configuration where a compiler of the project cannot load the pass.
function(scale_need_clang who)
  foreach(language C CXX)
    if(CMAKE_${language}_COMPILER AND NOT
       (CMAKE_${language}_COMPILER_ID STREQUAL "Clang" AND
        (NOT CMAKE_${language}_COMPILER_VERSION OR CMAKE_${language}_COMPILER_VERSION MATCHES "^19\\.")))
      message(FATAL_ERROR "${who} needs clang 19, and the ${language} compiler is ${CMAKE_${language}_COMPILER}.\n"
              "Configure with -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19, "
              "or use scale-cc and scale-c++ as the compilers instead of ${who}.")
    endif()
  endforeach()
endfunction()
