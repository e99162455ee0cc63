#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Work that grows superlinearly with a further parameter is a finding, with that parameter's name, in every output.
# Timed: waits and elapsed times are measured.
. "$(dirname "$0")/../lib.sh"
need_compiler
columns=100
cp "$here/along.c" .
line() { grep -n -m 1 -- "$1" along.c | cut -d : -f 1; } # of the source, as places in the output have it
compile -O2 -g -pthread -o along along.c

measure() { # mode, values of m
  "$run" run --restart -o "$1.db" -P n=100..1600 -P "m=$2" --at 100000 -- ./along "$1" '{n}' '{m}' >"$1.run" 2>&1 ||
    { fault "run $1"; cat "$1.run"; }
}
for mode in loop tables strcat callee product; do measure $mode 1,2,4,8,16,32; done
# From where on it takes half of the total is a matter of times, which a busy machine leaves open: twice more.
for attempt in 2 3; do
  "$run" report loop.db | tr -s ' \n' ' ' | grep -q 'takes half of the total from m = [0-9]* on, .* confidence high' && break
  measure loop 1,2,4,8,16,32
done
"$run" run --restart -o threads.db -P n=1e5..1600000 -P threads=1,2,4,8 --at 1e7 -- ./along threads '{n}' '{threads}' \
  >threads.run 2>&1 || { fault "run threads"; cat threads.run; }

# What is found, where, and from which m on; n alone shows none of it.
inner=$(line 'i ^ j')
expect 0 '^Superlinear growth: 1 finding, ' "$run" report loop.db
tr '\n' ' ' <out | tr -s ' ' >flat
grep -qE "compare_columns \\(along\\.c:$((inner - 1)):[0-9]+\\): quadratic loop in m, n m\\^2 iterations; at n = 100,000, m = 32: 102 million iterations" \
  flat || { fault "loop"; cat out; }
grep -qE 'When takes half of the total from m = [0-9,]+ on, at n = 100,000; confidence high' flat ||
  { fault "from which m on"; cat out; }
grep -qE 'Predicted n = 100,000, m = 32: 102 million iterations \(exactly\)' flat || { fault "predicted"; cat out; }
grep -q 'Superlinear growth: 1 finding' loop.run || { fault "the end of run"; cat loop.run; }
expect 0 'start_tables \(along\.c:.*: quadratic loop in m, 2000 m\^2 iterations' "$run" report tables.db
expect 0 'strcat from join_fields \(along\.c:.*: quadratic work in m' "$run" report strcat.db
expect 0 'visit \(along\.c:.*: quadratic loop in m' "$run" report callee.db
for twin in product threads; do
  expect 0 '^No superlinear growth found' "$run" report $twin.db
  grep -q ' in m\b\| in threads\b' out && { fault "$twin: a finding"; cat out; }
done

# What begins at a value of m, which no sum of products is.
"$run" run -q -o late.db -P n=100..1600 -P m=1..64 --at 1e5 --event none -- ./along late '{n}' '{m}' >late.run 2>&1 ||
  { fault "run late"; cat late.run; }
expect 0 'pick \(along\.c:.*: quadratic loop in m, n \(m < 19: 30; else m\^2\) iterations; at n = 100,000, m = 64: 410 million' \
  "$run" report late.db
expect 0 'pick \(along\.c:.*410 million +exactly .*n \(m < 19: 30; else m\^2\)' "$run" ask late.db --at n=1e5,m=64
"$run" ask late.db --at n=1e5,m=2,1000 --json >late.json || fault "ask --json of what begins"
json late.json '[next(r["count"]["value"] for r in p["most_executed"] if r["context"]["function"] == "pick" and r["context"].get("column")) for p in d["points"]] == [3e6, 1e11]'
json late.json 'd["points"][0]["most_executed"][0]["model"] == "n * (where(m < 19, 30, m^2))" and d["points"][0]["most_executed"][0]["exact"]'

# What is nothing to the processor, and all that the program waits for: no note among the negligible, but an error.
"$run" run -q -o wait.db -P n=2e5..3200000 -P m=1,2,3,5,8 --at 3200000 --no-report -- ./along wait '{n}' '{m}' >wait.run 2>&1 ||
  { fault "run wait"; cat wait.run; }
expect 0 'quadratic loop in m, m\^2 iterations .*calls in it wait [0-9.]+ (ms|s), [0-9.]+% of the elapsed time' "$run" report wait.db
"$run" report wait.db --json >wait.json || fault "report --json of waiting"
json wait.json '[(f["function"], f["severity"], f["along"]["parameter"]) for f in d["findings"] if f["superlinear"]] == [("ask_all", "error", "m")]'
json wait.json 'd["findings"][0]["predictions"][0]["waiting"] > 0.25 and d["findings"][0]["predictions"][0]["waiting_share"] > 0.5'
json wait.json '"At m = 8 calls in it wait 0." in d["findings"][0]["evidence"]'
"$run" ask wait.db --of wall --at n=3200000,m=8,16 --json >wall.json || fault "ask --of wall"
json wall.json '(lambda at8, at16: at16 > 2.5 * at8 > 0.6)(*[e["sizes"][0]["values"][0]["predicted"]["value"] for e in d["elsewhere"]])'
"$run" ask wait.db --of waiting --at n=3200000,m=8 --json >waiting.json || fault "ask --of waiting"
json waiting.json 'd["sizes"][0]["values"][0]["predicted"]["value"] > 0.25' # 64 pauses of 5 ms, one at the base

