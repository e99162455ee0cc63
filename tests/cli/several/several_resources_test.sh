#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Resources at other values of a further parameter: a lock that one thread hardly uses and ten saturate, asleep, so that
# neither the number of processors nor their load matters, and memory for each thread.
# Timed: utilisation and waits are measured.
. "$(dirname "$0")/../lib.sh"
need_compiler
columns=100
cp "$here/crowd.c" .
update=$(grep -n 'pthread_mutex_lock' crowd.c | cut -d : -f 1)
mkdir large
compile -O2 -g -pthread -o crowd crowd.c
compile -O2 -g -pthread -DLARGE -o large/crowd crowd.c
measure() { "$run" run -q -P n=10..80 -P threads=1,2,4,6 --event none -o "$1" -- "$2" '{n}' '{threads}'; }
expect 0 '' measure crowd.db ./crowd
expect 0 '' measure large.db large/crowd

# Exact counts, queues computed from them, and what is held at a time.
expect 0 '^ +acquires +5,120 +500 +32,000 +exactly$' "$run" ask crowd.db --resource table_lock --at n=500,threads=64
grep -qE '^ +utilisation +(9[5-9](\.[0-9])?|100|>99\.9)% +500 +(9[7-9](\.[0-9])?|100|>99\.9)% ' out || { fault "utilisation at 64 threads"; cat out; }
"$run" ask crowd.db --of 'utilisation(table_lock)' --at n=500,threads=1,4,64 --json >used.json || fault "ask --of utilisation"
json used.json '[a["further"]["threads"] for a in d["elsewhere"]] == [1, 4, 64]'
json used.json '[lo < a["sizes"][0]["values"][0]["predicted"]["value"] < hi for a, lo, hi in zip(d["elsewhere"], (.05, .2, .99), (.25, .8, 1.01))] == [True] * 3'
json used.json 'd["elsewhere"][2]["sizes"][0]["values"][0]["predicted"]["low"] > 0.8'
expect 0 '^ +500 +64 +4\.0 MiB ' "$run" ask crowd.db --of memory --at n=500 --sweep threads=1..64
expect 0 'is exceeded at n = 10 already' "$run" ask crowd.db --limit memory=1MiB --at threads=64
expect 0 'never reached|is not reached' "$run" ask crowd.db --limit memory=1GiB --at threads=64
expect 0 'Acquires of table_lock.*● measured' "$run" ask crowd.db --of 'acquires(table_lock)' --plot --at threads=6

# Contention is found there and not at the base, in every output.
expect 0 'No resource turns pathological' "$run" report crowd.db --at n=500 --resources
expect 0 '1\. table_lock \(crowd\.c:[0-9]+\): mutex, contention' "$run" report crowd.db --at n=500,threads=64 --details
tr -s ' \n' ' ' <out | grep -q 'By models of all runs, at other values of further parameters. Share of the time' ||
  { fault "evidence"; cat out; }
tr -s ' \n' ' ' <out | grep -q 'Of resources contention and leaks alone are judged away from the base values' || { fault "caveat"; cat out; }
tr -s ' \n' ' ' <out | grep -q 'Resources at n = 80, threads = 64, by models of all runs' || { fault "table"; cat out; }
columns=1000000
expect 1 'contention' "$run" report crowd.db --at n=500,threads=64 --fail-on resource --format lines
columns=100
expect 0 '' "$run" report crowd.db --at n=500 --fail-on resource
"$run" report crowd.db --at n=500,threads=64 --json >report.json || fault "report --json"
json report.json 'd["resources"]["findings"][0]["rule"] == "contention" and d["further"] == {"threads": 64}'
"$run" report crowd.db --at n=500,threads=64 --format html -o page.html || fault "a page"

# Asked for nothing, a report names what turns pathological with more threads, too, and from how many on: at one thread
# the lock is free, at six it is held half of the time, and ten saturate it.
from='threads = ([6-9]|1[0-9]) on'
expect 0 "1 finding about resources, from $from" "$run" report crowd.db
tr -s ' \n' ' ' <out >flat
grep -qE "1\. table_lock \(crowd\.c:[0-9]+\): mutex, contention from $from, at n = 800 Measured and predicted, at threads = 60 n = 80 n " flat ||
  { fault "contention with more threads"; cat out; }
