#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Quadratic growth that is spread over 150 places, each below 1%, is one finding in every output and fails the gate; its
# linear twin is silent.
. "$(dirname "$0")/lib.sh"
need_compiler
generate() { # number of functions, body of each: a program of that many functions, each called once by main
  echo '#include <stdlib.h>'
  echo 'volatile long sink;'
  for ((i = 0; i < $1; i++)); do
    printf 'static __attribute__((noinline)) void part%d(int n)\n{\n%s\n}\n' "$i" "$2"
  done
  echo 'int main(int argc, char **argv)'
  echo '{'
  echo '  int n = atoi(argv[1]);'
  for ((i = 0; i < $1; i++)); do echo "  part$i(n);"; done
  echo '  return 0;'
  echo '}'
}
study() { # name, number of functions, body
  generate "$2" "$3" >many.c
  "$cc" -O1 -g -o "$1" many.c || exit 1
  "$run" run -P n=10..160 --event none --quiet --no-report -o "$1.db" -- "./$1" '{n}' >log 2>&1 ||
    { fault "run $1"; cat log; }
}
double='  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sink += i ^ j;'
single='  for (int i = 0; i < n; i++)
    sink += i;'
study quadratic 150 "$double"
study linear 150 "$single"

columns=100
expect 1 '^1. 150 places in many.c: quadratic together, 150 n\^2 executions' \
  "$run" report quadratic.db --at n=100000 --fail-on superlinear
head -1 out | grep -q '^Superlinear growth: 1 finding, 150 places in many.c' || fault 'the verdict is not the first line'
[ "$(grep -c 'of the cost: part' out)" = 3 ] || fault 'not the three worst places'
expect 0 'places in many.c' "$run" report quadratic.db --at n=100000 --details
grep -q '100% of the cost\|all called by main' out || fault 'no common caller'
[ "$(grep -c 'of the cost: part' out)" = 150 ] || fault '--details does not list every place'
expect 0 '^(No superlinear growth found .counts exact|No superlinear growth found in counts .exact|Undecided: no count grows superlinearly)' "$run" report linear.db --at n=100000 --fail-on superlinear
columns=1000000

"$run" report quadratic.db --at n=100000 --json >report.json
json report.json 'len(d["findings"]) == 1 and d["findings"][0]["rule"] == "spread-growth"'
json report.json 'd["findings"][0]["kind"] == "spread" and d["findings"][0]["superlinear"]'
json report.json 'd["findings"][0]["spread"]["places"] == 150 and len(d["findings"][0]["sites"]) == 100'
json report.json 'd["findings"][0]["sites_left_out"] == 50'
"$run" report quadratic.db --at n=100000 --json --all >all.json
json all.json 'len(d["findings"][0]["sites"]) == 150 and "sites_left_out" not in d["findings"][0]'
json report.json 'd["findings"][0]["spread"]["callers"] == [{"name": "main", "places": 150, "share": d["findings"][0]["spread"]["callers"][0]["share"]}]'
valid report report.json
json report.json 'd["findings"][0]["model"]["order"]["exponent"] == 2 and d["findings"][0]["predictions"][0]["share"] > 0.99'

for format in markdown junit github gitlab sarif; do
  expect 1 '150 places in many.c' "$run" report quadratic.db --at n=100000 --format $format --fail-on superlinear
  expect 0 . "$run" report linear.db --at n=100000 --format $format --fail-on superlinear
  grep -q spread-growth\".*many.c out && fault "$format tells of a spread in the linear twin"
done
expect 0 '^- Places: part[0-9].*, …$' "$run" report quadratic.db --at n=100000 --format markdown
"$run" report quadratic.db --at n=100000 --format sarif >report.sarif
json report.sarif 'd["runs"][0]["results"][0]["locations"][0]["logicalLocations"] == [{"name": "many.c"}]'
json report.sarif 'len(d["runs"][0]["results"][0]["relatedLocations"]) == 100 and "codeFlows" not in d["runs"][0]["results"][0]'
"$run" report quadratic.db --at n=100000 --format html -o report.html || fault 'html'
PYTHONPATH=$here/page python3 - <<'PYTHON' || fault 'the page does not tell of it'
import data, sys
finding, = data.combination(data.read("report.html"))["head"]["findings"]
sys.exit(finding["spread"]["title"] != "150 places in many.c" or finding["site_count"] != 150)
PYTHON
expect 0 '150 places in many.c, n\^2' "$run" ask quadratic.db --at n=100000 --suppose 'part1=n'

# What is accepted stays so when a place is added.
print() { "$run" report "$1" --at n=100000 --format gitlab | python3 -c 'import json,sys; print(json.load(sys.stdin)[0]["fingerprint"])'; }
study more 151 "$double"
[ "$(print quadratic.db)" = "$(print more.db)" ] || fault 'another fingerprint with one place more'
echo 'spread-growth many.c until 2099-01-01: known' >accepted
expect 0 'Accepted *until 2099-01-01: known' \
  "$run" report more.db --at n=100000 --fail-on superlinear --accept accepted

# A change that adds them is one change; an unchanged program has no change.
expect 1 'part[0-9]+ and 149 more places: .*iterations quadratic; .*in 150 contexts \[new-cost\]' \
  "$run" diff linear.db quadratic.db --at n=100000 --fail-on order
expect 0 'No change' "$run" diff quadratic.db quadratic.db --at n=100000 --fail-on order
"$run" diff quadratic.db linear.db --at n=100000 --fail-on order >out 2>err || fault 'less growth fails the gate'

# An editor marks the places, not only the worst.
cat >editor.py <<'PYTHON'
import os, sys
sys.path.insert(0, sys.argv[1])
import client
server = client.Client(sys.argv[2], "lsp", "quadratic.db", cwd=os.getcwd())
server.request("initialize", rootUri="file://" + os.getcwd(), capabilities={})
server.notify("initialized")
uri = "file://" + os.path.realpath("many.c")
server.notify("textDocument/didOpen", textDocument={"uri": uri, "languageId": "c", "version": 1, "text": open("many.c").read()})
found = server.wait_for("textDocument/publishDiagnostics")["diagnostics"]
lines = {d["range"]["start"]["line"] for d in found if d["code"] == "spread-growth"}
assert len(lines) == 150, (len(lines), found[:2])
assert sum(d["message"].startswith("One of many places, worst at ") for d in found) == 149, found[:2]
PYTHON
generate 150 "$double" >many.c
python3 editor.py "$here/lsp" "$run" >out 2>&1 || { fault 'the editor'; cat out; }
exit $status