# Stairs and scatter are no order, along m as along n.
"$run" run -q -o table.db -P n=20..320 -P m=10,20,50,100,300 --at 10000 --event none -- ./along table '{n}' '{m}' >table.run 2>&1 ||
  { fault "run table"; cat table.run; }
expect 0 '^(No superlinear growth found|Undecided)' "$run" report table.db --fail-on superlinear

# The same elsewhere, through the gate and in every format.
expect 1 'quadratic loop in m, n m\^2' "$run" report loop.db --fail-on superlinear
expect 1 '' "$run" report loop.db --fail-on order
expect 0 '' "$run" report product.db --fail-on superlinear
expect 0 'at n = 100,000, m = 64: 410 million iterations' "$run" report loop.db --at n=1e5,m=64
"$run" ask loop.db --at n=1e5,m=64 --json >ask.json || fault "ask"
"$run" report loop.db --at n=1e5,m=64 --json >report.json || fault "report --json"
"$run" report loop.db --json >base.json || fault "report --json at the base"
json base.json '[(f["rule"], f["along"]["parameter"], f["to"]["text"]) for f in d["findings"] if f["superlinear"]] == [("superlinear-loop", "m", "m^2")]'
json base.json 'd["findings"][0]["along"]["at"] == 32 and d["findings"][0]["along"]["formula"] == "n m^2"'
json base.json 'd["findings"][0]["predictions"][0]["n"] == 1e5 and d["findings"][0]["predictions"][0]["count"]["value"] == 1e5 * 32 ** 2'
json base.json '1 < d["findings"][0]["emergence"] < 1000 and d["findings"][0]["confidence"] > 0.9'
json base.json '{f["along"] for f in d["findings"][1:]} <= {None} and d["verdict"]["superlinear"] == 1'
python3 - <<'PY' || fault "report and ask predict differently"
import json
report, ask = json.load(open("report.json")), json.load(open("ask.json"))
f = next(f for f in report["findings"] if f["superlinear"])
row = next(r for r in ask["points"][0]["most_executed"] if r["context"]["line"] == f["line"] and r["context"]["column"] == f["column"])
assert f["predictions"][0]["count"] == row["count"], (f["predictions"][0], row)
total, elapsed = report["total"][0]["cost"], report["elapsed"][0]["time"]
assert ask["points"][0]["total"] == total, (total, ask["points"][0])
assert ask["points"][0]["elapsed"]["time"] == elapsed, (elapsed, ask["points"][0]["elapsed"])
PY
for format in markdown sarif junit github gitlab lines json; do
  "$run" report loop.db --format $format >"out.$format" 2>err || { fault "--format $format"; cat err; }
  grep -q 'quadratic loop in m, n m.*2 iterations; at n = 100,000, m = 32' "out.$format" ||
    { fault "--format $format"; cat "out.$format"; }
done
json out.sarif '[r["ruleId"] for r in d["runs"][0]["results"] if r.get("level") != "note"] == ["superlinear-loop"]'
if "$run" report loop.db --format html -o page.html 2>err; then
  PYTHONPATH=$here/../page python3 - <<'PY' || fault "the page lacks the finding"
import data
f = data.combination(data.read("page.html"))["head"]["findings"][0]
assert f["along"] == {"parameter": "m", "at": 32, "formula": "n m^2"} and f["to"] == "m^2", f
assert 1 < f["emergence"] < 1000 and f["predictions"][0]["count"][0] == 102400000, f
PY
else
  grep -q 'built without the page' err || { fault "--format html"; cat err; }
fi

# A change from linear to quadratic in m alone, which the base values do not show.
measure product 1,2,4,8,16,32
columns=
measure callee 1,2,4,8,16,32
expect 1 'compare_columns: iterations quadratic in m, before linear in m; at n = 100,000, m = 32: 102 million' \
  "$run" diff product.db loop.db --fail-on order
expect 1 'iterations quadratic in m; at n = 100,000, m = 32|iterations quadratic in m, before' \
  "$run" diff product.db callee.db --fail-on order --format lines
expect 0 '' "$run" diff loop.db loop.db --fail-on any
expect 0 '' "$run" diff loop.db product.db --fail-on order
if "$run" diff product.db loop.db --format html -o diff.html 2>err; then
  PYTHONPATH=$here/../page python3 - <<'PY' || fault "the page's list of changes"
import data
changes = data.combination(data.read("diff.html"))["comparison"]["changes"]
along = [c for c in changes if c.get("along")]
assert [c["along"] for c in along] == [{"parameter": "m", "at": 32, "n": 1e5}] and along[0] is changes[0], along
assert along[0]["head"]["model"]["order"] == "m^2" and along[0]["head"]["predictions"][0][0] == 102400000, along
PY
else
  grep -q 'built without the page' err || { fault "--format html"; cat err; }
fi

# Few values decide nothing: the place is undecided, with the value that would decide.
measure loop 1,2,4
expect 0 '^Undecided: 1 place may grow superlinearly' "$run" report loop.db
tr '\n' ' ' <out | tr -s ' ' >flat
grep -q 'may grow as fast as m^2: that is undecided. m was measured at 3 values, which decide no order. With m = 8 measured as well, it is decided: -P m=1,2,4,8' \
  flat || { fault "few values"; cat out; }
"$run" report loop.db --json >few.json || fault "report --json of few values"
json few.json '[(u["along"]["parameter"], u["deciding_size"]) for u in d["undecided"]] == [("m", 8)]'
expect 0 '' "$run" report loop.db --fail-on superlinear
exit $status
