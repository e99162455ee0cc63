# SPDX-License-Identifier: GPL-3.0-or-later
# Counting functions of programs that nobody rebuilt: the code for the kernel is compiled by clang, and becomes part of the
# library. Without libbpf the same functions say that they are not there.
pkg_check_modules(BPF IMPORTED_TARGET libbpf>=1.1)
find_program(SCALE_BPF_CLANG NAMES clang-19 clang)
if(BPF_FOUND AND SCALE_BPF_CLANG)
  set(can_attach ON)
else()
  set(can_attach OFF)
endif()
option(SCALE_ATTACH "Count functions of ordinary programs by uprobes (needs libbpf and clang)" ${can_attach})
if(SCALE_ATTACH AND NOT can_attach)
  message(FATAL_ERROR "SCALE_ATTACH=ON needs libbpf and clang (Debian: apt-get install libbpf-dev clang-19)")
endif()

set(attach ${CMAKE_CURRENT_LIST_DIR})
add_library(scale-attach STATIC ${attach}/object.c ${attach}/functions.c ${attach}/inlined.c ${attach}/values.c
  ${attach}/price.c)
target_link_libraries(scale-attach PUBLIC scale-profiles scale-events PkgConfig::DW)
if(SCALE_ATTACH)
  # Debian has the kernel's headers for C programs in the folder of the architecture.
  set(code ${CMAKE_BINARY_DIR}/instrument/attach/count.o)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/instrument/attach)
  # Which registers have a call's arguments; libbpf's name of the architecture.
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(arch arm64)
  else()
    set(arch x86)
  endif()
  add_custom_command(OUTPUT ${code}
    COMMAND ${SCALE_BPF_CLANG} -target bpf -D__TARGET_ARCH_${arch} -mcpu=v3 -O2 -g -Wall -Werror -I/usr/include/${CMAKE_LIBRARY_ARCHITECTURE}
            -c ${attach}/count.bpf.c -o ${code}
    DEPENDS ${attach}/count.bpf.c ${attach}/count.h ${attach}/happened.h ${attach}/consumed.h COMMENT "Compiling the counting code for the kernel" VERBATIM)
  add_custom_command(OUTPUT ${code}.c
    COMMAND ${CMAKE_COMMAND} -DCODE=${code} -DOUT=${code}.c -P ${attach}/embed.cmake
    DEPENDS ${code} ${attach}/embed.cmake VERBATIM)
  target_sources(scale-attach PRIVATE ${attach}/catch.c ${attach}/links.c ${code}.c)
  target_link_libraries(scale-attach PUBLIC PkgConfig::BPF)
else()
  target_sources(scale-attach PRIVATE ${attach}/absent.c)
endif()
