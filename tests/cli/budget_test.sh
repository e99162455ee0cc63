#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --budget ends a study whose first sizes alone would take many times as long, and says what was left out. Without it
# the sizes that nobody named have a budget.
. "$(dirname "$0")/lib.sh"
need_compiler
cat >nap.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
  FILE *log = fopen(argv[2], "a");
  fprintf(log, "%s\n", argv[1]);
  fclose(log);
  for (long i = 0, n = atol(argv[1]); i < n; i++)
    usleep(1000);
  return 0;
}
C
"$cc" -O1 -o nap nap.c || exit 1
touch log

# 0.1 to 51 s a run, repeated: about three minutes; the time allowed here is for a machine that is busy with other things.
limit=40
seconds=$SECONDS
expect 0 'skipped: would take about .* of --budget left|is used up; left out: n = ' \
  "$run" run --event none --budget 6s --at 1000000 -P n=100..51200 -- ./nap '{n}' log
[ $((SECONDS - seconds)) -lt $limit ] || fault "took $((SECONDS - seconds)) s"
[ "$(sort -un log | wc -l)" -ge 3 ] || fault "fewer than three sizes were run"

# The same command has no time left; with more it goes on.
before=$(wc -l <log)
expect 0 'time of 6 s is used up|done: ' "$run" run --event none --budget 6s --at 1000000 -P n=100..51200 -- ./nap '{n}' log
[ $(($(wc -l <log) - before)) -le 2 ] || fault "runs although the time was used up"

# The time that the end of a run takes is known, that of other sizes is not: on a busy machine all is used up before.
cat >stray.c <<'C'
#include <stdlib.h>
int main(void)
{
  return system("sleep 60 &");
}
C
"$cc" -O1 -o stray stray.c || exit 1
expect 4 'skipped: .* of --budget is too little|is used up' \
  "$run" run -o one.db --event none --budget 3s -P n=10,20,30 -- ./stray '{n}'
grep -q 'about -' err && fault 'a time below 0'

# The first run is under way when the time is over.
seconds=$SECONDS
expect 4 'time of 1(\.0)? s is used up; left out: n = 60,000' \
  "$run" run -o long.db --event none --budget 1s -P n=60000,70000,80000 -- ./nap '{n}' log
[ $((SECONDS - seconds)) -lt $limit ] || fault "the first run took $((SECONDS - seconds)) s"

# By default the sizes named have all the time they need, those chosen beyond them ten minutes. A study that spent these
# leaves the time of an execution open, says so, and names the command that goes on.
command -v python3 >/dev/null || exit $status
compile_computing prog 20000
ask() { python3 -c "import sqlite3, sys; print(sqlite3.connect('default.db').execute(sys.argv[1]).fetchone()[0])" "$1"; }
largest() { ask 'SELECT CAST(max(n) AS INT) FROM run'; }
spend() { # a study that spent its time; on a busy machine the times of the first sizes may leave nothing to be decided
  rm -f default.db
  expect 0 'time budget: 10 min for sizes beyond those named \(default; --budget TIME changes it\)' \
    "$run" run --at 1e6 -o default.db -P n=1..8 --no-report -- ./prog '{n}'
  python3 "$here/study_meta.py" default.db added_seconds 600
  expect 0 'named, 10 min of it used \(default' "$run" run --at 1e6 -o default.db -P n=1..16+ -- ./prog '{n}'
}
spend
[ "$(ask "SELECT count(*) FROM run WHERE cost_event <> ''")" -gt 0 ] || exit $status # no sampling here
wanted='too little time is left for a size that shows whether an execution takes longer'
grep -q "$wanted" err || spend
grep -q "$wanted" err || spend
grep -q "$wanted" err || { fault "no size is wanted"; cat err; }
[ "$(largest)" = 16 ] || fault "a size that was named is left out, or one beyond was run: $(largest)"
hinted='but the times hint that each execution costs more as the workload grows'
expect 0 "^Undecided: no (superlinear growth found so far|count grows superlinearly, $hinted) \(counts exact, time per execution (not checked|undecided)\); the time budget of 10 min ended first\." \
  "$run" report default.db
# Where too few samples fell to predict times, counts are predicted instead, exactly.
expect 0 'confidence (low|none)|^At n = 1,000,000: 20\.0 billion iterations and calls \(95% interval: exactly\)' "$run" ask default.db --at 1e6
expect 0 . "$run" report default.db --json
cp out report.json
json report.json 'd["verdict"]["outcome"] == "undecided" and d["verdict"]["budget_ended"]["default"] and d["verdict"]["budget_ended"]["seconds"] == 600'
"$run" report default.db >out
longer=$(sed -n '/^To decide: /{s///;:a;/\\$/{N;s/\\\n//;ba};p}' out)
case $longer in "scale-run run --budget 20min -P n=1..16+ --at 1000000 -o default.db -- ./prog '{n}'") ;; *) fault "goes on by: $longer" ;; esac
eval "${longer/scale-run run/\$run run --no-report}" >out 2>err || { fault "the command that goes on"; cat err; }
[ "$(largest)" -gt 16 ] || fault "no size beyond those named"
"$run" report default.db --json >report.json
json report.json 'not d["verdict"]["budget_ended"]'

# A run of such a size that was begun, and is stopped as the time ends: the verdict is open for that reason, too.
cat >late.c <<'C'
#include <stdlib.h>
static volatile long sink;
int main(int argc, char **argv) {
  for (long i = 0, n = atol(argv[1]); i < n; i++)
    sink += i;
  for (long more = atol(argv[1]) > 2000; more;)
    sink++;
  return argc != 2;
}
C
"$cc" -O1 -g -o late late.c || exit 1
"$run" run -P n=100..800+ --at 1e6 --budget 10s --timeout 60s --no-report -o late.db -- ./late '{n}' >out 2>err || fault "a run that is stopped"
grep -qE 'n = [0-9,]+ was stopped: --budget is used up' err || { fault "no word of the stopped run"; cat err; }
expect 0 '^Undecided: no superlinear growth found so far .*; the time budget of 10 s ended first\.' "$run" report late.db
exit $status
