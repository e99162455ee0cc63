#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# ask --functions: the flat table, of a program whose every count is known. What a header's template does is a row of the
# line that calls it, unless it is unfolded.
. "$(dirname "$0")/../lib.sh"
need_compiler
columns=100
mkdir system
cat >system/each.h <<'C'
template <class T> __attribute__((noinline)) void each(long n, T what)
{
  for (long i = 0; i < n; i++)
    what(i);
}
C
cat >prog.cpp <<'C'
#include "each.h"
#include <cstdlib>
static volatile long sink;
#define FUNCTION __attribute__((noinline)) static void
FUNCTION leaf(long i) { sink = sink + i; }
FUNCTION outer(long n)
{
  for (long j = 0; j < n; j++)
    leaf(j);
}
FUNCTION down(long n)
{
  if (n)
    down(n - 1);
}
int main(int argc, char **argv)
{
  long n = std::strtol(argv[1], nullptr, 10);
  for (long i = 0; i < n; i++)
    outer(n);
  down(n);
  each(n, leaf);
  return argc < 2;
}
C
"${cc%cc}c++" -O1 -g -isystem system -o prog prog.cpp || exit 1
"$run" run -P n=10,20,40,80,160 --at 1000 --event none --max-iterations 1 --no-report -q -- ./prog '{n}' || fault run
expect 0 '^  function +calls or work +self +95% interval +total +of all +order$' "$run" ask --functions
row() { grep -qE "^  $1 *\$" out || { fault "no row $1"; cat out; }; }
# n n calls in the loop, and n of each(); n calls of a loop of n; n + 1 calls inside each other count once.
row 'leaf \(prog\.cpp:5\) +1\.00 million +1\.00 million +exactly +1\.00 million +50% +n\^2'
row 'outer \(prog\.cpp:6\) +1,000 +1\.00 million +exactly +2\.00 million +99\.8% +n\^2'
row 'down \(prog\.cpp:11\) +1,001 +1,001 +exactly +1,001 +<0\.1% +n'
row 'each\.\.\. \(prog\.cpp:22\) +1 +1,001 +exactly +2,001 +<0\.1% +n'
grep -q 'most executed' out && fault 'the other tables, too'
expect 0 '^  each\.\.\. \(each\.h:1\) ' "$run" ask --functions --unfold-system
"$run" ask --functions --top 2 >out
[ "$(grep -cE '^  (leaf|outer|down|each|main) ' out)" = 2 ] && grep -q '^  and [3-9] more (--top)$' out || { fault '--top'; cat out; }
"$run" ask --functions --at 100 --json >functions.json
json functions.json '"most_costly" not in d["sizes"][0] and d["sizes"][0]["functions"][0]["name"].startswith("leaf")'
json functions.json '[(f["count"], f["self"]["value"], f["inclusive"]["value"], f["order"]) for f in d["sizes"][0]["functions"][:2]] == [(10100, 10100, 10100, "n^2"), (100, 10100, 20100, "n^2")]'
expect 2 '^scale-run: error: --functions lists all functions' "$run" ask --functions --function leaf
expect 2 '^hint: .*one of them: --function NAME' "$run" ask --functions --function leaf
expect 2 '^hint: .*leave out --functions' "$run" ask --functions --of calls
# Where no size is asked for there is no table: said, not left out.
for other in '--sweep 10..100' '--limit time=1s' --plot '--svg plot.svg'; do
  # shellcheck disable=SC2086
  expect 2 '^hint: .*--functions --at' "$run" ask --functions $other
done
expect 0 '^  outer ' "$run" ask --functions --at 100 --sweep 10..100
# What a library works through is a row, too: else the dearest of all would be in no self.
cat >l.c <<'C'
#include <stdlib.h>
#include <string.h>
static volatile long sink;
__attribute__((noinline)) static void walk(char *p)
{
  for (size_t i = 0; i < strlen(p); i++)
    sink += p[i] ^= 1;
}
int main(int argc, char **argv)
{
  size_t n = (size_t)atol(argv[1]);
  char *p = calloc(n + 1, 1);
  memset(p, 'a', n);
  walk(p);
  return argc != 2;
}
C
"$cc" -O1 -g -o lengths l.c || exit 1
"$run" run -P n=1000..16000 --at 64000 --event none --no-report -q -o lengths.db -- ./lengths '{n}' || fault run
expect 0 '^  strlen .bytes. +[0-9.]+ billion +[0-9.]+ million .* n\^2 *$' "$run" ask lengths.db --functions
[ "$(grep -E '^  (strlen|walk) ' out | head -n 1 | cut -c3-8)" = strlen ] || { fault 'strlen is not the dearest'; cat out; }
"$run" ask lengths.db --functions --json >functions.json
json functions.json '(lambda rows: abs(sum(f["self"]["value"] for f in rows) / d["sizes"][0]["total"]["value"] - 1) < 1e-9)(d["sizes"][0]["functions"])'
json functions.json 'd["sizes"][0]["functions"][0]["counts"] == "bytes"'

# At other values of further parameters, too.
"$run" run -P n=10,20,40,80,160 -P m=1,2,4 --at 1000 --event none --max-iterations 1 --no-report -q -o two.db -- ./prog '{n}' '{m}' || fault run
expect 0 '^  outer .* 1,000 +1\.00 million ' "$run" ask two.db --functions --at n=1000,m=2
expect 2 '^hint: leave out --over' "$run" ask two.db --functions --over m --limit iterations=1e9
# What a library's function calls in turn has the name of the user's call: it is a part of it, and no call of it.
columns=1000
cat >system/twice.h <<'C'
static volatile long turned;
__attribute__((noinline)) static void turn(long n)
{
  for (long i = 0; i < n; i++)
    turned = i;
}
__attribute__((noinline)) static void twice(long n)
{
  turn(n);
  turn(n);
}
C
printf '%s\n' '#include "twice.h"' '#include <stdlib.h>' 'int main(int argc, char **argv)' '{' '  twice(atol(argv[argc - 1]));' '}' >t.c
"$cc" -O1 -g -isystem system -o turns t.c || exit 1
"$run" run -P n=10,20,40,80,160 --at 1000 --event none --max-iterations 1 --no-report -q -o turns.db -- ./turns '{n}' || fault run
expect 0 '^  twice from main .t\.c:5. +1 +2,003 +exactly +2,003 ' "$run" ask turns.db --functions
expect 0 '^  own cost +2,003 +exactly$' "$run" ask turns.db --function twice
grep -qE '^  calls +1 +exactly$' out || { fault 'calls of twice'; cat out; }
grep -q '^  callee' out && { fault 'twice calls itself'; cat out; }
exit $status
