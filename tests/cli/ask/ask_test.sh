#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Questions about a program whose every count is known, from the compiler on: sizes, ranges, functions, resources, limits,
# a fix that is supposed and one that is made, plots.
. "$(dirname "$0")/../lib.sh"
need_compiler
columns=100
unset LC_ALL LC_CTYPE
export LANG=C.UTF-8
ask_json() { # file, arguments
  local file=$1
  shift
  "$run" ask "$@" --json >"$file" 2>err || { fault "ask $*"; cat err; }
}
cp "$here/shop.c" .
for fixed in "" FIXED; do
  compile -O2 -g -pthread ${fixed:+-D$fixed} -o "shop$fixed" shop.c
  "$run" run -P n=50,100,200,400,800 --at 2000 --event none --max-iterations 1 --no-report \
    -o "shop$fixed.db" -- "./shop$fixed" '{n}' >first 2>progress || { cat first progress; exit 1; }
done
mv shop.db scale.db

# One size: iterations of main's loops are 5 n, of scan n^2; calls are 3 n + n + n + n + 4.
expect 0 '^At n = 10,000: 100 million iterations and calls \(95% interval: (exactly|within 0.0*1%)\)' "$run" ask --at n=1e4
grep -qE '12.5 times the largest size measured \(800\): (predicted exactly|known to under .*); confidence high' out || { fault "no distance"; cat out; }
ask_json at.json --at 1e4
json at.json 'd["sizes"][0]["values"][0]["certainty"]["beyond_measured"] == 12.5'
json at.json 'd["sizes"][0]["total"]["high"] <= 1.00001 * d["sizes"][0]["total"]["value"]'

# Functions, by name, with callers, by place.
expect 0 '^At n = 1,000,000: .*scan' "$run" ask --function scan --at 1e6
grep -qE '^  scan \(shop\.c:[0-9]+:[0-9]+\) +1\.00 trillion +exactly +n\^2$' out || { fault "no loop of scan"; cat out; }
ask_json calls.json --of 'calls(count)' --at 1e6
json calls.json 'd["sizes"][0]["values"][0]["predicted"]["value"] == 3000001'
ask_json calls.json --of 'calls(rare > count)' --at 1e6
json calls.json 'd["sizes"][0]["values"][0]["predicted"]["value"] == 1'
ask_json function.json --function count --at 1e6
json function.json 'd["subject"]["contexts"] == 2 and [c["count"]["value"] for c in d["sizes"][0]["contexts"]] == [3e6, 1]'
# What readers see by one name is one row: of count, 3 n calls from a loop and one from elsewhere.
expect 0 '^  count \(shop\.c:[0-9]+\) +30,001 +exactly +2 contexts, n$' "$run" ask --at 1e4
[ "$(grep -c '^  count (' out)" = 1 ] || { fault "rows of one name"; cat out; }
expect 2 'did you mean "scan"' "$run" ask --function scna
expect 2 'no such way to a function' "$run" ask --function 'scan > main'
expect 2 'begins at shop.c:9999' "$run" ask --function shop.c:9999

# Ranges.
expect 0 '^ +5,000 +15,001 +exactly .*n\^1\.00 +exact' "$run" ask --sweep n=1e3..1e4 --of 'calls(count)'
ask_json sweep.json --sweep 1e3..1e6/4 --of 'iterations(scan)'
json sweep.json '[(s["n"], s["values"][0]["predicted"]["value"]) for s in d["sweep"]] == [(10**i, 10**(2*i)) for i in (3, 4, 5, 6)]'
expect 2 'not a range of sizes' "$run" ask --sweep 1000
expect 2 'ends before it begins' "$run" ask --sweep 1e6..1e3
expect 2 'the parameter is n, not threads' "$run" ask --sweep threads=1..8

# Limits: exact ones, where they are; never; already.
expect 0 '^1\.00 trillion iterations of scan .* is reached at n = 1,000,000 \(exactly\)' "$run" ask --limit 'iterations(scan)=1e12'
expect 0 'is reached at n = 333,334 \(exactly\)' "$run" ask --limit 'calls(count)=1,000,002'
expect 0 'is never reached, up to n = 1e\+18$' "$run" ask --limit 'calls(rare)=2'
expect 0 'is exceeded at n = 50 already' "$run" ask --limit 'calls(count)=10'
# 1,000 bytes kept and a pointer of 8 for each, and one pointer more: 64 MB at 63,492.
ask_json memory.json --limit memory=64MB
json memory.json 'abs(d["limits"][0]["n"]["value"] - 63492) < 700'
expect 0 '64 MiB' "$run" ask --limit memory=64MiB
ask_json acquires.json --limit 'acquires(ledger)=1e6' --limit 'peak(heap)=1GiB'
json acquires.json 'abs(d["limits"][0]["n"]["value"] - 1e6) < 1 and len(d["limits"]) == 2'
ask_json acquires.json --resource ledger --limit acquires=1e6
json acquires.json 'abs(d["limits"][0]["n"]["value"] - 1e6) < 1'
expect 2 "this study's costs are in iterations, not time" "$run" ask --limit time=1s
expect 2 'is not an amount of memory' "$run" ask --limit memory=4XB
expect 2 'acquires of which resource' "$run" ask --limit acquires=5
expect 2 'did you mean "ledger"' "$run" ask --limit 'acquires(legder)=5'
expect 2 'no metric colour' "$run" ask --limit colour=3
expect 2 'did you mean "calls"' "$run" ask --limit 'cals(scan)=3'
expect 0 '^1 call of rare ' "$run" ask --limit 'calls(rare)=1'
expect 0 '^1\.0 GiB peak outstanding of heap is reached at ' "$run" ask --limit 'memory(heap)=1GiB'

