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
cat >validate.py <<'PY'
"""Holds a document to the part of JSON Schema that docs/report.schema.json uses."""
import json
import sys

schema, document = (json.load(open(path)) for path in sys.argv[1:])
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def is_type(value, name):
    if name in ("number", "integer"):
        return isinstance(value, (int, float)) and not isinstance(value, bool) and (name == "number" or value == int(value))
    return isinstance(value, TYPES[name])


def check(value, rule, path):
    if "$ref" in rule:
        return check(value, schema["$defs"][rule["$ref"].split("/")[-1]], path)
    if "anyOf" in rule:
        tries = [check(value, choice, path) for choice in rule["anyOf"]]
        return [] if [] in tries else min(tries, key=len)
    types = rule.get("type", [])
    if types and not any(is_type(value, t) for t in ([types] if isinstance(types, str) else types)):
        return [f"{path}: {value!r} is no {types}"]
    if "enum" in rule and value not in rule["enum"] or "const" in rule and value != rule["const"]:
        return [f"{path}: {value!r} is not allowed"]
    if is_type(value, "number") and not rule.get("minimum", value) <= value <= rule.get("maximum", value):
        return [f"{path}: {value} is out of range"]
    faults = []
    if isinstance(value, list):
        for i, item in enumerate(value):
            faults += check(item, rule.get("items", {}), f"{path}[{i}]")
    if isinstance(value, dict) and "properties" in rule:
        faults += [f"{path}: no {key}" for key in rule.get("required", []) if key not in value]
        for key, item in value.items():
            faults += check(item, rule["properties"][key], f"{path}.{key}") if key in rule["properties"] else [
                f"{path}: {key} is in no schema"]
    return faults


sys.exit("\n".join(check(document, schema, "report")[:10]) or 0)
PY
python3 validate.py "$here/../../../docs/report.schema.json" out || fault "the report breaks its schema"
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
