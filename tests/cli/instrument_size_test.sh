#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Disk space of profiles: an empty main and the children of a small program leave three pages each, for test suites run
# thousands of such; and space grows with what is counted. A large profile has room for what is in it, not for what might
# have come, once its program has ended and in children from the start.
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

# 200 functions of two calls each: 60 KiB of nodes and as much of records; the last chunk of each is half empty
{
  echo '#include <stdlib.h>'; echo '#include <sys/wait.h>'; echo '#include <unistd.h>'; echo 'static volatile int sink;'
  for i in {0..199}; do echo "int f$i(int k);"; done
  for i in {0..199}; do
    echo "__attribute__((noinline)) int f$i(int k) { int s = 0; for (int i = 0; i < k % 7 + 1; i++) s += i ^ sink;
  if (k > 0) s += f$(((i * 7 + 1) % 200))(k - 1) + f$(((i * 3 + 2) % 200))(k - 1); sink += s; return s; }"
  done
  echo 'static int (*volatile const all[])(int) = {'; for i in {0..199}; do echo "f$i,"; done; echo '};'
  cat <<'C'
int main(int argc, char **argv)
{
  for (int i = 0; i < 200; i++)
    all[i](1);
  for (int depth = 0; argc > 1 && depth < atoi(argv[1]); depth++) {
    if (fork() > 0) { /* a child of a child, and so on */
      wait(NULL);
      return 0;
    }
    for (int i = 0; i < depth; i++)
      all[i](0);
  }
  if (argc > 2 && atoi(argv[2]))
    for (int i = 0; i < 200; i++)
      all[i](2);
  return 0;
}
C
} >large.c
"$cc" -O2 large.c -o large || fail "large does not build"
profiled ./large
all_of=$(each | cut -d' ' -f2) long=$(stat -c %s prof/*.scprof)
[ "$all_of" -ge 100000 ] || fail "a large profile has only $all_of bytes"
[ "$all_of" -le $((long * 3 / 4)) ] || fail "at its end a profile of $long bytes takes $all_of"
has "a large profile is whole" "^f199 3$" "$(totals)"
# A child takes over the contexts that it is in, and comes to the others by itself: one that does nothing leaves an eighth
# of what its parent does, one that comes to many leaves as much as a process that does so alone.
least() { du -B1 prof/*.scprof | sort -n | awk 'NR == 1 { print $1 }'; }
profiled ./large 1
[ "$(least)" -le $((all_of / 8)) ] || fail "a child that does nothing leaves $(least) bytes, its parent $all_of"
profiled ./large 0 1
alone=$(each | cut -d' ' -f2)
profiled ./large 1 1
each=$(each | cut -d' ' -f2)
[ "$each" -ge $((all_of * 3 / 2)) ] && [ "$each" -le "$alone" ] ||
  fail "a child that does what takes a process $alone bytes, and its parent half of that, leaves $each"
profiled ./large 4
same "children of children: a profile each" 5 "$(each | cut -d' ' -f1)"
[ "$(each | cut -d' ' -f2)" -le $((all_of + 24576)) ] ||
  fail "a child of one with $all_of bytes takes $(each | cut -d' ' -f2)"
has "children's counts" "^f0 6$" "$(totals)"
has "children's counts" "^f2 4$" "$(totals)"
profiled ./large 1 1
same "a child that counts much: functions with 3 calls in the parent and 7 in the child" 200 \
  "$(totals | grep -cE '^f[0-9]+ 10$')"
finish