grep -qE 'scale-run blame table_lock crowd.db --at n=800,threads=60' flat || { fault "what to do next"; cat out; }
"$run" report crowd.db --json >beside.json || fault "report --json at the base"
json beside.json '[(f["rule"], f["severity"], f["along"]) for f in d["resources"]["findings"]] == [("contention", "warning", {"parameter": "threads", "at": 60})]'
json beside.json '6 <= d["resources"]["findings"][0]["emergence"]["size"] < 20 and d["verdict"]["resources"] == 1 and d["further"] == {"threads": 1}'
json beside.json 'd["resources"]["findings"][0]["numbers"][0]["predictions"][0]["value"] > 0.9'
columns=1000000
expect 1 "contention from $from, at n = 800; utilisation .*, at n = 800, threads = 60: " \
  "$run" report crowd.db --fail-on resource --format lines
for format in markdown sarif junit github gitlab json; do
  "$run" report crowd.db --format $format >"out.$format" 2>err || { fault "--format $format"; cat err; }
done
for format in markdown sarif junit github gitlab; do
  grep -qE "contention from $from, at n = 800" "out.$format" || { fault "--format $format"; cat "out.$format"; }
done
json out.sarif '[(r["properties"]["parameter"], r["properties"]["parameterAt"]) for r in d["runs"][0]["results"] if r["ruleId"] == "contention"] == [("threads", 60)]'
"$run" report crowd.db --format openmetrics >out.metrics || fault "openmetrics"
grep 'rule="contention"' out.metrics | grep -q 'further_parameter_1="threads",further_value_1="60"' || { fault "openmetrics"; cat out.metrics; }
"$run" report crowd.db --format html -o beside.html || fault "a page at the base"
PYTHONPATH=$here/../page python3 - <<'PY' || fault "the page lacks what happens with more threads"
import data
resources = data.combination(data.read("beside.html"))["head"]["resources"]["findings"]
assert [f["along"] for f in resources] == [{"parameter": "threads", "at": 60}], resources
PY
PYTHONPATH=$here/../lsp python3 - "$run" "$update" <<'PY' || fault "the language server"
import os, re, sys
from client import Client
client = Client(sys.argv[1], "lsp", "crowd.db")
client.start(os.getcwd())
uri = client.open(os.getcwd() + "/crowd.c")
told = client.wait_for("textDocument/publishDiagnostics")["diagnostics"]
assert ["contention from threads = " in d["message"] for d in told if d["code"] == "contention"] == [True], told
lenses = [lens["command"]["title"] for lens in client.lenses(uri)]
assert any(re.search("makes others wait from threads≈[0-9]+$", title) for title in lenses), lenses
hover = client.hover(uri, int(sys.argv[2]) - 3, 50)["contents"]["value"]
assert re.search("makes others wait from threads≈[0-9]+", hover), hover
PY
columns=100
# A lock of its own for each thread is as free at 60 of them; who names sizes of n alone asks for the base.
"$cc" -O2 -g -pthread -DAPART -o apart crowd.c && measure apart.db ./apart
expect 0 "No resource turns pathological" "$run" report apart.db --fail-on resource

# Leaks: one that grows with n away from the base alone, and one that grows with threads and not with n.
cp "$here/keep.c" .
"$cc" -O2 -g -pthread -o keep keep.c || fault "scale-cc failed on keep.c"
expect 0 '' "$run" run -q -P n=5..40 -P threads=1,2,4,8 --event none -o keep.db -- ./keep '{n}' '{threads}'
expect 0 'No resource turns pathological' "$run" report keep.db --at n=500
expect 0 'open_request.*leak' "$run" report keep.db --at n=500,threads=64 --details
tr -s ' \n' ' ' <out >flat
grep -q 'predicted at n = 500: 31,500: 63 descriptors for each n' flat || { fault "a leak that grows with n"; cat out; }
grep -q 'open_log.*leak' out && grep -q 'predicted at n = 500: 64; with threads = 1: 1, with threads = 8: 8\.' flat ||
  { fault "a leak that grows with threads"; cat out; }
grep -q 'peak outstanding 2,5[0-9][0-9] ' flat || { fault "more out at a time than was acquired"; cat out; }
columns=1000000
expect 1 'leak' "$run" report keep.db --at n=500,threads=64 --fail-on resource --format lines
expect 0 'leak' "$run" report keep.db --at n=500,threads=1 --at n=500,threads=8 --format lines
expect 1 'open_request .*: descriptor, leak from threads = 2 on, at n = 400; .*, at n = 400, threads = 8: 2,800' \
  "$run" report keep.db --fail-on resource --format lines
grep -q 'open_log .*: descriptor, leak from threads = 2 on, at n = 400; .*, at n = 400, threads = 8: 8' out ||
  { fault "a leak that grows with threads alone, at the base"; cat out; }
