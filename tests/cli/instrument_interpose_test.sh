#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A program replaces a function of a library by its own, which throws where the library's comes back: what follows the
# call in the library is counted only when it is reached.
. "$(dirname "$0")/instrument/common.sh"
cat >library.c <<'C'
int hook(int x) { return x + 1; }
static inline __attribute__((always_inline)) void after(int *sum) { *sum += 2; }
int run(int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum += hook(i);
    after(&sum);
  }
  return sum;
}
C
cat >program.cpp <<'C'
#include <cstdio>
extern "C" int run(int);
extern "C" int hook(int x)
{
  if (x == 5)
    throw 1;
  return x;
}
int main()
{
  try {
    printf("%d\n", run(10));
  } catch (int) {
    puts("caught");
  }
}
C
for level in "-O0" "-O2 -fsemantic-interposition"; do
  # shellcheck disable=SC2086
  "$cc" $level -fPIC -fexceptions -shared library.c -o libhook.so &&
    "$cxx" -O2 program.cpp -L. -lhook -Wl,-rpath,"$PWD" -o program || fail "$level does not build"
  profiled ./program
  same "$level: output" "0 caught" "$status $(cat out)"
  counted=$("$SCALE_BUILD/bin/scale-run" dump --totals prof/*.scprof | awk '$1 == "function" { print $2, $4 }')
  same "$level: calls" "after 5 hook 6 main 1 run 1" "$(echo "$counted" | sort | xargs)"
done
finish
