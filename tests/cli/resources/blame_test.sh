#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Who waits for whom, and back to who does not wait: put for get, which waits for rebuild.
# Timed: waits are measured.
. "$(dirname "$0")/lib.sh"

expect 0 '^order_lock \(crowd\.c:[0-9]+\), mutex$' "$run" blame order_lock
grep -qE '^1\. [0-9.>]+%: put \(crowd\.c:[0-9]+\)$' out || { fault "put does not wait most"; cat out; }
grep -qE '^   waits for get \(crowd\.c:[0-9]+\)$' out || { fault "it does not wait for get"; cat out; }
grep -qE '^Predicted at n = 51,200: ' out || { fault "nothing is predicted"; cat out; }
grep -qE '^2\. get \(crowd\.c:[0-9]+\) itself waits, in find \(crowd\.c:[0-9]+\),' out || { fault "no second step"; cat out; }
grep -qE '^=> rebuild \(crowd\.c:[0-9]+\), in compact > rebuild is not itself waiting' out || { fault "no culprit"; cat out; }
tr -s '\n ' ' ' <out | grep -q 'above all it holds longer' || { fault "no comparison of sizes"; cat out; }
awk 'length > 100 { print; exit 1 }' out || fault "blame is wider than 100 columns"

expect 0 '^=> rebuild ' "$run" blame index scale.db
expect 0 '^Who waits for whom' "$run" blame
expect 0 '^Who waits for whom' "$run" blame scale.db
expect 0 'Predicted at n = 20,000: ' "$run" blame order_lock --at 2e4,3e4
grep -qE 'n = 30,000: ' out || { fault "the second target is not predicted"; cat out; }
expect 2 'can mean 2 resources' "$run" blame _lock
expect 2 'did you mean "order_lock"' "$run" blame order_lokc
expect 2 'unexpected argument' "$run" blame a b c
expect 2 'there is no study missing.db' "$run" blame order_lock missing.db

expect 0 '"chain"' "$run" blame order_lock --format json
json out 'd["document"] == "blame" and d["end"] == "holder" and d["chain"][-1]["holder"]["function"] == "rebuild"'
json out '0.9 < sum(e["share"] for e in d["edges"]) < 1.001 and len(d["predictions"]) == 1'
json out 'd["waits"]["largest"]["seconds"] > 0 and d["smallest"] == 400 and d["largest"] >= 6400'

# Both are contended: the one that its holder waits for comes first, and the other one says so.
expect 0 '^1\. index_lock ' "$run" report --resources
expect 0 '^2\. order_lock ' "$run" report --resources
tr -s '\n ' ' ' <out | grep -qE 'Change index_lock \(crowd\.c:[0-9]+\) first, for it is the cause: while this one is held its holder waits [0-9]+% of the time for index_lock \(crowd\.c:[0-9]+\), in find \(crowd\.c:[0-9]+\)' ||
  { fault "the cause is not named"; cat out; }
expect 0 '' "$run" report --format json
json out 'next(f for f in d["resources"]["findings"] if f["resource"]["name"] == "order_lock")["nested"][0]["resource"]["name"] == "index_lock"'
for format in markdown sarif gitlab; do
  "$run" report --format $format >out 2>err
  tr -s '\n ' ' ' <out | grep -qE 'first, for it is the cause' || { fault "report --format $format does not name the cause"; cat out err; }
done

expect 0 '^digraph blame \{$' "$run" blame order_lock --format dot
grep -qE 'label="compact\\nrebuild \(crowd\.c:[0-9]+\)"' out || { fault "rebuild is no node"; cat out; }
if command -v dot >/dev/null; then
  dot -Tsvg out >picture.svg 2>err && grep -q '</svg>' picture.svg || { fault "Graphviz refuses it"; cat out err; }
fi
exit $status
