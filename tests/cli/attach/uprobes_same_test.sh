#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The same source, built as usual and counted by uprobes, and built with scale-cc: equal counts to the last digit, and every
# command reads both studies alike.
. "$(dirname "$0")/../lib.sh"
. "$here/attach.sh"
need_compiler
need_uprobes

cat >tree.c <<'X'
#include <stdio.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline))
struct node {
  struct node *left, *right;
  unsigned key;
};
static unsigned state = 7;
static NOINLINE unsigned draw(void)
{
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}
static NOINLINE int compare(const void *a, const void *b)
{
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return (x > y) - (x < y);
}
NOINLINE struct node *insert(struct node *at, unsigned key)
{
  if (!at) {
    at = calloc(1, sizeof *at);
    at->key = key;
  } else if (compare(&key, &at->key) < 0)
    at->left = insert(at->left, key);
  else
    at->right = insert(at->right, key);
  return at;
}
NOINLINE long walk(const struct node *at) { return at ? walk(at->left) + 1 + walk(at->right) : 0; }
int main(int argc, char **argv)
{
  long n = atol(argv[1]);
  unsigned *keys = malloc((size_t)n * sizeof *keys);
  struct node *root = NULL;
  for (long i = 0; i < n; i++)
    root = insert(root, keys[i] = draw());
  qsort(keys, (size_t)n, sizeof *keys, compare);
  printf("%ld %u\n", walk(root), keys[0]);
  return 0;
}
X
# Tail calls to itself would be jumps, which enter nothing.
"$plain_cc" -O2 -g -fno-optimize-sibling-calls -o plain tree.c || exit 1
compile -O2 -g -o instrumented tree.c
sizes=n=100,200,400,800
measure -P $sizes --at 1e5 --uprobes draw,compare,insert,walk -o uprobes.db -- ./plain '{n}'
measure -P $sizes --at 1e5 --event none --plain ./plain -o counters.db -- ./instrumented '{n}'
python3 - <<'PYTHON' || fault 'counts differ'
import sqlite3, sys

def totals(study):
    rows = sqlite3.connect(study).execute(
        "SELECT s.n, l.name, s.repeat, sum(s.count) FROM series s JOIN context c ON c.id = s.context JOIN location l ON l.id = c.location"
        " WHERE l.kind = 'function' AND l.name IN ('draw', 'compare', 'insert', 'walk') GROUP BY s.n, l.name, s.repeat")
    return {(n, name, repeat): count for n, name, repeat, count in rows}

probed, counted = totals("uprobes.db"), totals("counters.db")
common = probed.keys() & counted.keys()
print(len(common), "counts")
assert len(common) >= 16 and len({name for _, name, _ in common}) == 4
bad = [(key, probed[key], counted[key]) for key in common if probed[key] != counted[key]]
assert not bad, bad
PYTHON

# All that reads a study reads this one.
expect 0 'compare \(tree.c:[0-9]+\): .*function' "$run" report uprobes.db --at 1e5
expect 0 'Calls of the functions that --uprobes names were counted, and nothing else' "$run" report uprobes.db
expect 0 'No times are predicted: the uprobes multiply' "$run" report uprobes.db
expect 0 'draw' "$run" ask uprobes.db --functions
expect 0 'insert' "$run" ask uprobes.db --at 1e6 --function insert
expect 0 '1,000,000' "$run" ask uprobes.db --at 1e6 --function draw
"$run" report uprobes.db --format json >report.json || fault 'json'
python3 -c 'import json, jsonschema, sys; jsonschema.validate(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])))' \
  report.json "$here/../../../docs/report.schema.json" || fault 'the report breaks its schema'
json report.json 'd["inlined"] == [] and d["undescribed"] == []'
for format in lines markdown sarif junit github gitlab openmetrics html; do
  "$run" report uprobes.db --format $format -o out.$format || fault "report as $format"
done
expect 0 '' "$run" export uprobes.db --format folded
"$run" baseline uprobes.db -o base.json || fault baseline
cp uprobes.db again.db
expect 0 'No change' "$run" diff base.json again.db
expect 0 'No change' "$run" diff uprobes.db again.db
# What is counted are calls: no output speaks of iterations, and a baseline keeps that.
python3 -c 'import json, jsonschema, sys; jsonschema.validate(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])))' \
  base.json "$here/../../../docs/baseline.schema.json" || fault 'the baseline breaks its schema'
for study in uprobes.db base.json; do
  expect 0 'No times are predicted: the uprobes multiply' "$run" report $study
  expect 0 'Total cost in calls' "$run" report $study
  expect 0 'Calls of the functions that --uprobes names were counted, and nothing else' "$run" report $study
  expect 0 'callers as well|No superlinear' "$run" report $study --at 1e5
  expect 0 'calls is reached at n' "$run" ask $study --limit calls=1e9
  expect 0 'calls of insert' "$run" ask $study --at 1e6 --function insert
  for format in text json lines markdown junit github gitlab openmetrics; do
    "$run" report $study --at 1e5 --format $format >said.txt && grep -n 'iterations' said.txt && fault "report of $study as $format speaks of iterations"
  done
  for question in '--at 1e6' '--at 1e6 --function insert' '--limit calls=1e9'; do
    "$run" ask $study $question >said.txt && grep -n 'iterations' said.txt && fault "ask $study $question speaks of iterations"
  done
done
told 0 'times are not compared: of uprobes.db none are left' 'counts are compared' "$run" diff counters.db uprobes.db
expect 0 'are as they were saved' "$run" study check uprobes.db
expect 0 'insert' "$run" report uprobes.db --at 1e5 --fail-on superlinear

# verify and a resumed study count the functions that the study remembers.
expect 0 '3,200' "$run" verify uprobes.db --at n=3200
measure -P $sizes --at 1e5 -o uprobes.db -- ./plain '{n}'
told 2 'in calls, not time' 'ask for wall, or calls' "$run" ask uprobes.db --of time
told 2 'nothing of resources' 'probes describes what these do' "$run" ask uprobes.db --resource heap
told 2 'counts other functions: --uprobes .draw,compare,insert,walk' '--restart' \
  "$run" run -q -P $sizes --at 1e5 --uprobes walk -o uprobes.db -- ./plain '{n}'
printf '#!/bin/sh\n./instrumented "$1"\n./plain "$1"\n' >both && chmod +x both
measure -P $sizes --event none -o both.db -- ./both '{n}'
told 2 'was made without --uprobes' '--restart' "$run" run -q -P $sizes --uprobes ./plain:walk -o both.db -- ./both '{n}'
told 3 'it is instrumented' 'leave out --uprobes' "$run" run -q -P $sizes --uprobes ./plain:walk -o other.db -- ./both '{n}'

# What a study without runs was meant to count is nobody's.
told 3 'ended with status 1' '' "$run" run -q -P $sizes --uprobes ./plain:walk -o fails.db -- /bin/sh -c 'exit 1 {n}' 2>/dev/null
measure -P $sizes --event none -o fails.db -- ./instrumented '{n}'
"$run" report fails.db | grep -q 'uprobes' && fault 'counters are said to be uprobes'
exit $status
