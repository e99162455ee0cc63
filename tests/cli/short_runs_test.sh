#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Short runs are repeated for the sake of their times: once a study, the largest sizes, and only where time is sampled.
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

# Counts are exact at once; whether an execution takes longer at larger sizes is decided where these may run, and only there.
within() { rm -f scale.db; "$run" run -P "n=$1" --at 1e6 "${@:2}" --no-report -- ./prog '{n}' >out 2>err || fault "n=$1"; }
largest() { count "SELECT CAST(max(n) AS INT) FROM run"; }
within 1..16
[ "$(largest)" = 16 ] || fault "beyond the range"
expect 0 'time per execution undecided' "$run" report
grep -q '^To decide: scale-run run -P n=1\.\.' out || fault "no command that decides"
within 1..16+
[ "$(largest)" -ge 100 ] || fault "no size that decides"
expect 0 'time per execution (checked|undecided)' "$run" report
grep -q 'execution checked' out || grep -q '^To decide: scale-run run -P n=1\.\.' out || # a busy machine hides it here, too
  fault "neither decided nor told how to"
within 1..16+ --event none
grep -q 'whether an execution takes longer' err && fault "a size for times that nobody asked for"
exit $status
