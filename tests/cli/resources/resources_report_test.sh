#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What reports, questions and exit statuses say of a lock that will be used up, from the compiler on.
. "$(dirname "$0")/lib.sh"

# Its threads share locks, so that no size is run only once.
for n in 400 800 1,600 3,200 6,400; do
  grep -q "n = $n (repeat 3 of 3)" progress || { fault "n = $n was not run three times"; cat progress; }
done

grep -qE '^[12]\. (order|index)_lock \(crowd\.c:[0-9]+\): mutex, contention' first ||
  { fault "the end of run says nothing of a lock"; cat first; }
grep -qE '^      scale-run blame (order|index)_lock$' first || { fault "the end of run leads to no resource"; cat first; }

expect 0 'order_lock \(crowd\.c:[0-9]+\): mutex, contention' "$run" report
grep -qE '^     utilisation +[0-9.]+% +51,200 +' out || { fault "no numbers"; cat out; }
grep -qE 'Holds +.*: get \(crowd\.c:[0-9]+\)' out || { fault "nobody holds"; cat out; }
grep -qE '^  (order|index)_lock \(crowd\.c:[0-9]+\) +mutex ' out || { fault "no table of resources"; cat out; }
awk 'length > 100 { print; exit 1 }' out || fault "the report is wider than 100 columns"
expect 0 '^  threads ' "$run" report --resources
expect 1 . "$run" report --fail-on resource
expect 1 . "$run" report --fail-on warning
expect 1 . "$run" report --fail-on any
expect 0 . "$run" report --fail-on none

expect 0 '"resources"' "$run" report --format json
valid report out
json out '{"order_lock", "index_lock"} <= {r["name"] for r in d["resources"]["list"]}'
json out 'd["resources"]["kind"] == "data" and d["resources"]["discarded"] == []'
json out 'any(f["rule"] == "contention" and f["resource"]["name"] == "order_lock" for f in d["resources"]["findings"])'
json out 'all(len(f["holds_measured"]) >= 5 and len(f["holds_predicted"]) == 1 for f in d["resources"]["findings"])'
json out 'any(s["role"] == "holds" and s["function"] == "get" and s["file"].endswith("crowd.c") and s["line"] > 0
  for f in d["resources"]["findings"] for s in f["sites"])'
python3 - <<'PY' || fault "findings about resources are not in the study"
import json, sqlite3, sys
findings = [json.loads(f[-1]) for f in sqlite3.connect("scale.db").execute("SELECT * FROM finding")]
sys.exit(not any(f["rule"] == "contention" for f in findings))
PY

expect 0 '"kind":.*"work"' "$run" report --kind work --format json
expect 0 'Tasks +.*rebuild' "$run" report --task rebuild --details
expect 0 'No function named serv ran' "$run" report --task serv
expect 2 'invalid --kind "users"' "$run" report --kind users

expect 0 'utilisation +[0-9.]+% +25,600 ' "$run" ask --resource index_lock --at 25600
expect 0 '^60% utilisation of index_lock .* is ' "$run" ask --resource index_lock --limit util=60%
expect 0 'schema_version' "$run" ask --resource index_lock --limit mean-hold=10ms --json
json out 'd["limits"][0]["metric"] == "mean hold time" and d["limits"][0]["value"] == 0.01 and "n" in d["limits"][0]'
expect 2 'no metric colour' "$run" ask --resource index_lock --limit colour=3
expect 2 'did you mean "index_lock"' "$run" ask --resource index_lcok

expect 0 '^ +total wait time ' "$run" verify -q --at 12800
grep -qE '^  order_lock \(crowd\.c:[0-9]+\) +acquires +80 ' out || { fault "predicted beside actual has no lock"; cat out; }
expect 0 '"resources"' "$run" verify -q --at 12800 --json
json out '[r["actual"] for r in d["sizes"][0]["resources"]
  if r["resource"]["name"] == "order_lock" and r["metric"] == "acquires"] == [80]'
exit $status
