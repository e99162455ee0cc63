#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Short runs are repeated for the sake of their times: once a study, the largest sizes, and only where time is sampled.
# Timed: times of short runs are measured.
. "$(dirname "$0")/lib.sh"
need_compiler
command -v python3 >/dev/null || exit 77
count() { python3 -c "
import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])" scale.db "$1"; }

compile_computing prog 20000
study=("$run" run -P n=50,100,200,400 --at 4000 --no-report)
repeats='repeated short runs [0-9]+ times? for steadier times: [0-9,]+ samples'

expect 0 '' "${study[@]}" --event none -- ./prog '{n}'
grep -qE "$repeats" err && fault "counts were repeated for the sake of time"
counted=$(count "SELECT count(*) FROM run")

rm scale.db
expect 0 '' "${study[@]}" -- ./prog '{n}'
[ "$(count "SELECT count(*) FROM run WHERE cost_event <> ''")" -gt 0 ] || { echo "no sampling here"; exit 77; }
grep -qE "$repeats" err || fault "nothing was repeated"
repeated=$(count "SELECT count(*) FROM run")
[ "$repeated" -gt "$counted" ] || fault "$repeated runs with times, $counted without"
[ "$(count "SELECT count(*) FROM run WHERE n < 50")" = 0 ] || fault "a size nobody asked for"
[ "$(count "SELECT count(DISTINCT count) FROM value v JOIN run r ON r.id = v.run WHERE n = 400
  AND context = (SELECT context FROM value ORDER BY count DESC LIMIT 1)")" = 1 ] || fault "a repeat counts differently"

# The same command again: nothing is left to do.
expect 0 '' "${study[@]}" -- ./prog '{n}'
[ "$(count "SELECT count(*) FROM run")" = "$repeated" ] || fault "runs were repeated again"
grep -qE "$repeats" err && fault "says that runs were repeated, and did not"

# Counts are exact at once, and the verdict says so; whether an execution takes longer at larger sizes is checked where
# these may run, and only there.
within() { rm -f scale.db; "$run" run -P "n=$1" --at 1e6 "${@:2}" --no-report -- ./prog '{n}' >out 2>err || fault "n=$1"; }
largest() { count "SELECT CAST(max(n) AS INT) FROM run"; }
within 1..16
[ "$(largest)" = 16 ] || fault "beyond the range"
hinted='^Undecided: no count grows superlinearly, but the times hint' # a busy machine may make the largest size look slow
expect 0 "^No superlinear growth found in counts .exact.; time per execution not checked: runs of at most [0-9.]+ (ms|us) are too short|$hinted" "$run" report
grep -qE '^To (check it|decide): scale-run run -P n=1\.\.[0-9]+ --at 1000000 -- ./prog' out || fault "no command that checks it"
expect 0 '"state":\s*"un(checked|decided)"' "$run" report --json
cp out report.json
json report.json 'd["verdict"]["outcome"] == ("none" if d["verdict"]["time"]["state"] == "unchecked" else "undecided")'
json report.json '0 < d["verdict"]["time"]["longest_seconds"] < 0.05 or d["verdict"]["time"]["state"] != "unchecked"'
for format in markdown text github; do
  expect 0 'No superlinear growth found in counts|Undecided' "$run" report --format $format
done
within 1..16+
[ "$(largest)" -ge 100 ] || fault "no size that decides"
expect 0 'time per execution (checked|undecided|not checked)' "$run" report
grep -q 'execution checked' out || grep -qE '^To (check it|decide): scale-run run -P n=1\.\.' out || # a busy machine hides it here, too
  fault "neither decided nor told how to"
within 1..16+ --event none
grep -q 'whether an execution takes longer' err && fault "a size for times that nobody asked for"
exit $status