columns=100
"$run" report keep.db --json >kept.json || fault "report --json of leaks"
json kept.json '[(f["rule"], f["severity"], f["along"]["at"], f["emergence"]["size"]) for f in d["resources"]["findings"]] == [("leak", "error", 8, 2)] * 2'

# The value from which on it holds is exact to 1% if values have fractions.
cat >part.c <<'EOF'
#include <fcntl.h>
#include <stdlib.h>
__attribute__((noinline)) static void keep(void) { (void)open("/dev/null", O_RDONLY); }
int main(int argc, char **argv)
{
  long n = argc > 1 ? atol(argv[1]) : 1, kept = (long)(n * (2 * atof(argv[2]) / UNIT - 1));
  for (long i = 0; i < kept; i++)
    keep();
}
EOF
"$cc" -O1 -g -DUNIT=1 -o part part.c && "$run" run -q -P n=100..800 -P part=0.5,1,2,4 --event none -o part.db -- ./part '{n}' '{part}' ||
  fault "part"
"$run" report part.db --json >part.json || fault "report --json of part"
json part.json '[(f["rule"], f["along"]["at"], 0.5 < f["emergence"]["size"] <= 0.505) for f in d["resources"]["findings"]] == [("leak", 4, True)]'
# Above 2^53 there is not a number for each whole one: looking for it ends all the same.
"$cc" -O1 -g -DUNIT=2e16 -o huge part.c &&
  timeout 100 "$run" run -q -P n=100..800 -P part=1e16,2e16,4e16,8e16 --event none -o huge.db -- ./huge '{n}' '{part}' || fault "huge"
timeout 100 "$run" report huge.db --json >huge.json || fault "report --json of huge"
json huge.json '[(f["rule"], 1e16 < f["emergence"]["size"] < 1.1e16) for f in d["resources"]["findings"]] == [("leak", True)]'

# With more of either of two parameters: who accepts one of the findings still has the other.
cat >both.c <<'EOF'
#include <fcntl.h>
#include <stdlib.h>
__attribute__((noinline)) static void keep(void) { (void)open("/dev/null", O_RDONLY); }
int main(int argc, char **argv)
{
  long kept = argc > 3 ? atol(argv[1]) * (atol(argv[2]) + atol(argv[3]) - 2) : 0;
  for (long i = 0; i < kept; i++)
    keep();
}
EOF
"$cc" -O1 -g -o both both.c || fault "scale-cc failed on both.c"
expect 0 '2 findings about resources, with more of further parameters' \
  "$run" run -q -P n=5..40 -P a=1,2,4,8 -P b=1,2,4,8 --event none -o both.db -- ./both '{n}' '{a}' '{b}'
"$run" report both.db --json >both.json || fault "report --json of both"
json both.json 'sorted(f["along"]["parameter"] for f in d["resources"]["findings"]) == ["a", "b"]'

# Looking for a value takes the memory of a few places, not of all that are looked at: of a program with 20,000 contexts.
python3 - >wide.c <<'PY'
print("#include <fcntl.h>\n#include <stdlib.h>\nstatic volatile long sink;")
function = "__attribute__((noinline)) static void %s { %s }"
print(function % ("keep(void)", '(void)open("/dev/null", O_RDONLY);'))
for i in range(100):
    print(function % (f"inner{i}(long n)", "for (long i = 0; i < n; i++) sink += i;"))
for i in range(200):
    print(function % (f"outer{i}(long n)", " ".join(f"inner{j}(n);" for j in range(100))))
print("int main(int argc, char **argv) { long n = atol(argv[1]), m = atol(argv[2]);")
print(" ".join(f"outer{i}(n);" for i in range(200)) + " for (long i = 0; m > 123456 && i < n; i++) keep(); }")
PY
"$cc" -O1 -g -o wide wide.c &&
  "$run" run -q --no-report -P n=10,20,40,80 -P m=1000,10000,100000,1000000 --event none -o wide.db -- ./wide '{n}' '{m}' || fault "wide"
