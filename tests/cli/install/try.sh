#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Uses an installed scale-run and scale-cc, which PATH finds, as their users do: by hand, by pkg-config, by CMake.
#
#   try.sh FOLDER [page]     FOLDER: an empty one, to work in; page: HTML pages must be in this build
#
# CMAKE_PREFIX_PATH and PKG_CONFIG_PATH say where to look, if it isn't where CMake and pkg-config look anyway.
set -eu
cd "$1"
say() { echo "try: $*"; }
fail() { echo "try: FAILED: $*" >&2; exit 1; }
# counted PROGRAM: running it makes one profile, in which pairs() goes over 45 pairs of 10 items
counted() {
  rm -rf profiles
  SCALE_PROFILE_DIR=$PWD/profiles "$1" 10 || fail "$1 ends with status $?"
  scale-run dump --totals profiles/*.scprof >totals
  grep -qE '^loop.*[[:space:]]45$' totals || fail "$1: no loop with 45 iterations: $(cat totals)"
}

cat >prog.c <<'C'
#include <scale/annotate.h>
#include <stdlib.h>
static volatile long sum;
static void pairs(long n)
{
  for (long i = 0; i < n; i++)
    for (long j = 0; j < i; j++)
      sum += j;
}
int main(int argc, char **argv)
{
  long n = argc > 1 ? atol(argv[1]) : 0;
  SCALE_ACQUIRE("ticket", 0, 1);
  pairs(n);
  SCALE_RELEASE("ticket", 0, 1);
  return 0;
}
C

say "by hand: build, run, report, ask"
scale-run --version
scale-cc --scale-where
scale-cc -O2 -o prog prog.c
counted ./prog
scale-run run -q --no-report --event none -P n=10,20,40,80,160 --at 1000 -- ./prog '{n}'
scale-run report >report
grep -q 'quadratic loop' report || fail "no quadratic loop: $(cat report)"
grep -q 'prog\.c:7' report || fail "not at prog.c:7: $(cat report)"
scale-run ask --at 1000 >answer
grep -q '499,500' answer || fail "1000 items are not 499,500 pairs: $(cat answer)"
if [ "${2-}" = page ]; then
  scale-run report --format html -o page.html
  [ "$(wc -c <page.html)" -gt 20000 ] || fail "the page is too short: $(wc -c <page.html) bytes"
fi

if command -v pkg-config >/dev/null; then
  say "pkg-config: the header for any compiler, the wrapper's name, the flags for plain clang"
  cc -O2 -c $(pkg-config --cflags scale) prog.c -o plain.o
  if nm plain.o | grep -i scale; then fail "annotations do not vanish"; fi
  "$(pkg-config --variable=compiler scale)" -O2 prog.c -o by-variable
  counted ./by-variable
  clang-19 -O2 prog.c $(pkg-config --cflags --libs scale-instrument) -o by-flags
  counted ./by-flags
fi

if command -v cmake >/dev/null; then
  say "CMake: find_package, Scale::annotate, scale_instrument"
  mkdir project
  cp prog.c project
  cat >project/CMakeLists.txt <<'M'
cmake_minimum_required(VERSION 3.25)
project(tried C)
find_package(Scale 0.1 REQUIRED)
add_executable(plain prog.c)
target_link_libraries(plain PRIVATE Scale::annotate)
option(INSTRUMENT "" ON)
if(INSTRUMENT)
  add_executable(prog prog.c)
  target_link_libraries(prog Scale::annotate)
  scale_instrument(prog)
endif()
file(WRITE ${CMAKE_BINARY_DIR}/compilers "${Scale_C_COMPILER} ${Scale_CXX_COMPILER}\n")
M
  cmake -S project -B by-function -DCMAKE_C_COMPILER=clang-19 >log 2>&1 || fail "$(cat log)"
  cmake --build by-function >log 2>&1 || fail "$(cat log)"
  counted by-function/prog
  if nm by-function/plain | grep -i __scale; then fail "a target that is not named is instrumented"; fi
  read -r compiler rest <by-function/compilers
  cmake -S project -B by-compiler -DCMAKE_C_COMPILER="$compiler" >log 2>&1 || fail "$(cat log)"
  cmake --build by-compiler >log 2>&1 || fail "$(cat log)"
  counted by-compiler/prog
  counted by-compiler/plain
  cmake -S project -B by-gcc -DCMAKE_C_COMPILER=cc -DINSTRUMENT=OFF >log 2>&1 || fail "$(cat log)"
  if cmake -S project -B by-gcc -DINSTRUMENT=ON >log 2>&1; then fail "scale_instrument() took gcc"; fi
  grep -q 'needs clang 19' log || fail "gcc: $(cat log)"
fi
say "all is well"
