#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Quadratic work of the C and C++ libraries is named by the library's function and the user's line after runs of a
# millisecond, at -O0 and -O2, and its count at eight times the size is the predicted one. Twins that do the same in linear
# time pass the gate. The programs were written without a look at the table of library work.
. "$(dirname "$0")/lib.sh"
need_compiler
command -v python3 >/dev/null || exit 77
programs=$here/../programs/complexity
study() { # program, case: leaves study.db
  rm -f study.db
  "$run" run -P n=100,200,400,800,1600 --at 12800 --event none -o study.db --quiet --no-report -- "./$1" "$2" '{n}' >log 2>&1 ||
    { fault "$1 $2: run"; cat log; }
}
bad() { # source, case, rule, what is named
  line=$(grep -nE "// $2\$" "$programs/$1" | cut -d: -f1)
  for level in 0 2; do
    study "$1.$level" "$2"
    "$run" report study.db --format json >report.json
    "$run" verify study.db --at 12800 --event none --json >verify.json 2>log || { fault "$1 $2: verify"; cat log; }
    python3 - "$1 $2 -O$level" "$line" "$3" "$4" <<'PYTHON' || status=1
import json, sys
case, line, rule, name = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
report, actual = json.load(open("report.json")), json.load(open("verify.json"))["sizes"][0]["findings"]
said = [(f["rule"], f["line"], f["model"]["formula"]) for f in report["findings"]]
if rule == "insufficient-allocation":
    rows = [f for f in report["resources"]["findings"] if f["rule"] == rule and f":{line})" in json.dumps(f)]
    if not rows or name not in json.dumps(rows[0]):
        print(f"FAULT: {case}: expected {rule} of {name} at line {line}, got", said, report["resources"]["findings"])
        sys.exit(1)
    sys.exit(0)
found = [(i, f) for i, f in enumerate(report["findings"]) if f["rule"] == rule and f["subject"]["line"] == line and name in json.dumps(f)]
if not found or found[0][0] > 1 or round(found[0][1]["model"]["order"]["exponent"], 1) != 2:
    print(f"FAULT: {case}: expected quadratic {rule} of {name} at line {line} first or second, got", said)
    sys.exit(1)
rows = [f for f in actual if f["rank"] == found[0][0] + 1]
if not rows or abs(rows[0]["predicted"]["value"] - rows[0]["actual"]) > 1e-3 * rows[0]["actual"]:
    print(f"FAULT: {case}: predicted and actual", rows)
    sys.exit(1)
PYTHON
  done
}
benign() { # source, case, levels
  for level in $3; do
    study "$1.$level" "$2_twin"
    "$run" report study.db --fail-on superlinear >out 2>&1 || { fault "$1 $2_twin -O$level: --fail-on superlinear"; cat out; }
  done
}
for level in 0 2; do
  "$cc" -O$level -o library_calls.c.$level "$programs/library_calls.c" &&
    "$SCALE_BUILD/bin/scale-c++" -O$level -std=c++17 -o library_calls.cpp.$level "$programs/library_calls.cpp" || exit 1
done
work=library-work
bad library_calls.c address $work strcat
bad library_calls.c chomp $work strlen
bad library_calls.c numbers $work sscanf
bad library_calls.c squeeze $work memmove
bad library_calls.c steps insufficient-allocation heap
bad library_calls.c columns superlinear-loop columns # each strtok does as much as the others: the loop is to blame
bad library_calls.c tabs $work memchr
bad library_calls.c words $work fgets
bad library_calls.c replace $work strstr
bad library_calls.c journal $work snprintf
bad library_calls.c variables $work setenv
bad library_calls.cpp receive $work string::erase
bad library_calls.cpp history $work vector::insert
bad library_calls.cpp path $work 'operator+'
bad library_calls.cpp tokens $work string::substr
bad library_calls.cpp stream $work basic_ostringstream::str
bad library_calls.cpp ranking $work memmove
bad library_calls.cpp middle $work deque::erase
# C calls the same functions at both levels, C++ does not.
for case in address chomp numbers squeeze steps columns tabs words replace journal variables; do
  benign library_calls.c $case 2
done
for case in receive history path tokens stream ranking middle; do
  benign library_calls.cpp $case "0 2"
done
exit $status
