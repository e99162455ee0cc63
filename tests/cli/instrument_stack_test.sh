#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What instrumentation adds to a level of recursion, and that `scale-run run` makes up for it: a program that fits its stack
# plainly fits it instrumented.
. "$(dirname "$0")/instrument/common.sh"
export TMPDIR=$work

cat >walk.c <<'C'
#include <stdio.h>
#include <stdlib.h>
struct node {
  struct node *left, *right;
  long value;
};
__attribute__((noinline)) static long walk(const struct node *n)
{
  return n ? walk(n->left) + n->value + walk(n->right) : 0;
}
int main(int argc, char **argv)
{
  long n = atol(argv[1]);
  struct node *nodes = calloc((size_t)n, sizeof *nodes);
  for (long i = 0; i + 1 < n; i++)
    nodes[i].left = &nodes[i + 1];
  for (long i = 0; i < n; i++)
    nodes[i].value = 1;
  printf("%ld\n", walk(nodes));
  return 0;
}
C
# The shell says that a program crashed, which is expected.
limited() { (ulimit -S -s 1024 && "$@" >/dev/null) 2>/dev/null; }
# levels PROGRAM: as many as fit 1 MiB, to 2%
levels() {
  local low=1000 high=100000
  while [ $(((high - low) * 50)) -gt "$low" ]; do
    local middle=$(((low + high) / 2))
    if limited "$1" $middle; then low=$middle; else high=$middle; fi
  done
  echo "$low"
}
for level in -O0 -O2; do
  "$clang" $level walk.c -o plain$level && "$cc" $level walk.c -o walk$level || fail "$level does not build"
done 2>/dev/null
plain=$(levels ./plain-O2) instrumented=$(levels ./walk-O2)
[ $((plain * 100)) -le $((instrumented * 115)) ] || fail "-O2: $instrumented levels of a tree walk, plain $plain"

# At -O0 a level takes more: what just fits plainly overflows, but not below scale-run.
deep=$(($(levels ./plain-O0) * 9 / 10))
limited ./plain-O0 $deep || fail "-O0: $deep levels do not fit plainly"
limited ./walk-O0 $deep && fail "-O0: $deep levels fit instrumented: the test shows nothing"
run() { "$SCALE_BUILD/bin/scale-run" run -o study.db --restart --no-report -P n=$((deep / 4)),$((deep / 2)),$deep --event none -- "$@"; }
(ulimit -S -s 1024 && run "$work/walk-O0" '{n}') >out 2>err || fail "below scale-run: $(tail -3 err)"
# Never above the hard limit.
(ulimit -S -s 1024 && run sh -c 'ulimit -S -s >'"$work"'/limit.{n}; exec '"$work"'/walk-O2 {n}') >out 2>err || fail "limits: $(tail -3 err)"
same "soft limit" 3072 "$(cat limit.$deep)"
(ulimit -s 2048 && ulimit -S -s 1024 && run sh -c 'ulimit -S -s >'"$work"'/limit.{n}; exec '"$work"'/walk-O2 {n}') >out 2>err || fail "hard: $(tail -3 err)"
same "soft limit below the hard one" 2048 "$(cat limit.$deep)"
finish
