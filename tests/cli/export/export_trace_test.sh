#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scale-run export --format trace: slices that nest, each hold once, arrows from a holder to who waited for it.
. "$(dirname "$0")/../lib.sh"
need_compiler
compile -O1 -g -pthread -o locks "$here/locks.c"

# As the help says: of runs made with --trace --keep.
mkdir kept
TMPDIR=$PWD/kept "$run" run -P n=2,3,4 --event none --no-report -q --trace 4096 --keep -- ./locks '{n}' >out 2>err || { cat out err; exit 1; }
find kept -name '*.scprof' >profiles
[ "$(wc -l <profiles)" -ge 3 ] || { fault "--keep leaves no profiles"; find kept; }
"$run" export --format trace $(cat profiles) -o trace.json || fault "export"
cat >check.py <<'P'
import json, sys
document = json.load(open(sys.argv[1]))
events, rounds = document["traceEvents"], [int(n) for n in sys.argv[2:]]
assert document["displayTimeUnit"] == "ns" and document["otherData"]["events lost"] == "0", document["otherData"]
processes = {e["pid"] for e in events}
assert len(processes) == len(rounds), processes
assert {e["args"]["name"] for e in events if e["name"] == "process_name"} == {"locks"}
rows = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
slices = {}
for e in events:
    if e["ph"] == "X":
        assert e["ts"] >= 0 and e["dur"] >= 0 and (e["pid"], e["tid"]) in rows, e
        slices.setdefault((e["pid"], e["tid"]), []).append(e)
for row in slices.values(): # beside or inside each other
    row.sort(key=lambda e: (e["ts"], -e["dur"]))
    open_ends = []
    for e in row:
        end = e["ts"] + e["dur"]
        while open_ends and open_ends[-1] <= e["ts"] + 1e-6:
            open_ends.pop()
        assert not open_ends or end <= open_ends[-1] + 1e-6, (e, open_ends)
        open_ends.append(end)
holds = [e for e in events if e["ph"] == "X" and e["cat"] == "hold" and e["args"]["class"] == "mutex"]
assert sum(e["name"] == "hold second" for e in holds) == sum(2 * n for n in rounds)
for e in holds:
    if e["name"] == "hold second":
        assert e["dur"] >= 3000 and e["args"]["released by"].startswith("pthread_mutex_unlock:"), e
for name in "hold first", "hold second": # one at a time
    for process in processes:
        mine = sorted((e["ts"], e["ts"] + e["dur"]) for e in holds if e["name"] == name and e["pid"] == process)
        assert all(a[1] <= b[0] + 1e-6 for a, b in zip(mine, mine[1:])), mine
starts = {e["id"]: e for e in events if e["ph"] == "s"}
ends = {e["id"]: e for e in events if e["ph"] == "f"}
assert starts and starts.keys() == ends.keys()
inside = lambda e, cat: [s for s in slices[e["pid"], e["tid"]] if s["ts"] <= e["ts"] <= s["ts"] + s["dur"] and s["cat"] == cat]
for number, start in starts.items():
    end = ends[number]
    assert start["ts"] <= end["ts"] and start["pid"] == end["pid"] and start["tid"] != end["tid"], (start, end)
    held, waited = inside(start, "hold"), inside(end, "wait")
    assert {h["name"][5:] for h in held} & {w["name"][5:] for w in waited}, (held, waited)
waits = [e for e in events if e["ph"] == "X" and e["cat"] == "wait" and e["name"] == "wait second"]
assert waits and all(any(w in inside(e, "wait") for e in ends.values()) for w in waits), "a wait without a holder"
P
sizes=$(for profile in $(cat profiles); do "$run" dump "$profile" | sed -n 's/.*locks \([0-9]\+\).*/\1/p' | head -n 1; done)
python3 check.py trace.json $sizes || fault "the trace"

expect() { # PATTERN COMMAND...
  local pattern=$1
  shift
  "$@" >out 2>err
  [ $? = 2 ] && grep -qE "error: .*$pattern" err && grep -q '^hint: ' err || { fault "$pattern"; cat out err; }
}
mkdir plain
SCALE_PROFILE_DIR=plain ./locks 1
expect 'no trace of resource events' "$run" export --format trace plain/*.scprof -o never
head -c 100 plain/*.scprof >plain/short.scprof
"$run" export --format trace plain/short.scprof -o never 2>err && fault "a damaged profile"
[ -e never ] && fault "a file was left behind"
exit $status
