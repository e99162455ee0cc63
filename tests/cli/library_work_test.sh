#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Quadratic work that the C or C++ library does is found in runs of milliseconds: named by the library's function and the
# user's line, with exact counts. Twins that do the same in linear time raise no alarm.
. "$(dirname "$0")/lib.sh"
need_compiler
source=$here/../programs/complexity/library.cpp
"$SCALE_BUILD/bin/scale-c++" -O2 -std=c++17 -o library "$source" || exit 1
study() { # case
  rm -f study.db
  "$run" run -P n=100..3200 --at 12800 -o study.db --quiet --no-report -- ./library "$1" '{n}' >log 2>&1 ||
    { fault "$1: run"; cat log; }
  "$run" report study.db --format json >report.json
}
bad() { # case, the library's function, its name in profiles
  study "$1"
  rm -rf profiles
  SCALE_PROFILE_DIR=profiles ./library "$1" 12800 >/dev/null
  "$run" dump --totals profiles/*.scprof >totals
  line=$(grep -nF "// $1" "$source" | tail -n 1 | cut -d: -f1)
  python3 - "$1" "$line" "$2" "${3:-$2}" <<'PYTHON' || status=1
import json, sys
case, line, function, linkage = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
findings = json.load(open("report.json"))["findings"]
found = [f for f in findings if f["rule"] == "library-work" and f["subject"]["line"] == line and function in json.dumps(f)]
if not found or round(found[0]["model"]["order"]["exponent"], 2) != 2:
    print(f"FAULT: {case}: expected quadratic work of {function} at line {line}, got",
          [(f["rule"], f["subject"], f["model"]["formula"]) for f in findings])
    sys.exit(1)
rows = [row.rstrip("\n").split("\t") for row in open("totals")]
actual = max(int(row[5]) for row in rows if row[0] == "work" and row[1] == linkage)
predicted = found[0]["predictions"][-1]["count"]["value"]
if abs(predicted - actual) > 1e-3 * actual:
    print(f"FAULT: {case}: {predicted} bytes predicted, it was {actual}")
    sys.exit(1)
PYTHON
}
benign() {
  study "$1_twin"
  python3 - "$1" <<'PYTHON' || status=1
import json, sys
alarms = [f for f in json.load(open("report.json"))["findings"] if f["model"]["order"]["exponent"] > 1.2]
for f in alarms:
    print(f"FAULT: {sys.argv[1]}_twin: wrong alarm", f["rule"], f["line"], f["model"]["formula"])
sys.exit(bool(alarms))
PYTHON
  "$run" report study.db --fail-on superlinear >out 2>&1 || { echo "FAULT: $1_twin: --fail-on superlinear"; cat out; status=1; }
}
bad concatenate strcat
bad spaces strlen
bad scan sscanf
bad serve vector::erase memmove
"$run" report study.db | tr -s ' \n' ' ' >out
for text in 'vector::erase -> memmove from serve (library.cpp:' 'For each of the n iterations, vector::erase goes over'; do
  grep -qF "$text" out || { echo "FAULT: serve: no '$text'"; cat out; status=1; }
done
bad shift memmove
bad append 'operator+' memcpy
bad grow memcpy
bad split strcpy
bad seek memchr
# Where each call does as much as before and there are more of them, the loop is to blame.
study lines
python3 - "$(grep -nF '// lines' "$source" | cut -d: -f1)" <<'PYTHON' || status=1
import json, sys
first = json.load(open("report.json"))["findings"][0]
if (first["rule"], first["line"]) != ("superlinear-loop", int(sys.argv[1])):
    print("FAULT: lines: expected the loop first, got", first["rule"], first["line"])
    sys.exit(1)
PYTHON
for name in concatenate spaces scan serve shift append grow split seek lines; do
  benign $name
done
exit $status
