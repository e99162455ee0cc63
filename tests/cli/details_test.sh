#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A finding takes a few lines, what to do stands once, --details has the rest; two waits in one function are told apart.
. "$(dirname "$0")/lib.sh"
need_compiler
columns=100
cat >prog.c <<'C'
#include <stdlib.h>
#include <unistd.h>
static volatile long sink;
static void rest(long n) { usleep(40 * n); }
static void early(long n) { rest(n); }
static void late(long n) { rest(n / 2); }
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      sink += j;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < i; j++)
      sink += j;
  if (argc > 2)
    early(n), late(n);
  return 0;
}
C
"$cc" -O1 -g -fno-inline -o prog prog.c || exit 1
"$run" run -P n=100..1600 --at 10000,20000 --quiet --no-report -o two.db -- ./prog '{n}' >log 2>&1 || { fault run; cat log; }

# Headline, way, a line or two for each target, when, why; what to do after the first.
expect 0 '^1\. main \(prog\.c:10:5\): quadratic loop, n\^2 iterations$' "$run" report two.db
cp out short
grep -q '^   In  *prog > main > loop prog\.c:9:3$' short || fault 'no way to the finding'
grep -qE '^   Predicted   n = 10,000: 100 million iterations \(exactly\), ' short || fault 'no prediction'
grep -qE '^               n = 20,000: 400 million iterations \(exactly\), ' short || fault 'no second target'
grep -qE '^   When .*confidence high \(1\.00\)$' short || fault 'no confidence'
[ "$(grep -c '^   Why ' short)" = 2 ] || fault 'not why of both'
[ "$(grep -c 'Replace the walk' short)" = 1 ] || fault 'what to do is said again'
lines=$(sed -n '/^1\. /,/^$/p' short | sed '$d' | wc -l) # one for the second target
[ "$lines" -le 7 ] || { fault "a finding takes $lines lines"; cat short; }
grep -q '<-- here' short && fault 'the context is printed in full'
grep -q '^In full, with what was counted and where: scale-run report two\.db --details$' short || fault 'no way to the rest'

expect 0 '^   Evidence  *Iterations at n = 100: 10,000; ' "$run" report two.db --details
grep -qE 'loop prog\.c:10:5 +n\^2  <-- here' out || fault 'no context'
[ "$(tr -s ' \n' ' ' <out | grep -o 'Replace the walk' | wc -l)" = 2 ] || fault 'a finding in full does not say what to do'
grep -q -- '--details' out && fault 'itself is advised'

# The end of a run fits on a screen of 100 by 30, whatever there is to say.
for most in '' ,20000,30000,40000,50000; do
  "$run" run -P n=100..1600 --at "10000$most" --quiet -o screen.db --restart -- ./prog '{n}' wait >screen 2>log || { fault 'run to a screen'; cat log; }
  [ "$(wc -l <screen)" -lt 30 ] || { fault 'the end of a run is longer than a screen'; cat screen; }
  tail -n 1 screen | grep -q '^Next: scale-run report screen\.db$' || { fault 'no next command'; cat screen; }
done

# Two callers of what waits.
"$run" run -P n=100..1600 --at 10000 --quiet --no-report -o waits.db -- ./prog '{n}' wait >log 2>&1 || { fault run; cat log; }
"$run" report waits.db | tr -s ' \n' ' ' >out
for caller in early late; do
  grep -qE "Sleeping in rest \(prog\.c:4\), by usleep, in main > $caller > rest: " out || { fault "the wait of $caller"; cat out; }
done

# Of forty levels: the root, where the order rises, and the last two.
{
  printf '#include <stdlib.h>\nstatic volatile long sink;\n'
  printf 'static void f40(long n) { for (long i = 0; i < n; i++) sink += i; }\n'
  for level in $(seq 39 -1 1); do
    repeat=
    [ "$level" = 20 ] && repeat='for (long i = 0; i < n; i++) '
    printf 'static void f%d(long n) { %sf%d(n); }\n' "$level" "$repeat" $((level + 1))
  done
  printf 'int main(int argc, char **argv) { return f1(atol(argv[argc - 1])), 0; }\n'
} >deep.c
"$cc" -O1 -g -fno-inline -fno-optimize-sibling-calls -o deep deep.c || exit 1
"$run" run -P n=100..800 --at 10000 --event none --quiet --no-report -o deep.db -- ./deep '{n}' >log 2>&1 || { fault run; cat log; }
expect 0 '^   In  *deep > main > \.\.\. > loop deep\.c:23:27 > \.\.\. > f39 > f40$' "$run" report deep.db
"$run" report --format markdown deep.db >out || fault 'no comment for a review'
grep -q '^- Context: process deep › main (deep\.c:43) › … › loop deep\.c:23:27 › … › f40 (deep\.c:3) from line 4 › loop deep\.c:3:27$' out ||
  fault 'the comment has another path'
exit $status
