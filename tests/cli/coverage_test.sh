#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How much of the predicted total the findings explain, in every format: nearly all, a fifth, nested findings, no findings, two
# parameters.
# Timed: the time of code that nobody counts is measured.
. "$(dirname "$0")/lib.sh"
need_compiler
columns=100
cat >prog.c <<'C'
#include <stdlib.h>
static volatile long sink;
static void pairs(long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      sink += i ^ j;
}
static void triples(long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      sink += j;
      for (long k = 0; k < n; k++)
        sink += i ^ k;
    }
}
static void parse(long n) {
  for (long i = 0; i < n; i++)
    sink += i;
}
int main(int argc, char **argv) {
  long n = atol(argv[2]), factor = argc > 3 ? atol(argv[3]) : 1;
  switch (*argv[1]) {
  case 'q': pairs(n); break;
  case 'm': pairs(n), parse(30000 * n * factor), parse(10000 * n); break;
  case 'c': triples(n); break;
  case 'l': parse(1000 * n);
  }
  return 0;
}
C
"$cc" -O1 -g -o prog prog.c || exit 1
line() { grep -n -m 1 -- "$1" prog.c | cut -d : -f 1; }
parse=$(($(line 'sink += i;') - 1))
study() { # name, sizes, further options
  local name=$1 sizes=$2
  shift 2
  "$run" run -P "n=$sizes" --quiet --no-report -o "$name.db" "$@" >log 2>&1 || { fault "run $name"; cat log; }
}
study quadratic 10..500 --event none --at 10000 -- ./prog q '{n}'
study mixed 100..1600 --event none --at 10000 -- ./prog m '{n}'
study cubic 10..100 --event none --at 10000 -- ./prog c '{n}'
study linear 100..5000 --event none --at 10000 -- ./prog l '{n}'

# Nearly all of it, in one line.
expect 0 '^The finding explains >99.9% of the executions at n = 10,000\.$' "$run" report quadratic.db
grep -q 'processor time and' out && fault 'a study without times explains some'
head -1 out | grep -q '^Superlinear growth' || fault 'the verdict is not the first line'
grep -q 'The rest' out && fault 'nearly all of it is broken down'

# n^2 is a fifth of it at n = 10,000; the rest is 30,000 n + 10,000 n of one loop.
expect 0 '^The finding explains 20% of the executions at n = 10,000\. The rest:$' "$run" report mixed.db
grep -qE "^ +80%  linear growth in parse \(prog.c:$parse:3\)\$" out || { fault 'the linear rest'; cat out; }
expect 0 '^Linear or slower growth makes up >99.9% of the executions at n = 10\.$' "$run" report mixed.db --at 10
expect 0 '^The finding explains >99.9% of the executions at n = 1,000,000,000\.$' "$run" report mixed.db --at 1e9
"$run" report mixed.db --at 10000,1e9 --json >mixed.json
json mixed.json '[c["n"] for c in d["coverage"]] == [10000, 1e9] and d["coverage"][0]["cost"] is None'
json mixed.json 'abs(d["coverage"][0]["executions"]["explained"] - 0.2) < 1e-4 and d["coverage"][1]["executions"]["explained"] > 0.99'
json mixed.json '{p["class"] for p in d["coverage"][0]["executions"]["parts"]} >= {"findings", "linear"}'
json mixed.json 'all(abs(sum(p["share"] for p in c["executions"]["parts"]) - 1) < 1e-9 for c in d["coverage"])'
json mixed.json '[p["place"]["function"] for p in d["coverage"][0]["executions"]["parts"] if p["class"] == "linear"] == ["parse"]'
valid report mixed.json

# A quadratic loop around a cubic one: together what each has, not more than all.
"$run" report cubic.db --json >cubic.json
json cubic.json 'len([f for f in d["findings"] if f["superlinear"]]) == 1 or d["findings"][0]["superlinear"]'
json cubic.json 'abs(d["coverage"][0]["executions"]["explained"] - sum(f["predictions"][0]["share"] for f in d["findings"] if not f["linear"])) < 1e-9'
json cubic.json '0.99 < d["coverage"][0]["executions"]["explained"] <= 1'

# Nothing found: what there is grows no faster than the workload.
expect 0 '^Linear or slower growth makes up 100% of the executions at n = 10,000\.$' "$run" report linear.db
grep -q 'The rest' out && fault 'a healthy program is broken down'

