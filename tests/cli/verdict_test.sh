#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The line that every report begins with, the same in every format: of growth, of a healthy program,
# and of the same growth where an answer is expected at once.
. "$(dirname "$0")/lib.sh"
need_compiler

cat >prog.c <<'C'
#include <stdlib.h>
static volatile long sink;
static void pairs(long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < i; j++)
      sink += i ^ j;
}
static void single(long n) {
  for (long i = 0; i < n; i++)
    sink += i;
}
int main(int argc, char **argv) {
  long n = atol(argv[2]);
  if (*argv[1] == 'q')
    pairs(n);
  single(n);
  return argc != 3;
}
C
"$cc" -O1 -g -o prog prog.c || exit 1
study() { "$run" run -P n="$2" --at 100000 --quiet --no-report --event none -o "$1.db" -- ./prog "$1" '{n}' >log 2>&1 || { fault "run $1"; cat log; }; }
study quadratic 10..500
study linear 1000..50000

first() { head -1 out | grep -qE -- "$1" || { fault "the first line is not /$1/"; head -5 out; }; }
verdict='Superlinear growth: 1 finding, pairs \(prog.c:[0-9]*:5\): quadratic loop'
expect 1 "$verdict" "$run" report quadratic.db --fail-on superlinear
first "$verdict"
expect 1 . "$run" report quadratic.db --fail-on any
"$run" report quadratic.db --json >report.json
json report.json 'd["verdict"]["outcome"] == "superlinear" and d["verdict"]["superlinear"] == 1 and d["verdict"]["counts_exact"]'
for format in markdown text; do
  expect 0 "Superlinear growth: 1 finding" "$run" report quadratic.db --format $format
done

# A time stands nowhere without its interval, and that is one: in the verdict, the finding, the brief list at the end of a run, and
# review formats. A machine that cannot sample has no times.
"$run" run -P n=1000..8000 --at 100000 --quiet -o timed.db -- ./prog quadratic '{n}' >timed.run 2>log || { fault 'run timed'; cat log; }
"$run" report timed.db --json >report.json
if json report.json 'd["cost"]["unit"] == "s" and d["findings"][0]["predictions"][0]["cost"]["value"] > 0'; then
  "$run" report timed.db | tr -s ' \n' ' ' >timed.text
  told=$(grep -o '5.00 billion iterations, [^,]*' timed.text | head -1)
  grep -qE '^5.00 billion iterations, [0-9.]+ (m?s|min) \([0-9.]+( m?s| min)? to [0-9.]+ (m?s|min|h)\)$' <<<"$told" || fault "the verdict has no interval: $told"
  [ "$(grep -o "${told#*, }" timed.text | wc -l)" -ge 2 ] || { fault "the finding's is another: $told"; cat timed.text; }
  tr -s ' \n' ' ' <timed.run | grep -qF "$told" || { fault "the end of the run has another: $told"; cat timed.run; }
  "$run" report timed.db --format sarif >timed.sarif && grep -qF "$told" timed.sarif || fault "SARIF has another: $told"
  # Counts are known, however much of the cost is the start of processes.
  expect 0 'confidence high \(1\.00\)' "$run" ask timed.db --of iterations --at 100000
fi

# What is linear is no finding, and has a heading of its own with cost and share.
expect 0 'Linear growth' "$run" report linear.db --fail-on any
first '^(No superlinear growth found \(counts exact|No superlinear growth found in counts \(exact\)|Undecided: no count grows superlinearly)'
grep -q 'findings\?, worst first\|^1 finding' out && fault 'a healthy program has findings'
grep -q 'single (prog.c:[0-9]*:3): linear loop, n iterations' out || fault 'linear growth is not listed'
grep -q 'at n = 100,000: 100,000 iterations, .*of all' out || fault 'linear growth has no cost or share'
"$run" report linear.db --json >report.json
json report.json 'd["verdict"]["superlinear"] == 0 and all(f["linear"] and f["severity"] == "note" for f in d["findings"])'

# What is undecided and costs more than the worst finding is named beside it.
cat >irregular.c <<'C'
#include <stdlib.h>
static volatile long sink;
static void exact(long n) {
  for (long i = 0; i < n * n; i++)
    sink += i;
}
static void irregular(long n) {
  for (long i = 0, end = n * n * (40 + n * 2654435761u % 4096 * 24 / 4096); i < end; i++)
    sink += i;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  exact(n);
  irregular(n);
  return argc != 2;
}
C
"$cc" -O1 -g -o irregular irregular.c || exit 1
"$run" run -P n=50,70,100,140,200,280,400,560 --max-iterations 0 --at 5000 --quiet --no-report --event none \
  -o irregular.db -- ./irregular '{n}' >log 2>&1 || { fault "run irregular"; cat log; }
"$run" report irregular.db --json >report.json
json report.json '"undecided, up to n^2: irregular (irregular.c:8:3), 98% of the total" in d["verdict"]["text"]'
expect 0 'finding, exact .*' "$run" report irregular.db

# Growth of the time that no count shows is not passed over: code that is not instrumented does a square of steps. Sizes
# lie far apart, as a shared machine makes a run twice as long now and then.
cat >hidden.c <<'C'
volatile long hidden_sink;
void hidden(long n) {
  for (long i = 0; i < 3 * n * n; i++)
    hidden_sink += i;
}
C
cat >caller.c <<'C'
#include <stdlib.h>
void hidden(long n);
static volatile long sink;
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  for (long i = 0; i < n; i++)
    sink += i;
  hidden(n);
  return argc != 2;
}
C
cc -O1 -c hidden.c && "$cc" -O1 -g -o caller caller.c hidden.o || exit 1
"$run" run -P n=100..12800 --at 128000 --quiet --no-report --event none -o hidden.db -- ./caller '{n}' >log 2>&1 || { fault 'run hidden'; cat log; }
expect 0 . "$run" report hidden.db
first '^(Superlinear growth: the processor time grows as n\^|Undecided: no count grows superlinearly, but the times hint)'

# Named as what has to answer at once, the same growth is a finding.
cat >root.xml <<'X'
<workload name="root"><parameter name="n"><range low="100" high="3200"/><targets>100000</targets></parameter>
<command><arg>./prog</arg><arg>linear</arg><arg>{n}</arg></command><roots><function name="main"/></roots></workload>
X
"$run" run root.xml --quiet --no-report --event none -o root.db >log 2>&1 || { fault 'run root.xml'; cat log; }
expect 1 'linear loop, n iterations' "$run" report root.db --fail-on any
head -2 out | tr '\n' ' ' | grep -q 'but 1 finding that is not superlinear' || { fault 'a root has no finding'; head -3 out; }
exit $status
