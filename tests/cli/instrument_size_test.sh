#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Disk space of profiles: an empty main and the children of a small program leave three pages each, for test suites run
# thousands of such; and space grows with what is counted.
. "$(dirname "$0")/instrument/common.sh"

cat >small.c <<'C'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#define STEP(n) __attribute__((noinline)) static int f##n(int k) { int s = 0; for (int i = 0; i < k; i++) s += i; return s; }
STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9)
int main(int argc, char **argv)
{
  static int (*volatile const all[])(int) = {f0, f1, f2, f3, f4, f5, f6, f7, f8, f9};
  for (int i = 0; argc > 1 && i < atoi(argv[1]); i++) {
    if (fork() == 0)
      _exit(f0(i) == -1);
    wait(NULL);
  }
  for (int i = 0; argc > 2 && i < 10; i++)
    all[i](i);
  return 0;
}
C
"$cc" -O2 small.c -o small || fail "small does not build"
each() { du -B1 prof/*.scprof | awk '{ if ($1 > most) most = $1 } END { print NR, most + 0 }'; }
profiled ./small
same "an empty main: one profile" 1 "$(each | cut -d' ' -f1)"
[ "$(each | cut -d' ' -f2)" -le 12288 ] || fail "an empty main leaves $(each | cut -d' ' -f2) bytes"
profiled ./small 20
same "children: a profile each" 21 "$(each | cut -d' ' -f1)"
[ "$(each | cut -d' ' -f2)" -le 16384 ] || fail "a child that does little leaves $(each | cut -d' ' -f2) bytes"
profiled ./small 0 all
has "ten functions" "^f9 1$" "$(totals)"
[ "$(each | cut -d' ' -f2)" -le 32768 ] || fail "ten functions take $(each | cut -d' ' -f2) bytes"
finish
