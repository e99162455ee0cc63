#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A change that shows with several threads only, which the base values of a study do not have. It grows faster with the threads
# (threads^2, before threads), which shows at every --at.
. "$(dirname "$0")/../lib.sh"
need_compiler
cp "$here/merge.c" .
loop="merge\\.c:$(grep -n 'i < n \* parts' merge.c | cut -d : -f 1):"
mkdir pairs
compile -O2 -g -pthread -o merge merge.c
compile -O2 -g -pthread -DPAIRS -o pairs/merge merge.c
measure() { "$run" run -q -P n=100000..1600000 -P threads=1,2,4,8 --event none -o "$1" -- "$2" '{n}' '{threads}'; }
expect 0 '' measure base.db ./merge
expect 0 '' measure same.db ./merge
expect 0 '' measure pairs.db pairs/merge

# The same at one thread; 64 times as much at 64, exactly, in every output and for every gate.
for at in n=1e6 n=1e6,threads=1; do
  expect 0 "^$loop.* error: merge: iterations quadratic in threads, before linear in threads; at n = 1,000,000, threads = 8: 64\\.0 million, before 8\\.00 million" \
    "$run" diff base.db pairs.db --at $at
  [ "$(grep -c '^merge\.c:' out)" = 1 ] || { fault "a change at one thread"; cat out; }
done
expect 0 '^No change: ' "$run" diff base.db same.db --at n=1e6,threads=64
expect 0 "^$loop.* warning: merge: iterations up, linear as before; at n = 1,000,000, threads = 64: 4\\.10 billion, before 64\\.0 million \\(64 x\\)" \
  "$run" diff base.db pairs.db --at n=1e6,threads=64
tr -s ' \n' ' ' <out | grep -q 'n = 1,000,000, threads = 64: iterations 64.0 million (exactly) -> 4.10 billion (exactly)' ||
  { fault "prediction"; cat out; }
tr -s ' \n' ' ' <out | grep -q 'By models of all runs, at other values of further parameters. Before: 64 n iterations' ||
  { fault "evidence"; cat out; }
grep -q 'In total at n = 1,000,000, threads = 64: 4.16 billion iterations, before 128 million' out || { fault "total"; cat out; }
expect 1 'worse-cost' "$run" diff base.db pairs.db --at n=1e6,threads=64 --fail-on cost=1.5x
expect 1 'worse-order' "$run" diff base.db pairs.db --at n=1e6 --fail-on order
expect 0 '' "$run" diff base.db pairs.db --at n=1e6 --fail-on cost=1.5x
expect 0 '' "$run" diff base.db same.db --at n=1e6,threads=64 --fail-on any
expect 0 'No longer there|better|down' "$run" diff pairs.db base.db --at n=1e6,threads=64 --fail-on order
"$run" diff base.db pairs.db --at n=1e6,threads=64 --json >diff.json || fault "diff --json"
json diff.json 'd["further"] == {"threads": 64} and d["targets"] == [1e6]'
json diff.json '[(p["before"]["value"], p["after"]["value"]) for p in d["notices"][0]["predictions"]] == [(64e6, 4096e6)]'
valid review diff.json
"$run" diff base.db pairs.db --at n=1e6,threads=64 --format html -o diff.html || fault "a page"
grep -q '<title>.*(threads = 64)' diff.html || fault "a page without its place"
expect 0 'at n = 1,000,000, threads = 64 \| confidence' "$run" diff base.db pairs.db --at n=1e6,threads=64 --format markdown
expect 0 'further_parameter_1="threads",further_value_1="64"' \
  "$run" diff base.db pairs.db --at n=1e6,threads=64 --format openmetrics
for format in sarif junit github gitlab; do
  expect 0 'threads = 64: 4.10 billion' "$run" diff base.db pairs.db --at n=1e6,threads=64 --format "$format"
done

# Two combinations: each is compared, any fails the gate, and every format is one document.
two=(--at n=1e6,threads=64 --at n=1e6,threads=1)
expect 0 'threads = 64: 4.10 billion' "$run" diff base.db pairs.db "${two[@]}"
grep -q 'merge: iterations up' out || { fault "what --at n=1e6,threads=64 has"; cat out; }
expect 1 'worse-cost' "$run" diff base.db pairs.db "${two[@]}" --fail-on cost=1.5x
expect 0 '' "$run" diff base.db same.db "${two[@]}" --fail-on any
[ "$("$run" diff base.db pairs.db --at n=1e6,threads=64,32 --format lines | grep -c 'iterations up.* threads = \(64\|32\): ')" = 2 ] || fault "lines of two"
for format in json sarif gitlab junit openmetrics markdown github; do
  "$run" diff base.db pairs.db --at n=1e6,threads=64,32 --format "$format" -o "two.$format" || fault "$format of two"
done
json two.json '[r["further"]["threads"] for r in d["combinations"]] == [64, 32]'
json two.sarif '[(r["automationDetails"]["id"].split("/")[-2], len(r["results"])) for r in d["runs"]] == [("threads=64", 2), ("threads=32", 2)]'
json two.gitlab 'len(d) == 4 and len({i["fingerprint"] for i in d}) == 4'
python3 - <<'PY' || fault "JUnit or OpenMetrics of two"
import xml.etree.ElementTree as xml
root = xml.parse("two.junit").getroot()
suites = root.findall("testsuite")
assert [s.get("name") for s in suites] == ["changes (threads = 64)", "changes (threads = 32)"], suites
assert int(root.get("tests")) == sum(int(s.get("tests")) for s in suites)
lines = open("two.openmetrics").read().splitlines()
samples = [line.rsplit(" ", 1)[0] for line in lines if not line.startswith("#")]
assert len(samples) == len(set(samples)) and lines[-1] == "# EOF" and lines.count("# EOF") == 1
families, family = [], None
for line in lines:
    if line.startswith("# TYPE "):
        family = line.split()[2]
        assert family not in families
        families.append(family)
    assert line.startswith("#") or line.startswith(family), line
PY
valid answers two.json

# What cannot be compared there.
"$run" baseline base.db -o base.json || fault "a baseline"
expect 2 'base\.json is a baseline, which has the base values of further parameters only' \
  "$run" diff base.json pairs.db --at n=1e6,threads=64
grep -q '^hint: name the study it was made of instead, or leave threads out of --at' err || { fault "no hint"; cat err; }
expect 2 'base\.json is a baseline' "$run" report base.json --at n=1e6,threads=64
expect 0 '^No change: ' "$run" diff base.json pairs.db --at n=1e6
expect 0 '' "$run" run -q -P n=100000..1600000 --event none -o alone.db -- ./merge '{n}' 1
expect 2 'the base alone\.db does not vary threads' "$run" diff alone.db pairs.db --at n=1e6,threads=64
exit $status