# A fix that is supposed costs what the one costs that was made: 50 steps an order, as at n = 50.
ask_json supposed.json --suppose scan=n --at 2000
ask_json fixed.json shopFIXED.db --at 2000
python3 - <<'PY' || fault "what is supposed is not what the fixed program does"
import json
supposed, fixed = (json.load(open(f)) for f in ("supposed.json", "fixed.json"))
after = supposed["suppose"]["sizes"][0]["after"]["value"]
made = fixed["sizes"][0]["total"]["value"]
before = supposed["suppose"]["sizes"][0]["before"]["value"]
assert abs(after - made) < 1e-4 * made, (after, made) # what is printed is of another length
assert before > 20 * after
PY
expect 0 '^Suppose scan=constant per call$' "$run" ask --suppose 'scan=constant per call' --at 2000
ask_json per_call.json --suppose 'scan=constant per call' --at 2000
python3 - <<'PY' || fault "constant in each call is n in all"
import json
one, other = (json.load(open(f))["suppose"]["sizes"][0]["after"]["value"] for f in ("supposed.json", "per_call.json"))
assert abs(one - other) < 1e-9 * one, (one, other)
PY
ask_json half.json --suppose scan=0.5x --suppose 'count=2x' --at 2000 --limit iterations=1e9
json half.json 'len(d["suppose"]["suppositions"]) == 2'
json half.json 'd["limits"][0]["supposed"]["n"]["value"] > d["limits"][0]["n"]["value"]'
json half.json 'd["suppose"]["worst"]["context"]["function"] == "scan"'
expect 2 'without it how often it is executed' "$run" ask --suppose 'count=log n per call'
expect 2 'is not an order of growth' "$run" ask --suppose scan=fast
expect 2 'did you mean "scan"' "$run" ask --suppose scna=n
expect 2 'not resources' "$run" ask --resource ledger --suppose scan=n

# Plots: in both alphabets, without colour; a picture that is well-formed and needs nothing else.
expect 0 '● measured' "$run" ask --sweep 1e2..1e6 --plot
grep -q '━ sizes measured (50 to 800)' out || { fault "no sizes measured"; cat out; }
LANG=C expect 0 '^  o measured  \* model' "$run" ask --plot --limit iterations=1e10
LC_ALL=C grep -qP '[^\x00-\x7F]' out && { fault "not ASCII"; cat out; }
"$run" ask --plot --of 'acquires(ledger)' >out 2>err || { fault "plot of a resource"; cat err; }
NO_COLOR=1 TERM=xterm script -qec "$run ask --plot" /dev/null 2>/dev/null | grep -q $'\033' && fault "colours in spite of NO_COLOR"
expect 0 . "$run" ask --svg total.svg --limit iterations=1e8 --suppose scan=n
if command -v xmllint >/dev/null; then
  xmllint --noout --nonet total.svg || fault "the picture is not well-formed"
fi
python3 - <<'PY' || fault "the picture is not what it should be"
import re
import xml.etree.ElementTree as tree
text = open("total.svg", encoding="utf-8").read()
root = tree.fromstring(text)
ns = "{http://www.w3.org/2000/svg}"
assert root.tag == ns + "svg" and root.get("role") == "img"
assert root.find(ns + "title").text == "Iterations and calls over n"
description = root.find(ns + "desc").text
assert "Measured at n = 50 to 800" in description and "Limit: 100 million" in description, description
classes = [e.get("class") for e in root.iter() if e.get("class")]
for wanted in ("measured", "model", "supposed", "band", "target", "limit", "reached"):
    assert wanted in classes, wanted
assert len([e for e in root.iter(ns + "circle") if e.get("class") == "measured"]) >= 5
assert "prefers-color-scheme:dark" in text
assert not re.search(r"(href|src|url\(|@import)", text)
assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]
PY
expect 2 'cannot be written' "$run" ask --svg nowhere/total.svg
! "$run" ask --svg nowhere/total.svg 2>&1 | grep -e '-o' || fault "the hint names an option that is none of ask"
[ ! -e nowhere ] || fault "a folder came into being"

# Every answer keeps to the schema.
ask_json everything.json --at 2000,1e6 --sweep 1e3..1e5 --limit iterations=1e9 --limit 'calls(rare)=2' --suppose scan=n --plot
ask_json resource.json --resource ledger --at 2000 --limit acquires=1e4 --plot
"$run" verify -q --at 1600 --json >verify.json 2>err || { fault "verify"; cat err; }
"$run" blame heap --json >blame.json 2>err || rm -f blame.json
"$run" doctor --json >doctor.json 2>err
ask_json verified.json --plot
json verified.json '[p["value"] == 1600 * 1600 for p in d["plot"]["measured"] if not p["fitted"]] == [False]'
valid answers ./*.json

# Sizes may stand alone; nothing asked is asked about the targets, or ten times the largest size. A study is needed.
"$run" ask --at n=2000 --json >size.json && "$run" ask 2000 --json >alone.json && "$run" ask n=2000 --json >named.json ||
  fault "a size alone"
cmp -s size.json alone.json && cmp -s size.json named.json || fault "a size alone is another question"
"$run" ask >out 2>err || { fault "nothing asked"; cat err; }
grep -q 'n = [0-9]' out || { fault "nothing asked is not answered"; cat out; }
expect 2 'no study gone.db' "$run" ask gone.db --at 5
expect 2 'the parameter is n, not threads' "$run" ask --at n=1e6,threads=64
grep -q 'scale-run run -P n=LOW..HIGH -P threads=1,2,4,8' err || { fault "nothing on how to vary threads"; cat err; }
expect 2 'two questions' "$run" ask --function scan --resource ledger
exit $status