# Times as well, where they were measured.
columns=1000000
study timed 1000..4000 --at 10000 -- ./prog m '{n}'
"$run" report timed.db >out 2>err
"$run" report timed.db --json >timed.json
json timed.json 'd["cost"]["unit"] == "iterations" or 0.01 < d["coverage"][0]["cost"]["explained"] < 0.6'
json timed.json 'd["cost"]["unit"] == "iterations" or abs(sum(p["share"] for p in d["coverage"][0]["cost"]["parts"]) - 1) < 1e-9'
json timed.json 'd["cost"]["unit"] == "iterations" or "of the processor time and 20% of the executions at n = 10,000. The rest:" in open("out").read()'

# One sentence in reviews, numbers in metrics; changes between two studies have no such thing.
for format in markdown github junit sarif; do
  expect 0 "The finding explains 20% of the executions at n = 10,000\. The rest of the executions: 80% linear growth in parse" \
    "$run" report mixed.db --format $format
  "$run" diff mixed.db mixed.db --format $format >out 2>err
  grep -q 'explains' out && fault "$format tells of a coverage of a change"
done
"$run" report mixed.db --format gitlab >gitlab.json
json gitlab.json 'len(d) > 0 and all("The finding explains 20% of the executions at n = 10,000." in e["content"]["body"] for e in d)'
"$run" diff mixed.db quadratic.db --format gitlab >gitlab.json
json gitlab.json 'len(d) > 0 and not any("explains" in e["content"]["body"] for e in d)'
expect 0 '^scale_coverage\{workload="prog",parameter="n",size="10000",of="executions",class="findings"\} 0\.(2000|1999)' \
  "$run" report mixed.db --format openmetrics
grep -q 'scale_coverage.*of="cost"' out && fault 'costs where none were measured'
"$run" report mixed.db --format html -o report.html || fault 'html'
PYTHONPATH=$here/page python3 - <<'PYTHON' || fault 'the page does not say it'
import data, sys
sys.exit("explains 20% of the executions" not in data.combination(data.read("report.html"))["head"]["coverage"])
PYTHON

# At the base of other parameters; the end of a run says it too.
columns=100
expect 0 '^The finding explains 20% of the executions at n = 10,000\. The rest:$' \
  "$run" run -P n=100..1600 -P factor=1,2,4 --event none --at 10000 --quiet -o two.db -- ./prog m '{n}' '{factor}'
# Code that is not counted, machine code made at run time, takes ever more: that is said, not that the range is too small.
cat >made.c <<'C'
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
static volatile long sink;
static const unsigned char code[] = {0x48, 0x89, 0xf8, 0x48, 0xff, 0xc8, 0x75, 0xfb, 0xc3}; /* counts down from its argument */
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  void *page = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    return 77;
  memcpy(page, code, sizeof code);
  for (long i = 0; i < n; i++)
    sink += i;
  ((void (*)(long))page)(n * n / 2 + 1);
  return 0;
}
C
if [ "$(uname -m)" = x86_64 ] && "$cc" -O1 -g -o made made.c && ./made 1; then
  study made 1000..30000 --at 300000 -- ./made '{n}'
  expect 0 'is in code that is not counted, and it grows with the workload: .* at n = 1,000\. It is machine code' "$run" report made.db
  grep -q 'Larger sizes have less of a start' out && fault 'larger sizes are advised'
  "$run" report made.db --json >made.json || fault 'made.json'
  # n^2, a hundred times the time of the largest size: not the growth of what is counted
  json made.json '0.5 < d["total"][0]["cost"]["value"] and d["total"][0]["cost"]["high"] > 5'
fi

# An object without counters that takes n^2 is named by who calls it, once in a run.
cat >plain.c <<'C'
static volatile long sink;
void pairs_of(long n) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < 6 * i; k++)
      sink += k;
}
C
cat >user.c <<'C'
#include <stdlib.h>
void pairs_of(long n);
int main(int argc, char **argv) {
  pairs_of(atol(argv[1]));
  return 0;
}
C
cc -O1 -c plain.c && "$cc" -O1 -g -o user user.c plain.o || fault 'cc'
# Where the machine makes some runs twice as long as others, the times of one study may exclude nothing.
for again in 1 2 3; do
  rm -f user.db
  study user 1000..20000 --at 200000 -- ./user '{n}'
  "$run" report user.db --json >user.json || fault 'user.json'
  grep -q '"outcome":.*"none"' user.json || break
done
"$run" report user.db | tr '\n' ' ' | grep -q 'main (user\.c:3)' || { fault 'main is not named'; "$run" report user.db; }
json user.json 'd["total"][0]["cost"]["high"] > 20 and d["verdict"]["outcome"] != "none"'
exit $status
