#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A few events at the largest sizes alone tell no growth: no answer has an order of what it cannot tell.
. "$(dirname "$0")/lib.sh"
need_compiler
cat >late.c <<'C'
#include <stdlib.h>
static volatile long sink;
__attribute__((noinline)) static void late(void) { sink++; }
int main(int argc, char **argv)
{
  long n = atol(argv[1]);
  for (long i = 0; i < n; i++)
    sink += i;
  for (long i = 0; i < (n < 400 ? 0 : n < 900 ? 1 : n < 1500 ? 3 : 11); i++)
    late();
  return 0;
}
C
compile -O1 -g -o late late.c
"$run" run -q --event none --no-report -P n=100..1600 --at 16000 -- ./late '{n}' >out 2>err || { fault "run"; cat err; }
expect 0 'main' "$run" ask --at 16000
grep -E 'late \(late\.c:3\)' out | grep -F 'n^' && { fault "an order of an undecided count"; cat out; }
expect 0 'its interval has no upper end' "$run" ask --function late --at 16000
grep -F 'n^' out && { fault "an order of a few events"; cat out; }
"$run" ask --at 16000 --json >ask.json || fault "ask --json"
json ask.json 'all("model" not in r for s in d["sizes"] for r in s["most_executed"] if r["context"]["function"] == "late")'
expect 0 '' "$run" report --fail-on superlinear
exit $status
