#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A program with two parameters, from the command line to the verified prediction in both.
# Timed: times are measured and predicted.
. "$(dirname "$0")/../lib.sh"
need_compiler
columns=100
cp "$here/work.c" .
line() { grep -n -m 1 -- "$1" work.c | cut -d : -f 1; } # of the source, as places in the output have it
own=$(($(line 'own += i') - 1)) serial=$(($(line 'sink -= i') - 1)) merge=$(line 'merge(long i)')
compile -O2 -g -pthread -o work work.c

# Three other values at three sizes. What is reported is at the base, and says so.
measure() { "$run" run -P n=100000..1600000 -P "threads=$1" --at 16e6 -- ./work '{n}' '{threads}'; }
expect 0 'for others: --at n=SIZE,threads=VALUE' measure 1,2,4,8
grep -q 'n = 400,000, threads = 8' err || { fault "no progress with threads"; cat err; }
[ "$(python3 -c "import sqlite3; print(*sqlite3.connect('scale.db').execute(
  \"SELECT count(*), min(n), max(n), min(other1), max(other1) FROM run WHERE role = 'varied'\").fetchone())")" \
  = "9 100000.0 1600000.0 2.0 8.0" ] || fault "other runs than three values at three sizes"
expect 0 "work \\(work\.c:$own:3\\): linear loop, n iterations" "$run" report --all
expect 0 'At threads = 1 \(also measured: 2, 4, 8\)' "$run" ask --at n=1e9

# Exactly n threads, n and n (threads - 1), far beyond both, with what was 0 at the base.
expect 0 '^At n = 1,000,000,000, threads = 64: 191 billion executions' "$run" ask --at n=1e9,threads=64
grep -qE "work \\(work\.c:$own:3\\) +64\.0 billion +exactly .*n threads\$" out || { fault "work"; cat out; }
grep -qE "main \\(work\.c:$serial:3\\) +1\.00 billion +exactly .* n\$" out || { fault "main"; cat out; }
grep -qE "merge \\(work\.c:$merge\\) +63\.0 billion +exactly .*n threads - n\$" out || { fault "merge"; cat out; }
grep -q 'threads is 8 times the largest measured (8)' out || { fault "no distance"; cat out; }
"$run" ask --at n=1e9,threads=64,1 --json >ask.json || fault "ask --json"
json ask.json '[p["at"] for p in d["points"]] == [{"n": 1e9, "threads": 64}, {"n": 1e9, "threads": 1}]'
json ask.json 'd["points"][0]["most_executed"][0]["count"] == {"value": 64e9, "low": 64e9, "high": 64e9}'
json ask.json 'd["points"][0]["most_executed"][0]["model"] == "n * threads" and d["points"][0]["most_executed"][0]["exact"]'
json ask.json 'd["points"][0]["total"]["value"] > 20 * d["points"][1]["total"]["value"] > 0'
json ask.json 'd["further"] == {"threads": 1} and d["points"][0]["beyond_measured"]["threads"] == 8'
json ask.json 'all("merge" != r["context"]["function"] for r in d["points"][1]["most_executed"])'

# At the base values it is what the study says of these alone, to the last digit.
"$run" ask --at n=1e9 --top 100 --json >base.json || fault "ask --json at the base"
"$run" ask --at n=1e9,threads=1 --top 100 --json >named.json || fault "ask --json at the base, named"
python3 - <<'PY' || fault "the answer at the base is another one"
import json
point, base = json.load(open("named.json"))["points"][0], json.load(open("base.json"))["sizes"][0]
assert json.load(open("ask.json"))["points"][1]["total"] == point["total"] == base["total"], (point["total"], base["total"])
place = lambda row: json.dumps(row["context"])
for list in "most_costly", "most_executed":
    here, there = ({place(r): (r.get("cost"), r.get("count")) for r in answer[list]} for answer in (point, base))
    assert here == {p: r for p, r in there.items() if p in here} and len(here) >= 5, (list, here, there)
PY
for question in '--function work' '--of calls(work)' '--of time' '--of wall' '--suppose merge=0x' '--suppose main=0.5x' '--plot' '--of memory'; do
  "$run" ask $question --at n=1e9 --json >one.json && "$run" ask $question --at n=1e9,threads=1 --json >two.json || fault "ask $question at the base"
  cmp one.json two.json || fault "$question: another answer at the base"
done
for question in '--limit time=1h' '--limit iterations=1e12'; do
  "$run" ask $question --json >one.json && "$run" ask $question --at threads=1 --json >two.json || fault "ask $question at the base"
  cmp one.json two.json || fault "$question: another answer at the base"
done
"$run" report --at n=1e9 --json >one.json && "$run" report --at n=1e9,threads=1 --json >two.json && cmp one.json two.json ||
  fault "another report at the base"
rm one.json two.json # no answers of their schema
"$run" export --at n=1600000,threads=1 --format callgrind | grep -q '^cmd: .*measured, mean of' || fault "what was measured at the base is predicted"

# One of them over a range, a function alone, and what cannot be both.
expect 0 '^ +1,000,000,000 +64 +191 billion ' "$run" ask --at n=1e9 --sweep threads=1..64/7
[ "$(grep -c '^ *1,000,000,000 ' out)" = 7 ] || { fault "rows of a sweep"; cat out; }
expect 0 '^ +2,000,000 +16 ' "$run" ask --at threads=16 --sweep n=1e6..4e6/3
expect 0 '^Next: scale-run verify --at n=4000000,threads=16$' "$run" ask --at threads=16 --sweep n=1e6..4e6/3
"$run" ask --at threads=16 --sweep n=1e6..4e6/3 --json >sweep.json || fault "ask --sweep --json"
json sweep.json '[p["at"] for p in d["points"]] == [{"n": n, "threads": 16} for n in (1e6, 2e6, 4e6)]'
json sweep.json 'd["points"][2]["most_executed"][0]["count"]["value"] == 64e6'
expect 0 "work \\(work\.c:$own:3\\) +64\.0 billion +exactly" "$run" ask --function work --at n=1e9,threads=64
grep -qE 'merge|main \(' out && { fault "other functions than the one asked for"; cat out; }
expect 2 'no function "nosuch"' "$run" ask --function nosuch --at n=1e9,threads=64
expect 0 '^ +16,000,000 +64 +3\.06 billion ' "$run" ask --sweep threads=1..64 # at the targets
expect 0 '^Processor time of work .* over threads' "$run" ask --sweep threads=1..64 --function work
expect 2 'leave n out of --at' "$run" ask --at n=5,threads=2 --sweep n=1e6..4e6
expect 0 '^ +2,000,000 .* 16 ' "$run" ask --at threads=16 --sweep n=1e6..4e6/3 --function work

# From which size on, with the other one fixed: n + n threads + n (threads - 1) + n executions are 2 threads n + n.
expect 0 '^1\.00 billion iterations and calls is reached at n = 5,235,60[0-9] ' \
  "$run" ask --limit iterations=1e9 --at threads=64
expect 0 '^10 us of processor time is exceeded at n = 100,000 already' "$run" ask --limit time=10us --at threads=64,8
[ "$(grep -c '^With threads = ' out)" = 2 ] || { fault "a limit for each value"; cat out; }
"$run" ask --at threads=64 --limit iterations=1e9 --json >limit.json || fault "ask --limit --json"
json limit.json 'd["further"] == {"threads": 64} and abs(d["limits"][0]["n"]["value"] - 5235602) < 10'
expect 0 '^At n = 1,000,000, threads = 64: .* iterations' "$run" ask --of iterations --limit iterations=1e9 --at n=1e6,threads=64
grep -q 'billion iterations and calls is reached at n = 5,235,60' out || { fault "a size and a limit"; cat out; }
expect 0 '^1\.0 GiB of memory in use at its peak ' "$run" ask --limit memory=1GiB --at threads=64
expect 2 '"x" is not an amount|--limit' "$run" ask --limit time=x --at threads=64
expect 0 '^n from which on there is 1\.00 billion iterations and calls, over threads' \
  "$run" ask --limit iterations=1e9 --sweep threads=1..64
grep -qE '^ +64 +5,235,60[0-9]' out && [ "$(grep -cE '^ +(1|2|4|8|16|32|64) ' out)" = 7 ] || { fault "limits over threads"; cat out; }

# From which number of threads on: 3 threads n - n executions. The answer is checked where it is, and one before.
expect 0 '^1\.00 billion iterations and calls is reached at threads = 334 \(exactly\)' \
  "$run" ask --limit iterations=1e9 --at n=1e6 --over threads
grep -q '^With n = 1,000,000:' out && grep -q 'threads = 334 is 41.8 times' out &&
  grep -q '^Next: scale-run verify --at n=1000000,threads=334$' out || { fault "a limit over threads"; cat out; }
"$run" ask --limit iterations=1e9 --limit 'calls(merge)=1e6' --at n=1e6,2e6 --over threads --json >over_limit.json || fault "ask --over --json"
json over_limit.json 'd["over"] == "threads" and [(l["at"]["n"], l["at"]["threads"]) for l in d["limits"]] == [(1e6, 334), (1e6, 2), (2e6, 167), (2e6, 2)]'
expect 0 'is exceeded at threads = 1 already, the smallest value measured .* all values up to threads = 80,000' \
  "$run" ask --limit iterations=1e6 --at n=1e6 --over threads
expect 0 'Supposed: .* is reached at threads = [0-9,]+' "$run" ask --limit iterations=1e9 --over threads --suppose merge=0x
expect 0 'is reached at n = 5,235,60' "$run" ask --limit iterations=1e9 --at threads=64 --over n
expect 2 'the study does not vary colour' "$run" ask --limit iterations=1e9 --over colour
expect 2 'leave threads out of --at' "$run" ask --limit iterations=1e9 --over threads --at n=1e6,threads=4
expect 2 '--sweep threads=LOW\.\.HIGH' "$run" ask --over threads
expect 2 'not for --sweep' "$run" ask --over threads --limit time=1s --sweep n=1e3..1e6

# Numbers, suppositions and plots there: work of all threads, without merge, whose loop stays.
expect 0 '^At n = 1,000,000,000, threads = 64: 63\.0 billion calls of merge .*: exactly\)' \
  "$run" ask --of 'calls(merge)' --at n=1e9,threads=64
expect 0 'threads = 64 is 8 times the largest measured \(8\)' "$run" ask --of iterations --at n=1e9,threads=64
expect 0 'Next: scale-run verify --at n=10000000,threads=16$' "$run" ask --function work --at n=1e7,threads=16
expect 0 'merge \(work\.c:[0-9]+\): 63 n calls, supposed 0 times as often' "$run" ask --suppose merge=0x --at n=1e9,threads=64
"$run" ask --suppose merge=0x --of iterations --at n=1e9,threads=64 --json >suppose.json || fault "ask --suppose --json"
json suppose.json 'abs(d["sizes"][0]["values"][0]["predicted"]["value"] - 191e9) < 1e4'
json suppose.json 'abs(d["sizes"][0]["values"][0]["supposed"]["value"] - 128e9) < 1e4'
expect 0 '^ +1,000,000,000 +64 +191 billion .* 128 billion ' \
  "$run" ask --suppose merge=0x --of iterations --at n=1e9 --sweep threads=1..64
expect 0 '100,000 to 1,600,000' "$run" ask --plot --of iterations --at threads=8
"$run" ask --plot --of 'iterations(work)' --at threads=8 --json >plot.json || fault "ask --plot --json"
json plot.json '[(p["n"], p["value"]) for p in d["plot"]["measured"]] == [(n, 8 * n) for n in (1e5, 4e5, 1.6e6)]'
"$run" ask --of 'calls(merge)' --at n=1e6,threads=2,3 --json >elsewhere.json || fault "several combinations"
json elsewhere.json '[(a["further"]["threads"], a["sizes"][0]["values"][0]["predicted"]["value"]) for a in d["elsewhere"]] == [(2, 1e6), (3, 2e6)]'
expect 0 '^Iterations of work .* over threads' "$run" ask --plot --of 'iterations(work)' --sweep threads=1..64 --at n=1600000
grep -q '(1 to 8)' out && grep -qE '^ +1,600,000 +64 +102 million' out || { fault "a plot over threads, and its table"; cat out; }
"$run" ask --plot --of 'iterations(work)' --sweep threads=1..64 --at n=1600000 --json >over.json || fault "ask --plot --sweep --json"
json over.json 'd["plot"]["over"] == "threads" and [(p["n"], p["value"]) for p in d["plot"]["measured"]] == [(t, 1.6e6 * t) for t in (1, 2, 4, 8)]'
json over.json 'all(abs(p["predicted"]["value"] - 1.6e6 * p["n"]) < 1 for p in d["plot"]["curve"] + d["plot"]["targets"])'
expect 0 '' "$run" ask --svg over.svg --of 'iterations(work)' --sweep threads=1..64 --at n=1600000
grep -q 'over threads at n = 1,600,000</title>' over.svg || fault "a picture over threads"
expect 2 'of one value of n' "$run" ask --plot --of time --sweep threads=1..64 --at n=5,6
expect 2 'has no limit in it' "$run" ask --plot --limit time=1s --sweep threads=1..64 --at n=5
expect 2 'one combination' "$run" ask --svg x.svg --of time --at threads=2,3

# Reports, pages and exports of that place.
expect 0 "work \\(work\.c:$own:3\\): linear loop, 64 n iterations" "$run" report --all --at n=1e9,threads=64
grep -qF 'At threads = 64' out && grep -qF '(measured: 1, 2, 4, 8); what an execution takes is known at threads = 1.' out ||
  { fault "the report does not say where it is"; cat out; }
grep -qF 'threads = 64 is 8 times the largest value measured (8).' out || { fault "no distance in the report"; cat out; }
expect 0 'Next: scale-run verify --at n=2000000,threads=16$' "$run" report --at n=2e6,threads=16
"$run" report --at n=1e9,threads=64 >out
tr -s ' \n' ' ' <out | grep -qE 'time per execution checked|--at n=1000000000,threads=64 (.. )?-- ' || { fault "a command that leaves threads out"; cat out; }
"$run" report --format markdown --at n=1e9,threads=64 -o page.md || fault "Markdown"
grep -q 'By models of all runs, .*: Iterations at n = 100,000: 6,400,000' page.md || { fault "evidence"; cat page.md; }
"$run" report --at threads=64 --json >report || fault "report --json"
json report 'd["further"] == {"threads": 64} and d["targets"] == [16e6]'
json report 'any(f["model"]["formula"] == "64 n" for f in d["findings"])'
valid report report
"$run" report --at n=1e6,threads=16 --format html -o page.html || fault "a page of another place"
grep -q '<title>.*(threads = 16)' page.html || fault "a page without its place"
expect 0 ';work;loop work\.c:[0-9:]+ 16000000$' "$run" export --format folded --metric executions --at n=1e6,threads=16
"$run" export --format extra-p -o series.jsonl || fault "the series of all parameters"
expect 0 'n threads' "$run" fit series.jsonl --at n=1e9,threads=64
expect 2 'for one: scale-run export --format pprof --at n=1000000000,threads=64$' "$run" export --at n=1e9,threads=64,8
# Several combinations are as many reports, or one document of all.
expect 0 'At threads = 8' "$run" report --at n=1e9,threads=64 --at n=2e9,threads=8
grep -q 'At threads = 64' out || { fault "the first of two combinations"; cat out; }
"$run" report --at n=1e9,threads=64,8 --at n=2e9,threads=8 --json >combinations.json || fault "report --json of two combinations"
json combinations.json '[(r["further"]["threads"], r["targets"]) for r in d["combinations"]] == [(64, [1e9]), (8, [1e9, 2e9])]'
"$run" report --at n=1e9,threads=64 --json >report.one && python3 -c '
import json, sys
sys.exit(json.load(open("combinations.json"))["combinations"][0] != json.load(open("report.one")))' ||
  fault "one of two combinations differs from the same alone"
# Too little data: all are printed, as one is, and then the status says so.
python3 "$here/../page/studies.py" "$here/../../../profiles/study/schema.c" crew lossy.db 0
python3 -c 'import sqlite3; sqlite3.connect("lossy.db").executescript(
  "ALTER TABLE run ADD COLUMN lost_processes INTEGER NOT NULL DEFAULT 7; ALTER TABLE run ADD COLUMN lost_reason INTEGER NOT NULL DEFAULT 0;"
  "PRAGMA user_version = 5")'
lossy() { # lossy FORMAT PATTERN
  expect 4 "$2" "$run" report lossy.db --at n=1e6,threads=8,64 --format "$1"
  grep -q '35 of 40 processes left no profile' err && grep -q '^hint: ' err || { fault "no reason, $1"; cat err; }
}
lossy text 'At threads = 64'
columns=1000000
lossy json '"threads":[[:space:]]*64'
if "$run" report --format html -o one.html; then lossy html '<title>A queue of n jobs - scale-run'; fi
columns=100
expect 2 'does not vary colour' "$run" report --at n=1e9,threads=64,8,colour=1
expect 0 '^No change: ' "$run" diff scale.db scale.db --at n=1e9,threads=64

# Run for real.
expect 0 '^Predicted and actual at n = 2,000,000, threads = 16$' "$run" verify --at n=2e6,threads=16
grep -qE "work \\(work\.c:$own:3\\) +32,000,000 +exactly +32,000,000 +exact\$" out || { fault "prediction of work"; cat out; }
"$run" verify --at n=1e6,threads=3 --json >verify.json 2>err || { fault "verify --json"; cat err; }
json verify.json 'd["points"][0]["contexts"][0]["actual"] == 3e6 and d["points"][0]["contexts"][0]["within_interval"]'
json verify.json 'd["points"][0]["executions"]["relative_error"] == 0 and d["points"][0]["executions"]["within_interval"]'
json verify.json 'd["points"][0]["counts"]["contexts"] > 5 and d["points"][0]["counts"]["mean_error"] < 0.01'
json verify.json '[(r["predicted"]["value"], r["actual"]) for r in d["points"][0]["resources"] if r["metric"] == "acquires" and r["resource"]["name"] == "threads"] == [(3, 3)]'
# Elapsed time: threads run at once, as many as there are processors.
json verify.json '0.2 < d["points"][0]["elapsed"]["actual"] / d["points"][0]["elapsed"]["predicted"]["value"] < 5'
grep -q '^ *elapsed time ' out || "$run" verify --at n=2e6,threads=16 2>/dev/null | grep -q '^ *elapsed time ' || fault "no elapsed time"
json ask.json 'd["points"][0]["elapsed"]["time"]["value"] > d["points"][1]["elapsed"]["time"]["value"] > 0'
expect 0 'of elapsed time \(' "$run" ask --of wall --at n=1e9,threads=64
grep -q 'most costly' out && { fault "--of wall has other answers"; cat out; }
expect 0 '^Elapsed time over threads' "$run" ask --of wall --at n=1e9 --sweep threads=1..64/7
expect 0 '^With threads = 8: 10 us of elapsed time is exceeded' "$run" ask --limit wall=10us --at threads=8
"$run" ask --limit wall=1h --at threads=64 --json >wall.json || fault "ask --limit wall"
json wall.json 'd["limits"][0]["metric"] == "wall" and d["limits"][0]["reached"]'
expect 0 'Elapsed time' "$run" report --at n=1e9,threads=64
expect 2 'modelled for the whole program' "$run" ask --of wall --function work --at n=1e9,threads=64
valid answers ./*.json

# More values resume the study; verifying did not change it.
measure 1,2,4,8,16 >out 2>err || { fault "a further value"; cat err; }
[ "$(grep -c 'threads = 16' err)" = 3 ] || { fault "three runs for a further value"; cat err; }
grep -q 'threads = [248]\b' err && { fault "values were run again"; cat err; }

expect 2 'does not vary colour' "$run" ask --at n=1e9,threads=2,colour=7
expect 0 '^At n = 16,000,000, threads = 64: ' "$run" ask --at threads=64
expect 0 '^At n = 16,000,000, threads = 64: .* of work ' "$run" ask --at threads=64 --function work
expect 2 'does not say which n' "$run" verify --at threads=64
expect 2 'the parameter is n, not colour' "$run" ask --at n=1e9,colour=7
grep -q '^hint: .*by name: --at n=SIZE,threads=VALUE' err || { fault "a hint that leaves threads out"; cat err; }
expect 2 'by name: --at n=SIZE,threads=VALUE' "$run" ask 1e9,threads=64
expect 2 'calls of what' "$run" ask --at n=1e9,threads=2 --of calls

# A run ends with what a report says there, verdict first, and refuses what it could not answer before it measures anything.
again() { "$run" run -q -P n=100000..1600000 -P threads=1,2,4,8,16 "$@" -- ./work '{n}' '{threads}'; }
expect 0 '^Next: scale-run report --at n=16000000,threads=64$' again --at n=16e6,threads=64
# How many points have room depends on what a busy machine adds to the times.
grep -qE '^(  - and [0-9]+ more|What is not known, [0-9]+ points?): scale-run report --at n=16000000,threads=64$' out || { fault "what is not known of other values"; cat out; }
"$run" report --at n=16e6,threads=64 >there || fault "report --at n=16e6,threads=64"
verdict() { sed '/^$/,$d' "$1"; } # and how to check it
cmp <(verdict out) <(verdict there) || { fault "another verdict than the report's"; cat out; }
tr -s ' \n' ' ' <out | grep -q ' Measured at .* Predicted: 16,000,000\. At threads = 64 (measured: ' || { fault "no report there"; cat out; }
grep -q 'At threads = 1\b' out && { fault "a report at the base"; cat out; }
expect 0 '^Next: scale-run report --at n=16000000,threads=8$' again --at n=16e6,threads=8,64
[ "$(grep -c '^Measured at ' out)" = 2 ] || { fault "not a report of each"; cat out; }
again --at n=16e6,threads=8,64 --no-report >silent 2>/dev/null && [ ! -s silent ] || { fault "--no-report"; cat silent; }
again --at n=16e6,threads=64 --json >ran.json 2>/dev/null && "$run" report --at n=16e6,threads=64 --json >told.json &&
  cmp ran.json told.json || fault "another document than the report's"
expect 2 'does not say which n' again --at threads=64
expect 2 'the parameter is n, not colour' again --at n=5,colour=64
expect 0 '^To (decide|check it): scale-run run -P n=100000\.\.[0-9]+ -P threads=1,2,4,8,16 (\\ )?-- ./work|To (decide|check it): .* \\ |^No superlinear' again
expect 2 '3 or more are needed' "$run" run -P n=1..9 -P threads=1,2 -- ./work '{n}' '{threads}'
# A range stands for a few values, which are told with the runs that they cost, and are those of the study.
expect 0 'threads = 1, 2, 3, 5, 9, 16; 15 runs beside those at threads = 1' \
  "$run" run -o range.db --event none -P n=1000..16000 -P threads=1..16 -- ./work '{n}' '{threads}'
grep -q 'run 1 of about 2[0-9]: ' err || { fault "the price of a range"; cat err; }
expect 0 'work \(work\.c:.* 64\.0 billion +exactly .*n threads$' "$run" ask range.db --at n=1e9,threads=64
expect 2 'no values of a further parameter are chosen beyond its range' "$run" run -P n=1..9 -P threads=1..4+ -- ./work '{n}' '{threads}'
"$run" run --print-workload -P n=1..9 -P threads=1..16 -- ./work '{n}' '{threads}' | grep -q '<sizes>1 2 3 5 9 16</sizes>' ||
  fault "the values in the printed workload"
expect 2 'the command does not use threads' "$run" run -P n=1..9 -P threads=1,2,4 -- ./work '{n}'
exit $status
