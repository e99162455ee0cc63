#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The order that is named matters at the targets; what hardly counts there is a note with the size from which on it does.
. "$(dirname "$0")/lib.sh"
need_compiler
columns=100
cat >later.c <<'C'
#include <stdlib.h>
static volatile long sink;
__attribute__((noinline)) static void inner(long steps)
{
  for (long i = 0; i < steps; i++)
    sink += i;
}
int main(int argc, char **argv)
{
  long n = atol(argv[1]);
  for (long i = 0; i < n; i++)
    inner(20000 + i);
  return 0;
}
C
compile -O1 -g -o later later.c
expect 0 'No superlinear growth found|Undecided' "$run" run -q -P n=10..200 --at 100 -- ./later '{n}'

# 20,000 n and n^2 / 2: at 100 the square makes 0.25%, at 40,000 as much as the rest.
expect 0 'inner \(later\.c:5:3\): growth of n\^2 hardly counts at the targets, but outweighs the rest from n = 40,000 on: 0\.5 n\^2 \+ 19999\.5 n iterations\.' \
  "$run" report
grep -q quadratic out && { fault "a negligible square is named"; cat out; }
expect 0 'linear loop' "$run" report --fail-on superlinear
"$run" report --json >report.json || fault "report --json"
json report.json 'd["targets"] == [100] and all(f["to"]["exponent"] < 2 for f in d["findings"])'
expect 0 'quadratic loop, 0\.5 n\^2 \+ 19999\.5 n iterations' "$run" report --at 1e6
grep -q 'hardly counts' out && { fault "a note on what is a finding"; cat out; }
expect 1 'quadratic' "$run" report --at 1e6 --fail-on superlinear
exit $status
