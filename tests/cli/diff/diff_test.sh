#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Versions of a program, built, measured and compared: what is the same says so, what got worse is reported at its line.
. "$(dirname "$0")/../lib.sh"
set -e
need_compiler
line() { grep -n "/\* $1 \*/" program.c | cut -d: -f1; }

cp "$here/program.c" .
measure() { # measure STUDY [MACRO]
  "$cc" -O2 -g ${2:+-D$2} -o program program.c
  "$run" run -P n=200..3200+ --at 50000 --quiet --no-report -o "$1.db" -- ./program '{n}'
}
# expect STATUS PATTERN diff-arguments
expect() {
  want=$1 pattern=$2
  shift 2
  got=0
  "$run" diff "$@" >out 2>err || got=$?
  [ "$got" = "$want" ] || { fault "exit status $got instead of $want: diff $*"; cat out err; }
  grep -qE -- "$pattern" out err || { fault "no /$pattern/ from: diff $*"; cat out err; }
}

measure base
measure again
measure renamed RENAMED
measure extracted EXTRACTED
measure inlined INLINED
measure quadratic QUADRATIC
measure twice TWICE
measure leak LEAK

for same in again renamed extracted inlined; do
  expect 0 '^No change: 1[0-9] contexts compared' base.db $same.db --fail-on any
  expect 0 '^No change: 1[0-9] contexts compared' $same.db base.db --fail-on any
done
expect 0 ' of them under another name' base.db renamed.db

quadratic=$(line quadratic) binary=$(line binary) leak=$(line leak)
expect 1 "^program.c:$quadratic:[0-9]+: error: work: .*quadratic.*\[worse-order\]" base.db quadratic.db --fail-on order
[ "$(grep -c '^program.c' out)" = 1 ] || { fault "more than the one change"; cat out; }
expect 0 "\[better\]" quadratic.db base.db --fail-on any
expect 1 "^program.c:[0-9]+:.*: warning: lookup: calls up.*\[worse-cost\]" base.db twice.db --fail-on any
expect 0 '\[worse-cost\]' base.db twice.db --fail-on order
grep -q 'Do .*2 times the calls at n = 50,000, of the same order as in the base' out || { fault "no factor"; cat out; }
# Totals are compared as executions where times are not: the baseline of another machine has none.
"$run" baseline base.db -o counts.json
sed -i 's/"machine": *"[^"]*"/"machine": "another"/' counts.json
expect 1 'error: total: .* up; at n = 50,000: .* x, 1.10 x allowed' counts.json twice.db --fail-on 'order,cost>1.1x'
expect 0 '\[worse-cost\]' counts.json twice.db --fail-on 'cost>3x'
expect 1 'error: total: ' counts.json quadratic.db --fail-on cost=1.5x
expect 0 '^No change' counts.json again.db --fail-on cost=1.01x
grep -q "^program.c:$binary:" out && { fault "the loop in what is called twice is reported too"; cat out; }
expect 1 "heap.*outstanding.*\[worse-order\]" base.db leak.db --fail-on any
grep -q "^program.c:$leak:\|^program.c:[0-9]*:.*heap" out || { fault "the leak has no line"; cat out; }

# The same from a baseline.
"$run" baseline base.db -o models.json
"$run" baseline base.db >models2.json
cmp models.json models2.json || fault "two baselines of a study differ"
grep -q "$work" models.json && fault "a baseline has absolute paths"
[ "$(wc -c <models.json)" -lt 20000 ] || fault "the baseline has $(wc -c <models.json) bytes"
expect 0 '^No change' models.json again.db --fail-on any
expect 0 '^No change' models.json renamed.db --fail-on any
expect 1 "^program.c:$quadratic:.*\[worse-order\]" models.json quadratic.db --fail-on order
mv quadratic.db scale.db
expect 1 "^program.c:$quadratic:.*\[worse-order\]" models.json --fail-on order --at 1e6
grep -q 'n = 1,000,000' out || { fault "--at is not heeded"; cat out; }
valid baseline models.json

# What cannot be compared.
expect 2 'diff needs a BASE'
expect 2 'there is no study nowhere.db' nowhere.db scale.db
cat >other.c <<'C'
#include <stdlib.h>
static volatile long sink;
static void draw(long n) { for (long i = 0; i < n; i++) sink += i; }
static void paint(long n) { for (long i = 0; i < 2 * n; i++) sink += i; }
int main(int argc, char **argv) { long n = atol(argv[1]); draw(n); paint(n); return 0; }
C
"$cc" -O2 -g -o other other.c
"$run" run -P n=200..3200+ --at 50000 --quiet --no-report -o other.db -- ./other '{n}'
expect 2 'different programs' base.db other.db
"$run" run -P items=500..8000+ --at 100000 --quiet --no-report -o items.db -- ./program '{items}'
expect 2 'different parameters: n in the base, items in the head' base.db items.db
# One function that is new under two callers: each is named by its own.
cat >twice.c <<'C'
#include <stdlib.h>
static volatile long sink;
#ifdef HEAD
__attribute__((noinline)) static void note(long i) { sink += i; }
#else
#define note(i) (sink += (i))
#endif
__attribute__((noinline)) static void load(long n)
{
  for (long i = 0; i < n; i++)
    note(i);
}
__attribute__((noinline)) static void store(long n)
{
  for (long i = 0; i < n; i++)
    note(i);
}
int main(int argc, char **argv)
{
  load(atol(argv[1]));
  store(atol(argv[1]));
  return 0;
}
C
for side in BASE HEAD; do
  "$cc" -O1 -g -D$side -o twice twice.c
  "$run" run -P n=200..3200 --at 50000 --quiet --no-report -o twice-$side.db -- ./twice '{n}'
done
expect 0 'new things cost a share that matters: note from (load|store), note from (load|store)\.' twice-BASE.db twice-HEAD.db
for caller in load store; do
  expect 0 "twice\.c:4:[0-9]+: warning: note from $caller: new: calls linear" twice-BASE.db twice-HEAD.db --format lines
  expect 0 "note. from $caller<br>" twice-BASE.db twice-HEAD.db --format markdown
done
exit $status
