#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scale-run fit: four input formats with the same measurements, three output formats, and what it says to mistakes.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || exit 77
# refuse PATTERN HINT COMMAND...: status 2, nothing on stdout, one error that matches, one hint.
refuse() {
  local pattern=$1 hint=$2
  shift 2
  "$@" >out 2>err </dev/null
  [ $? = 2 ] || fault "exit status is not 2: $*"
  [ -s out ] && fault "something was printed: $*"
  grep -qE -- "^scale-run: error: .*$pattern" err || { fault "no /$pattern/: $*"; cat err; }
  [ "$(grep -c '^scale-run: ' err)" = 1 ] || fault "not one message: $*"
  grep -qE -- "^hint: .*$hint" err || { fault "no hint /$hint/: $*"; cat err; }
}

# Two series in each format: n(n-1)/2 in two equal repeats, and 3n + 17.
python3 - <<'PY'
import json
sizes = [10, 20, 40, 80, 160]
sort, scan = [n * (n - 1) // 2 for n in sizes], [3 * n + 17 for n in sizes]
with open("points.jsonl", "w") as out:
    for n, y in zip(sizes, sort):
        print(json.dumps({"params": {"n": n}, "callpath": "main->sort", "metric": "calls", "value": [y, y]}), file=out)
    for n, y in zip(sizes, scan):
        print(json.dumps({"value": y, "metric": "calls", "callpath": "main->scan", "params": {"n": n}}), file=out)
with open("points.txt", "w") as out:
    print("# Extra-P\nPARAMETER n\nPOINTS", *sizes, "\nMETRIC calls\nREGION main->sort", file=out)
    for y in sort: print("DATA", y, y, file=out)
    print("REGION main->scan", file=out)
    for y in scan: print("DATA", y, file=out)
with open("points.csv", "w") as out:
    print("callpath,n,metric,value", file=out)
    for n, y in zip(sizes, sort): print(f"main->sort,{n},calls,{y}\nmain->sort,{n},calls,{y}", file=out)
    for n, y in zip(sizes, scan): print(f'"main->scan", {n}, calls, {y}', file=out)
rows = []
for name, counts in ("main->sort", sort), ("main->scan", scan):
    for n, y in zip(sizes, counts):
        rows.append({"name": f"{name}/{n}/threads:1", "run_type": "iteration", "threads": 1, "iterations": 9,
                     "real_time": 2 * n, "cpu_time": 2000 * n, "time_unit": "us", "calls": y})
    rows.append({"name": f"{name}_BigO", "run_type": "aggregate", "aggregate_name": "BigO", "cpu_coefficient": 1, "big_o": "N"})
json.dump({"context": {"caches": [{"size": 1}]}, "benchmarks": rows}, open("points.json", "w"), indent=2)
PY
want='main->sort 0.5 \* n^2 - 0.5 \* n 2 0 1279200 1279200 1279200
main->scan 3 \* n + 17 1 0 4817 4817 4817'
show='import json,sys
for line in sys.stdin:
    o = json.loads(line)
    if o["metric"] != "calls": continue
    p = o["predictions"][0]
    print(o["callpath"], o["model"].replace("*", "\\*"), o["order"]["n"], o["order"]["log"], p["value"], p["low"], p["high"])'
for file in points.jsonl points.txt points.csv points.json; do
  "$run" fit "$file" --at 1600 --format jsonl >out 2>err || fault "$file: $(cat err)"
  [ "$(python3 -c "$show" <out)" = "$want" ] || { fault "$file: other models"; cat out; }
  "$run" fit - --at 10x --format jsonl <"$file" >piped || fault "$file on standard input"
  cmp -s out piped || fault "$file: standard input, or 10x, makes a difference"
done
"$run" fit --at 1600 --format jsonl <points.jsonl | cmp -s - piped && fault "a benchmark's times are missing"
grep -q '"metric": "cpu_time", "unit": "s"' piped || fault "no unit of a benchmark's time"
python3 - <<'PY' || fault "times of a benchmark are not in seconds"
import json
for line in open("piped"):
    o = json.loads(line)
    if o["metric"] == "real_time":
        assert abs(o["predictions"][0]["value"] - 2e-6 * 1600) < 1e-9, o
        assert o["parameters"]["threads"] == {"min": 1, "max": 1}
        assert o["predictions"][0]["at"] == {"n": 1600, "threads": 1}
        assert not o["fit"]["counts"]
PY

# json is one document; text fits 100 columns; several files are one input, in any order of points.
"$run" fit points.jsonl --at 1600 --json | python3 -c 'import json,sys
o = json.load(sys.stdin)
assert o["schema_version"] == 1 and o["level"] == 0.95 and o["generator"]["name"] == "scale-run" and len(o["series"]) == 2, o
assert o["series"][0]["fit"] == {"points": 5, "observations": 10, "counts": True, "exact": True, "error": 0, "fit_error": 0, "r2": 1}, o' ||
  fault "--json"
"$run" fit points.jsonl --at 1600,1e9 >out || fault "text"
grep -qE '^main->sort, calls +0.5 n\^2 - 0.5 n +exact +1,600 +1.28 million +exactly$' out || { fault "text"; cat out; }
awk 'length > 100 { exit 1 }' out || fault "text is wider than 100 columns"
# Times have units that suit them in formulas and predictions, whatever the input's; counts have none.
"$run" fit points.json --at 1e9 >out || fault "text of a benchmark"
grep -qE '^main->scan, real_time +2 us n +<0.1%$' out || { fault "a benchmark's times have no unit"; cat out; }
printf 'n,time (ms),user_us,items\n%s' "$(for n in 100 200 400 800 1600; do echo "$n,$n,$((n * 7)),$((n * 3))"; done)" >units.csv
"$run" fit units.csv --at 1e6 >out || fault "units in a heading"
for row in 'time +1 ms n .*  17 min ' 'user_us +7 us n .*  7.0 s ' 'items .*  3.00 million '; do
  grep -qE "^<root>, $row" out || { fault "no row like $row"; cat out; }
done
"$run" fit units.csv --at 1e6 --format jsonl | grep -q '"metric": "time", "unit": "ms"' || fault "no unit of a column"
# Three digits, for rivals too; JSON has them all.
printf 'n,time_ns\n%s' "$(python3 -c 'import math
for n in (100, 200, 400, 800, 1600, 3200): print(f"{n},{5.0812345 * n * math.log2(n) + 664.123}")')" >digits.csv
"$run" fit digits.csv --at 1e6 >out || fault "a series of nanoseconds"
grep -qE '^<root>, time_ns +5\.08 ns n log2\(n\) \+ 664 ns ' out || { fault "not three digits and units"; cat out; }
grep -qE '[0-9.]{6}' <(cut -c1-60 out) && { fault "too many digits"; cat out; }
"$run" fit digits.csv --at 1e6 --format jsonl | grep -qE '"model": "5\.081234[0-9]* \* n \* log2\(n\) .*\+ 664\.1' ||
  fault "JSON has not all digits"
sort -R points.jsonl >mixed.jsonl
head -n 4 mixed.jsonl >one.jsonl
tail -n +5 mixed.jsonl >two.jsonl
"$run" fit one.jsonl two.jsonl --at 1600 --format jsonl | sort >out
"$run" fit points.jsonl --at 1600 --format jsonl | sort >piped
cmp -s out piped || fault "the order of points makes a difference"

# What it writes for Extra-P it reads, and is what it was.
"$run" fit points.txt --format extra-p >out || fault "extra-p"
python3 -c 'import json,sys
a, b = ([json.loads(l) for l in open(f)] for f in ("out", "points.jsonl"))
for p in b: p["value"] = p["value"] if isinstance(p["value"], list) else [p["value"]]
assert a == b' || fault "extra-p: other measurements"
"$run" fit out --format extra-p | cmp -s - out || fault "extra-p twice"

# Formulas are what the page says: the values they give are the values predicted, below and above the sizes measured.
python3 - >shapes.jsonl <<'PY'
import json, math, random
random.seed(7)
shapes = {
    "log": lambda n: 5 * math.log2(n) + 3, "nlogn": lambda n: 0.3 * n * math.log2(n), "power": lambda n: 2 * n ** 1.37,
    "sum": lambda n: 0.01 * n * n + 3 * n, "quotient": lambda n: n * n / math.log2(n), "exponential": lambda n: 1.01 ** n,
    "ceil": lambda n: n * math.ceil(math.log2(n)), "limit": lambda n: min(n, 300), "root": lambda n: 7 * n ** 0.5 + 2,
    "broken": lambda n: 5 * n if n < 300 else n * n / 60, "blocks": lambda n: math.ceil(n / 64),
    "doubling": lambda n: 2 ** math.ceil(math.log2(n)), "saturating": lambda n: 900 * n / (n + 250)}
for name, f in shapes.items():
    for noise in (0, 0.01):
        for n in (20, 31, 57, 100, 160, 270, 453, 700, 1280, 2000):
            y = [f(n) * (1 + random.gauss(0, noise)) for _ in range(3 if noise else 1)]
            print(json.dumps({"params": {"size": n}, "callpath": f"{name} {noise}", "metric": "m", "value": y}))
PY
"$run" fit shapes.jsonl --at 25,333,1000,1999,50000 --format jsonl >out || fault "shapes"
python3 - <<'PY' || fault "a formula does not give the value predicted"
import json, math
functions = {"log2": math.log2, "ceil": math.ceil, "floor": math.floor, "sqrt": math.sqrt, "exp": math.exp,
             "where": lambda condition, then, otherwise: then if condition else otherwise}
count = 0
for line in open("out"):
    o = json.loads(line)
    if o["model"] is None:
        continue
    for p in o["predictions"]:
        try:
            value = max(0, eval(o["model"].replace("^", "**"), functions | {"size": p["at"]}))
        except OverflowError:
            continue
        assert abs(value - p["value"]) <= 1e-8 * abs(value) + 1e-300, (o["callpath"], o["model"], p, value)
        assert p["low"] <= p["value"] <= p["high"]
        count += 1
assert count >= 100, count
PY

# Several parameters; a parameter of one size; a name that formulas cannot have.
python3 - >several.csv <<'PY'
print("problem size,threads,kind,ops,label")
for n in 100, 200, 400, 800, 1600:
    for t in 1, 2, 4, 8, 16:
        print(f"{n},{t},1,{n * t + 3 * n},")
PY
refuse 'which columns are parameters is undecided' '--parameters' "$run" fit <(sed 's/threads/t/' several.csv)
"$run" fit several.csv --parameters 'problem size,threads,kind' --at 'problem size=1e6,threads=32,64' --format jsonl >out ||
  fault "several parameters"
grep -q '"model": "problem_size \* threads + 3 \* problem_size"' out || { fault "several parameters"; cat out; }
grep -q '"at": {"problem size": 1000000, "threads": 64, "kind": 1}, "value": 67000000, "low": 67000000' out ||
  { fault "combinations of --at"; cat out; }
"$run" fit several.csv --parameters 'problem size,threads,kind' --at 'problem size=1e6,threads=32,kind=2' --format jsonl |
  grep -q '"value": null, "low": 0, "high": 1.7976931348623157e+308}' ||
  fault "nothing is known of a kind that was not measured"
refuse 'varies threads, but --at' 'problem size=SIZE,threads=SIZE' \
  "$run" fit several.csv --parameters 'problem size,threads,kind' --at 'problem size=1e6'
refuse 'no series has a parameter m$' 'problem size, threads, kind' \
  "$run" fit several.csv --parameters 'problem size,threads,kind' --at m=5

python3 - >noisy.csv <<'PY'
import math, random
random.seed(3)
print("n,threads,callpath,time,wait")
for n in 100, 200, 400, 800, 1600:
    for t in 1, 2, 4, 8, 16:
        noise = 1 + random.gauss(0, 0.01)
        print(f"{n},{t},f,{(1e-6 * n * n / t + 1e-3 * t) * noise},{2 * n * math.log2(n) * t * noise}")
PY
"$run" fit noisy.csv --at n=300,5000,threads=3,32 --format jsonl >out || fault "noisy.csv"
python3 - <<'PY' || { fault "a formula of two parameters does not give the value predicted"; cat out; }
import json, math
functions = {"log2": math.log2, "ceil": math.ceil, "floor": math.floor, "sqrt": math.sqrt, "exp": math.exp}
for line in open("out"):
    o = json.loads(line)
    assert o["verdict"] == "model" and len(o["predictions"]) == 4 and list(o["order"]) == ["n", "threads"], o
    for p in o["predictions"]:
        value = eval(o["model"].replace("^", "**"), functions | p["at"])
        n, t = p["at"]["n"], p["at"]["threads"]
        truth = 1e-6 * n * n / t + 1e-3 * t if o["metric"] == "time" else 2 * n * math.log2(n) * t
        assert abs(value - p["value"]) <= 1e-8 * value and abs(value - truth) < 0.1 * truth, (o, p, value, truth)
PY

"$run" fit noisy.csv --at n=5000,threads=32 >out
grep -qE '^  at n=5,000 threads=32 +[0-9.]+ \([0-9.]+ to [0-9.]+\)$' out || { fault "text of two parameters"; cat out; }
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then # not without pseudo-terminals
  TERM=xterm timeout 60 script -qec "stty cols 70; $run fit points.jsonl noisy.csv --at n=1e9,threads=1" /dev/null \
    </dev/null | tr -d '\r' | sed 's/\x1b\[[0-9]*m//g' >out
  grep -q '^  at 1,000,000,000 .*(exactly)$' out || { fault "text on a terminal"; cat out; }
  awk 'length > 70 { exit 1 }' out || { fault "text is wider than the terminal"; cat out; }
fi

# Options of the engine.
"$run" fit points.jsonl --models delta-infer --format jsonl | grep -q '"model": "0.4' || fault "--models delta-infer"
"$run" fit shapes.jsonl --at 5e4 --interval 50% --format jsonl >narrow
"$run" fit shapes.jsonl --at 5e4 --interval 0.99 --format jsonl >wide
python3 -c 'import json
w = [sum(min(p["high"], 1e30) - p["low"] for p in json.loads(l)["predictions"]) for f in ("narrow", "wide") for l in open(f)]
half = len(w) // 2
assert all(a <= b for a, b in zip(w, w[half:])) and any(a < b for a, b in zip(w, w[half:]))' || fault "--interval"
"$run" fit points.jsonl --counts no --format jsonl | grep -q '"counts": true' && fault "--counts no"
refuse 'series power 0, m: .* is not a count' '--counts' "$run" fit <(grep 'power 0"' shapes.jsonl) --counts yes
refuse 'varies 2 parameters; the models of delta-infer have one' 'leave out' \
  "$run" fit several.csv --parameters 'problem size,threads,kind' --models delta-infer
refuse '--interval must be below 1' '95%' "$run" fit points.jsonl --interval 1
refuse 'exclude each other' 'json' "$run" fit points.jsonl --json --format text
exit $status
