#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The examples tell their story: the file manager that of delta-infer's section 3, cmark that of the demo.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
run=$SCALE_BUILD/bin/scale-run
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
[ -x "$SCALE_BUILD/bin/scale-cc" ] || exit 77
# A sanitized scale-run is fine here; a sanitized compiler plugin isn't built.
[ -e "$SCALE_BUILD/lib/scale/scale-pass.so" ] || exit 77

make -s -C "$root/examples/file-manager" SCALE_CXX="$SCALE_BUILD/bin/scale-c++" OUT="$work"
FILE_MANAGER=$work/file-manager "$run" run "$root/examples/file-manager/workload.xml" -o fm.db --quiet --no-report
"$run" report fm.db --format json >fm.json
FILE_MANAGER=$work/file-manager "$run" verify fm.db --at 5000 --json >fm.verify

"$root/.ci/debian-source" cmark 0.30.2 cmark
{ cmake -S cmark -B build -G Ninja -DCMAKE_C_COMPILER="$SCALE_BUILD/bin/scale-cc" \
    -DCMAKE_CXX_COMPILER="$SCALE_BUILD/bin/scale-c++" -DCMAKE_BUILD_TYPE=Release -DCMARK_TESTS=OFF -DCMARK_SHARED=OFF &&
  ninja -C build cmark_exe; } >cmark.log 2>&1 || { tail -n 30 cmark.log; exit 1; }
CMARK=$work/build/src/cmark
export CMARK
# Counted only: which of two quadratic loops takes more samples is a matter of what else the machine does.
for workload in ordered-list block-quote; do
  "$run" run "$root/examples/cmark/$workload.xml" --event none -o $workload.db --quiet --no-report
  "$run" report $workload.db --at 20000 --format json >$workload.json
  "$run" verify $workload.db --at 20000 --json >$workload.verify
done

python3 - <<'PYTHON'
import json, sys
faults = []

def load(name):
    with open(name) as stream:
        return json.load(stream)

def check(study, rank, what, kind, function, line, order):
    finding = load(study + ".json")["findings"][rank - 1]
    have = (finding["kind"], finding["line"], finding["model"]["order"]["exponent"], finding["model"]["order"]["log_exponent"])
    if have != (kind, line, order, 0) or function not in finding["function"]:
        faults.append(f"{study}, {what}: {finding['function']} {have}")
    for row in load(study + ".verify")["sizes"][0]["findings"]:
        if row["rank"] == rank and abs(row["predicted"]["value"] - row["actual"]) > 0.01 * row["actual"]:
            faults.append(f"{study}, {what}: predicted {row['predicted']['value']}, actual {row['actual']}")
        if row["rank"] == rank:
            break
    else:
        faults.append(f"{study}, {what}: not verified")

check("fm", 1, "each refresh scans all items", "loop", "selectedItems", 31, 2)
check("fm", 2, "the status bar is refreshed per item", "implicit", "onChanged", 13, 1)
check("ordered-list", 1, "list numbers are counted anew", "loop", "S_render_node", 233, 2)
check("block-quote", 1, "every line is matched against every block", "loop", "check_open_blocks", 896, 2)
if len(load("fm.json")["findings"]) != 2:
    faults.append("the file manager has other findings too")
print("\n".join(faults))
sys.exit(bool(faults))
PYTHON