peak() { python3 -c 'import resource, subprocess, sys; subprocess.run(sys.argv[2:], stdout=open(sys.argv[1], "w"), check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"; }
there=$(peak there "$run" report wide.db --at n=800,m=1000000) beside=$(peak beside "$run" report wide.db)
grep -q 'leak from m = [0-9,]* on' beside || { fault "a leak in a wide program"; cat beside; }
[ "$beside" -lt $((2 * there)) ] || fault "$beside KiB instead of $there at one place"

# Processors count there, too: on one of them, computing threads wait longer for a lock than on many.
cp "$here/crunch.c" .
"$cc" -O2 -g -pthread -o crunch crunch.c || fault "scale-cc failed on crunch.c"
waits() { # on 64 processors
  "$run" ask crunch.db --of 'mean-wait-time(table_lock)' --at n=400,threads=64 --processors 64 --json |
    python3 -c 'import json, sys; sys.exit(not json.load(sys.stdin)["sizes"][0]["values"][0]["predicted"]["value"] > 0)'
}
# A busy machine now and then leaves a study that predicts no waiting: once more.
for attempt in 1 2 3; do
  rm -f crunch.db
  expect 0 '' "$run" run -q -P n=20..160 -P threads=1,2,4,8 -o crunch.db -- ./crunch '{n}' '{threads}'
  waits && break
done
# One name is one row, however many contexts have it, as at the base.
expect 0 'compute \(crunch\.c:[0-9]+\) .* 2 contexts, 2? ?n threads' "$run" ask crunch.db --at n=400,threads=64
for processors in 1 64; do
  "$run" ask crunch.db --of 'mean-wait-time(table_lock)' --at n=400,threads=64 --processors "$processors" --json >"on_$processors.json" ||
    fault "ask --processors $processors"
done
json on_64.json 'd["sizes"][0]["values"][0]["predicted"]["value"] > 0'
json on_1.json "d['sizes'][0]['values'][0]['predicted']['value'] > 2 * json.load(open('on_64.json'))['sizes'][0]['values'][0]['predicted']['value']"

# Where processors do not explain how busy a lock is, hold and think times do: predicted where it was measured, too.
cp "$here/jobs.c" .
"$cc" -O2 -g -pthread -o jobs jobs.c || fault "scale-cc failed on jobs.c"
expect 0 '' "$run" run -q -P n=1000..16000 -P threads=1,2,4,8 -o jobs.db -- ./jobs '{n}' '{threads}'
"$run" ask jobs.db --resource lock --at n=16000,threads=8 --json >jobs.json || fault "ask of a lock that was measured there"
json jobs.json '[1/3 < u["predictions"][0]["value"] / u["measured"] < 3 for u in d["resource"]["numbers"] if u["metric"] == "utilisation"] == [True]'
# No number of waits contradicts the one beside it; what corrects it is not taken for a measurement where none was made.
json jobs.json '[u["predictions"][0]["low"] <= u["measured"] <= u["predictions"][0]["high"] for u in d["resource"]["numbers"] if u["metric"] == "waits"] == [True]'
json jobs.json '[u["measured"] / 3 <= u["predictions"][0]["value"] <= 3 * u["measured"] for u in d["resource"]["numbers"] if u["metric"] == "waits" and u["measured"] >= 10] in ([True], [])'
expect 0 '' "$run" ask jobs.db --resource lock --at n=16000,threads=7
grep -q 'Corrected' out && fault "corrected by what was measured elsewhere"

# A semaphore whose first units nobody gave.
cp "$here/slots.c" .
"$cc" -O2 -g -pthread -o slots slots.c || fault "scale-cc failed on slots.c"
expect 0 '' "$run" run -q -P n=50..400 -P threads=1,2,4 --event none -o slots.db -- ./slots '{n}' '{threads}'
expect 0 '^ +acquires +6,400 +500 +8,000 +exactly$' "$run" ask slots.db --resource slots --at n=500,threads=16

# Waits: by pairs, at the values measured nearest to what is asked for.
expect 0 'Who waits for whom at n = 80, threads = 6: ' "$run" blame table_lock crowd.db --at n=500,threads=64
tr -s ' \n' ' ' <out | grep -q 'Predicted at n = 500, threads = 64: ' || { fault "prediction of blame"; cat out; }
grep -q "update (crowd\.c:$update), in work > update" out || { fault "who holds it"; cat out; }
expect 0 'Nobody waits for it at n = 80\.' "$run" blame table_lock crowd.db --at n=500
"$run" blame table_lock crowd.db --at n=500,threads=64 --json >blame.json || fault "blame --json"
json blame.json 'd["further"] == {"threads": 64} and d["pairs_further"] == {"threads": 6} and d["predictions"][0]["n"] == 500'
"$run" blame table_lock crowd.db --at n=500,threads=64 --format dot | grep -q 'n = 500, threads = 64' || fault "blame as a graph"
valid report report.json
valid answers used.json blame.json

# What a change does to them there: 1 MiB for each thread instead of 64 KiB.
columns=1000000
expect 0 'heap: peak outstanding up.*; at n = 500, threads = 64: 64 MiB, before 4\.0 MiB' \
  "$run" diff crowd.db large.db --at n=500,threads=64
expect 0 '^No change: ' "$run" diff crowd.db crowd.db --at n=500,threads=64
exit $status
