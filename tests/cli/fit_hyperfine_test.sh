#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scale-run fit reads what hyperfine exports, JSON and CSV: files that hyperfine 1.15 wrote (the fuzzer's seeds), and one
# with known times.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || exit 77
seeds=$(cd "$here/../fuzz/corpus/runner_fit_hyperfine" && pwd)

# series FILE: callpath, metric, unit, parameters, values
series() {
  "$run" fit "$1" --at 10x --format jsonl >out 2>err || { fault "$1 is refused"; cat err; }
  python3 -c 'import json, sys
for line in open("out"):
    o = json.loads(line)
    print(o["callpath"], "|", o["metric"], o["unit"], *sorted(o["parameters"]), o["fit"]["observations"])'
}
want() { diff - <(series "$1") >differences || { fault "$1: other series"; cat differences; }; }
want "$seeds/list.json" <<'E'
sh -c "seq {n} #a" | time s n 12
sh -c "seq {n} #a" | user s n 4
sh -c "seq {n} #a" | system s n 4
sh -c "seq {n} #b" | time s n 12
sh -c "seq {n} #b" | user s n 4
sh -c "seq {n} #b" | system s n 4
E
want "$seeds/two.json" <<'E'
seq {n} | time s n 15
seq {n} | user s n 5
seq {n} | system s n 5
seq 0 {n} | time s n 15
seq 0 {n} | user s n 5
seq 0 {n} | system s n 5
E
want "$seeds/two.csv" <<'E'
seq {n} | time s n 5
seq {n} | user s n 5
seq {n} | system s n 5
seq 0 {n} | time s n 5
seq 0 {n} | user s n 5
seq 0 {n} | system s n 5
E
want "$seeds/scan.csv" <<'E'
head -c {n}0000 /dev/zero | time s n 4
head -c {n}0000 /dev/zero | user s n 4
head -c {n}0000 /dev/zero | system s n 4
E
want "$seeds/named.json" <<'E'
nap of {size} | time s size 8
nap of {size} | user s size 4
nap of {size} | system s size 4
E

# The times are those of the runs, in seconds, and fitted as any.
python3 - <<'E'
import json
def result(n, mode):
    times = [1e-6 * n * n * f for f in (0.99, 1, 1.01)]
    return {"command": f"sort {n}", "mean": times[1], "stddev": None, "median": times[1], "user": 1e-9 * n, "system": 0.0,
            "min": times[0], "max": times[2], "times": times, "exit_codes": [0, 0, 0],
            "parameters": {"n": str(n), "threads": "2", "mode": mode}}
sizes = [10, 20, 40, 80, 160, 320]
json.dump({"results": [result(n, m) for m in ("quick", "slow") for n in sizes]}, open("known.json", "w"), indent=2)
E
expect 0 '^sort \{n\}, mode=quick, time +1 us.* n\^2 ' "$run" fit known.json --at n=1e4,threads=2
"$run" fit known.json --at n=1e4,threads=2 --format jsonl | python3 -c 'import json, sys
for o in map(json.loads, sys.stdin):
    if o["metric"] == "time":
        p = o["predictions"][0]
        assert abs(p["value"] - 100) < 2 and p["low"] <= 100 <= p["high"], o
        assert o["order"]["n"] == 2 and not o["fit"]["counts"], o' || fault "known times are fitted otherwise"

expect 2 'plain\.json:3: a result of hyperfine without a parameter that is a number' "$run" fit "$seeds/plain.json" --at 10x
grep -q '^hint: run hyperfine -P n 100 800' err || fault "no hint for a run without parameters"
sed 's/"times"/"mean"/' "$seeds/plain.json" >/dev/null
printf '{"results": [{"command": "x", "parameters": {"n": "1"}}]}' >empty.json
expect 2 'a result without command or times' "$run" fit empty.json --at 10x
printf 'command,mean,stddev,median,user,system,min,max,parameter_n\nx 1,?,0,1,1,1,1,1,1\n' >bad.csv
expect 2 'bad.csv:2: mean, user or system is not a number' "$run" fit bad.csv --at 10x

# Runs that failed were measured only because hyperfine was told to ignore it: that is said.
python3 - "$seeds/list.json" <<'P'
import json, sys
d = json.load(open(sys.argv[1]))
for i, result in enumerate(d["results"]):
    result["exit_codes"] = [0] * len(result["times"])
json.dump(d, open("whole.json", "w"))
d["results"][0]["exit_codes"][0] = 1
d["results"][1]["exit_codes"][0] = None
json.dump(d, open("failing.json", "w"))
P
expect 0 "warning:.*command failed in 2 runs; the times are used all the same" "$run" fit failing.json --at 10x
expect 0 . "$run" fit whole.json --at 10x
[ ! -s err ] || { fault "a warning without a failed run"; cat err; }
exit $status
