#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scale-cc and scale-c++ as CC and CXX of CMake, Meson, autotools, pkg-config and behind ccache: a program with a
# shared library of its own and a C++ part, unchanged, each time the same tree.
. "$(dirname "$0")/instrument/common.sh"
need python3

mkdir src && cd src || exit 1
cat >work.c <<'C'
int work(int n, int (*step)(int));
int work(int n, int (*step)(int)) { int sum = 0; for (int i = 0; i < n; i++) sum += step(i); return sum; }
C
cat >main.c <<'C'
#include <stdio.h>
int work(int n, int (*step)(int));
int risky(int n);
static int step(int i) { return i & 3; }
int main(void) { printf("%d %d\n", work(100, step), risky(7)); return 0; }
C
cat >risky.cpp <<'C'
#include <stdexcept>
extern "C" int risky(int n);
int risky(int n) { int caught = 0; for (int i = 0; i < n; i++) try { if (i % 2) throw std::runtime_error("odd"); } catch (...) { caught++; } return caught; }
C
cat >CMakeLists.txt <<'M'
cmake_minimum_required(VERSION 3.13)
project(sample C CXX)
include(CheckCCompilerFlag)
include(CheckFunctionExists)
check_c_compiler_flag(-Wno-maybe-uninitialized HAS_GCC_WARNING)
check_function_exists(qsort HAS_QSORT)
find_package(Threads REQUIRED)
add_library(work SHARED work.c)
add_executable(sample main.c risky.cpp)
target_link_libraries(sample work Threads::Threads)
M
cat >meson.build <<'M'
project('sample', 'c', 'cpp', default_options: ['warning_level=2', 'buildtype=release'])
cc = meson.get_compiler('c')
assert(cc.has_function('qsort'))
assert(not cc.has_function('no_such_function_anywhere'))
work = shared_library('work', 'work.c')
executable('sample', 'main.c', 'risky.cpp', link_with: work, dependencies: dependency('threads'))
M
cat >configure.ac <<'M'
AC_INIT([sample], [1])
AM_INIT_AUTOMAKE([foreign])
AC_PROG_CC
AC_PROG_CXX
AM_PROG_AR
LT_INIT
AC_CHECK_FUNCS([qsort no_such_function_anywhere])
AC_CHECK_HEADERS([stdlib.h no_such_header.h])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
M
cat >Makefile.am <<'M'
lib_LTLIBRARIES = libwork.la
libwork_la_SOURCES = work.c
libwork_la_LDFLAGS = -export-symbols-regex '^work$$'
bin_PROGRAMS = sample
sample_SOURCES = main.c risky.cpp
sample_LDADD = libwork.la
M
cd ..

# right NAME PROGRAM...: the output and the tree, in one profile
right() {
  name=$1
  shift
  profiled "$@"
  same "$name: output" "150 3" "$(cat out err)"
  same "$name: one profile" 1 "$(ls prof | grep -c 'scprof$')"
  tree=$(contexts)
  has "$name" "^main 1 " "$tree"
  has "$name" "^main/work 1 100$" "$tree"
  has "$name" "^main/work/step 100 0$" "$tree"
}
# run NAME COMMAND...: must succeed
run() {
  name=$1
  shift
  "$@" >log 2>&1 </dev/null || { fail "$name: $*"; tail -20 log >&2; }
}

if command -v cmake >/dev/null && command -v ninja >/dev/null; then
  for type in Debug Release; do
    run "CMake $type" cmake -S src -B cmake$type -G Ninja -DCMAKE_BUILD_TYPE=$type -DCMAKE_C_COMPILER="$cc" \
      -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_C_FLAGS=-Werror
    has "CMake knows the compiler" "Clang 19" "$(cat log)"
    run "CMake $type" cmake --build cmake$type
    right "CMake $type" cmake$type/sample
  done
  run "scale.cmake" cmake -S src -B include -G Ninja -DCMAKE_C_COMPILER="$clang" -DCMAKE_CXX_COMPILER="${clang/clang/clang++}" \
    -DCMAKE_PROJECT_INCLUDE="$SCALE_BUILD/lib/scale/scale.cmake"
  run "scale.cmake" cmake --build include
  right "scale.cmake" include/sample
  if cmake -S src -B gnu -G Ninja -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++ \
    -DCMAKE_PROJECT_INCLUDE="$SCALE_BUILD/lib/scale/scale.cmake" >log 2>&1; then
    fail "scale.cmake took gcc"
  fi
  has "scale.cmake and gcc: says so" "needs clang" "$(tr '\n' ' ' <log)"
fi
if command -v meson >/dev/null; then
  CC=$cc CXX=$cxx run "Meson" meson setup meson src
  has "Meson knows the compiler" "clang 19" "$(cat log)"
  run "Meson" ninja -C meson
  right "Meson" meson/sample
fi
if command -v autoreconf >/dev/null && command -v libtoolize >/dev/null; then
  (cd src && run "autotools" autoreconf -i)
  mkdir -p auto && cd auto || exit 1
  run "autotools" ../src/configure CC="$cc" CXX="$cxx" CFLAGS=-O2 CXXFLAGS=-O2
  has "autotools: what is there" "checking for qsort... yes" "$(cat log)"
  has "autotools: what is not" "checking for no_such_function_anywhere... no" "$(cat log)"
  has "autotools: shared libraries" "whether to build shared libraries... yes" "$(cat log)"
  run "autotools" make
  [ -e .libs/libwork.so ] || fail "autotools: no shared library"
  right "autotools" ./sample
  cd ..
fi
if command -v pkg-config >/dev/null; then
  flags() { PKG_CONFIG_PATH=$SCALE_BUILD/lib/pkgconfig pkg-config "$1" scale-instrument; }
  run "pkg-config" "$clang" $(flags --cflags) -O2 -c src/work.c src/main.c
  run "pkg-config" "${clang/clang/clang++}" $(flags --cflags) -O2 src/risky.cpp work.o main.o -o sample $(flags --libs)
  right "pkg-config" ./sample
fi
# Bitcode is instrumented where it is made, and not again where it becomes an object.
for form in "-c bc" "-S ll"; do
  set -- $form
  for file in work.c main.c risky.cpp; do
    run "$2" "$cxx" -O2 -emit-llvm "$1" -x "$([ $file = risky.cpp ] && echo c++ || echo c)" src/$file -o ${file%.*}.$2
  done
  run "$2" "$cxx" -O2 work.$2 main.$2 risky.$2 -o from-$2
  right "$2" ./from-$2
done
run "-save-temps" "$cc" -O2 -save-temps=obj -c src/work.c -o work.o
run "-save-temps" "$cxx" -O2 work.o main.bc risky.bc -o saved
right "-save-temps" ./saved
if command -v ccache >/dev/null; then
  export CCACHE_DIR=$work/ccache CCACHE_COMPILERCHECK='%compiler% --scale-version'
  for round in 1 2; do
    run "ccache" ccache "$cc" -O2 -c src/work.c -o work.o
    run "ccache" ccache "$cc" -O2 -c src/main.c -o main.o
    run "ccache" ccache "$cxx" -O2 -c src/risky.cpp -o risky.o
    run "ccache" ccache "$cxx" work.o main.o risky.o -o cached
    right "ccache $round" ./cached
  done
  has "ccache: hits" "Hits: +3 / +6" "$(ccache -s | tr -s ' ')"
  SCALE_EXCLUDE=work run "ccache" ccache "$cc" -O2 -c src/work.c -o work.o
  has "ccache: another filter, another object" "Hits: +3 / +7" "$(ccache -s | tr -s ' ')"
fi
finish
