#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Pathological programs are found, at the right line; benign twins that look like them raise no alarm, whatever the sizes
# that validation happens to draw.
# Timed: waits and times are measured.
. "$(dirname "$0")/lib.sh"
need_compiler
source=$here/../programs/complexity/twins.cpp
"$SCALE_BUILD/bin/scale-c++" -O2 -std=c++17 -o twins "$source" || exit 1
study() { # case, range, seed
  rm -f study.db
  "$run" run -P "n=$2" --at 1000000 --seed "$3" -o study.db --quiet --no-report -- ./twins "$1" '{n}' >log 2>&1 ||
    { fault "$1: run"; cat log; }
  "$run" report study.db --format json >report.json
}
bad() { # case, function, text of the innermost loop's first line
  study "$1" 100..1600 1
  line=$(grep -nF "$2" "$source" | head -n 1 | cut -d: -f1)
  python3 - "$1" "$line" <<'PYTHON' || status=1
import json, sys
findings = json.load(open("report.json"))["findings"]
first = findings[0] if findings else None
if not first or first["line"] != int(sys.argv[2]) or round(first["model"]["order"]["exponent"], 2) != 2:
    print(f"FAULT: {sys.argv[1]}: expected a quadratic loop at line {sys.argv[2]} first, got",
          first and (first["function"], first["line"], first["model"]["formula"]))
    sys.exit(1)
PYTHON
}
benign() {
  for seed in 1 2 3; do
    study "$1" 1000..16000 $seed
    python3 - "$1" $seed <<'PYTHON' || status=1
import json, sys
report = json.load(open("report.json"))
alarms = [f for f in report["findings"] if f["model"]["order"]["exponent"] > 1.2]
for f in alarms:
    print(f"FAULT: {sys.argv[1]} seed {sys.argv[2]}: wrong alarm", f["function"], f["line"], f["model"]["formula"])
resources = [f for f in (report["resources"] or {"findings": []})["findings"] if f["severity"] in ("warning", "error")]
for f in resources:
    print(f"FAULT: {sys.argv[1]} seed {sys.argv[2]}: wrong alarm about resources", f["rule"], f["evidence"])
sys.exit(bool(alarms or resources))
PYTHON
  done
}
bad duplicates_pairs 'for (int j = 0; j < i; j++)'
bad words_list 'for (; at != seen.end(); ++at)'
bad queue_shift 'for (std::size_t i = 1; i < q.size(); i++)'
bad tree_degenerate 'while (*at)'
for name in duplicates_sorted words_map words_hash queue_heap components median windows; do
  benign $name
done
exit $status
