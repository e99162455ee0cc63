#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Which sizes are run, and how long: none beyond the largest target or a list, none that would take too long, and a run
# that takes too long all the same is stopped. Programs of linear, cubic and exponential cost.
. "$(dirname "$0")/lib.sh"
need_compiler
command -v python3 >/dev/null || exit 77
fault() { echo "FAULT: $*"; cat out err; status=1; }
ask() { python3 -c "
import sqlite3, sys
print(sqlite3.connect('scale.db').execute(sys.argv[1]).fetchone()[0])" "$1"; }
study() { # study SIZES [OPTION...] -- COMMAND...
  rm -f scale.db*
  timeout 120 "$run" run --event none --no-report -P "$@" >out 2>err || fault "exit status $?: $*"
}
up_to() { [ "$(ask "SELECT max(n) <= $1 FROM run")" = 1 ] || fault "a size above $1"; }

cat >prog.c <<'C'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile long sink;
static long fib(long n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(int argc, char **argv)
{
  long n = atol(argv[2]);
  if (!strcmp(argv[1], "fib"))
    return fib(n) < 0;
  if (!strcmp(argv[1], "hang") && n > 500) /* nothing foretells it, and a child has to go as well */
    if (fork() >= 0)
      execlp("sleep", "sleep", "347", (char *)0);
  long turns = !strcmp(argv[1], "cubic") ? n * n * n : n;
  if (!strcmp(argv[1], "steps")) /* a loop for each, so that its counts are 1, 2, 3, 5, 300 */
    for (long i = turns = 0; i < n / 64; i++)
      turns += (n / 64) * (n / 64);
  if (!strcmp(argv[1], "behind")) /* a square behind a threshold */
    turns += n > 400 ? (n - 400) * (n - 400) / 2 : 0;
  if (!strcmp(argv[1], "rough")) /* n^1.5, 20% up and down */
    for (turns = n; turns * turns < n * n * n * (8 + n * 7919 % 5) / 10; turns += 7)
      ;
  for (long i = 0; i < turns; i++)
    sink += i;
  return 0;
}
C
compile -O1 -o prog prog.c

# Exponential, far beyond what can be waited for: foreseen, said, and not done.
study n=10..160 --at 300 --timeout 1s --refine delta-infer -- ./prog fib '{n}'
grep -qE 'n = 160 skipped: would take (about|more than) [0-9.,]+ years? \(limit 1(\.0)? s\); using n = [0-9]+ instead' err ||
  fault "160 was not skipped"
up_to 60
[ "$(ask "SELECT count(DISTINCT n) >= 8 FROM run")" = 1 ] || fault "sizes coincide"
runs=$(ask "SELECT count(*) FROM run")
timeout 120 "$run" run --event none --no-report -P n=10..160 --at 300 --timeout 1s --refine delta-infer -- \
  ./prog fib '{n}' >out 2>err || fault "the same study again"
[ "$(ask "SELECT count(*) FROM run")" = "$runs" ] || fault "the same command has something left to do"
study n=10..160 --at 300 --timeout 1s -- ./prog fib '{n}'
up_to 60
[ "$(ask "SELECT count(DISTINCT n) >= 5 FROM run")" = 1 ] || fault "sizes coincide"
runs=$(ask "SELECT count(*) FROM run")
timeout 120 "$run" run --event none --no-report -P n=10..160 --at 300 --timeout 1s -- ./prog fib '{n}' >out 2>err ||
  fault "the same study again"
[ "$(ask "SELECT count(*) FROM run")" = "$runs" ] || fault "the same command has something left to do"

# The largest target ends the sizes, for the published engine as well.
study n=10..20 --at 25 -- ./prog fib '{n}'
up_to 25
study n=10..20 --at 25 --models delta-infer -- ./prog fib '{n}'
up_to 25

# Polynomials are not held for exponentials: nothing is skipped. Without a target, not beyond twice the range.
study n=20..200 --at 2000 -- ./prog cubic '{n}'
grep -q skipped err && fault "a cubic program's sizes were skipped"
study n=100..6400 -- ./prog behind '{n}'
grep -q skipped err && fault "a size of a program with a threshold was skipped"
for sizes in 30..6400 64,100,200,400,6400; do # counts of a few executions that rise in steps, too
  study n=$sizes -- ./prog steps '{n}'
  grep -q skipped err && fault "a size of a program in steps was skipped: n=$sizes"
done
study n=100..3200+ -- ./prog linear '{n}'
grep -q skipped err && fault "a linear program's sizes were skipped"
up_to 6400
[ "$(ask "SELECT max(n) > 3200 FROM run")" = 1 ] || fault "no validation beyond the range"
grep -qE 'about [0-9.]+ (s|min|h) left' err && fault "seconds left of a study of milliseconds"

# A range is a range.
study n=100..3200 --at 32000 -- ./prog linear '{n}'
up_to 3200
[ "$(ask "SELECT count(DISTINCT n) = 6 FROM run")" = 1 ] || fault "the models were not checked within the range"
study n=50..400 --at 20000 --precision 0.1% -- ./prog rough '{n}'
up_to 400
grep -qE 'larger sizes may: -P n=LOW..HIGH\+' err || fault "no word of what larger sizes may"

# A list is a list.
study n=100,200,400 --at 4000 -- ./prog linear '{n}'
up_to 400
[ "$(ask "SELECT count(DISTINCT n) = 3 FROM run WHERE n IN (100, 200, 400)")" = 1 ] || fault "the list was not run"

# Counts that no formula meets: larger sizes are run for the target's sake, within the time; more time goes on.
study n=50..400+ --at 20000 --precision 0.1% --budget 2s -- ./prog rough '{n}'
grep -qE 'n = [0-9,]+, .*the total count at n = 20,000 from \+-[0-9.]+% to about \+-' err || fault "no reason for a size"
grep -qE 'known to \+-[0-9.]+%' err || fault "no word of what is known"
[ "$(ask "SELECT max(n) > 400 AND max(n) < 20000 FROM run")" = 1 ] || fault "no larger size"
runs=$(ask "SELECT count(*) FROM run")
timeout 120 "$run" run --event none --no-report -P n=50..400+ --at 20000 --precision 0.1% --budget 2s -- \
  ./prog rough '{n}' >out 2>err || fault "the same study again"
[ "$(ask "SELECT count(*) FROM run")" = "$runs" ] || fault "the same command has something left to do"
timeout 120 "$run" run --refine fast -P n=50..400 -- ./prog rough '{n}' >out 2>err
[ $? = 2 ] && grep -q 'one of: target|delta-infer' err || fault "another refinement"

# What hangs is stopped with its children, put on record, and the study goes on.
study n=100..800 --timeout 500ms -- ./prog hang '{n}'
grep -qE 'warning: n = 800 took longer than 500 ms and was stopped; using n = [0-9]+ instead' err || fault "no warning"
up_to 500
[ "$(ask "SELECT count(DISTINCT n) >= 5 FROM run")" = 1 ] || fault "the study did not go on"
pgrep -f '^sleep 347$' >/dev/null && fault "a process was left behind"
timeout 60 "$run" verify --at 900 --timeout 500ms --event none >out 2>err
[ $? = 3 ] || fault "verify beyond its time-out"
grep -q 'took longer than 0.5 s' err || fault "verify does not say why"
grep -q '<service>' err && fault "a program that ends was taken for a service"
rm -f scale.db*
"$run" run --event none -P n=800..1600 --timeout 500ms -- ./prog hang '{n}' >out 2>err
[ $? = 3 ] || fault "a program that never ends"
grep -q '^hint: .*<service> of a workload file' err || fault "nothing is said of what never ends"
exit $status
