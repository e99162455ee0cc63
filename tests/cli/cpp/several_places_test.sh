#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Erasing from the middle of a std::deque moves bytes within a block in one place of the library, over several blocks in another,
# which no small run gets to: what one call moves is one number in every range, and no cube is made of a late start.
. "$(dirname "$0")/../lib.sh"
need_compiler
cat >deque.cpp <<'C'
#include <cstdio>
#include <cstdlib>
#include <deque>
int main(int, char **argv)
{
  long n = std::strtol(argv[1], nullptr, 10);
  std::deque<char> text(static_cast<size_t>(n), 'x');
  while (!text.empty())
    text.erase(text.begin() + static_cast<long>(text.size() / 2)); // n^2 / 4
  std::printf("%zu\n", text.size());
}
C
sed 's|text.erase.*|text.erase(text.begin()); // twin|' deque.cpp >twin.cpp
study() { # program, sizes
  rm -f study.db
  "$run" run -P n="$2" --at 64000 --event none -o study.db --quiet --no-report -- "./$1" '{n}' >log 2>&1 ||
    { fault "$1 $2: run"; cat log; }
  "$run" report study.db --format json >report.json
}
for level in 0 2; do
  for program in deque twin; do
    "${cc%cc}c++" -O$level -std=c++17 -o $program.$level $program.cpp || exit 1
  done
  for sizes in 100,170,310,550,800 100,200,400,800,1169,1600 100,238,566,1066,1247,1345,1460,1998,2338,2735,3200; do
    study deque.$level $sizes
    "$run" verify study.db --at 64000 --event none --json >verify.json 2>log || { fault "$sizes -O$level: verify"; cat log; }
    python3 - "-O$level $sizes" <<'PYTHON' || status=1
import json, sys
findings = [f for f in json.load(open("report.json"))["findings"] if f["superlinear"]]
said = [(f["rule"], f["subject"]["line"], f["model"]["formula"]) for f in findings]
if not findings or any(f["subject"]["line"] != 9 or abs(f["model"]["order"]["exponent"] - 2) > 0.2 for f in findings):
    print(f"FAULT: {sys.argv[1]}: expected quadratic growth at line 9 and no other, got", said)
    sys.exit(1)
work = [i for i, f in enumerate(findings) if f["rule"] == "library-work"]
# Where the loops over the blocks grow as fast, the bytes are theirs.
if not work and "superlinear-loop" not in said[0]:
    print(f"FAULT: {sys.argv[1]}: neither work nor a loop:", said)
    sys.exit(1)
size = json.load(open("verify.json"))["sizes"][0]
n = 64000
for i, f in enumerate(findings):
    row = [r for r in size["findings"] if r["rank"] == i + 1][0]
    off = abs(row["predicted"]["value"] - row["actual"]) / row["actual"]
    if not row["within_interval"] or (i in work and (not f["model"]["exact"] or row["actual"] != n * n // 4 - n // 2 or off)):
        print(f"FAULT: {sys.argv[1]}: {said[i]}:", row)
        sys.exit(1)
PYTHON
  done
  study twin.$level 100,238,566,1066,1998,3200
  "$run" report study.db --fail-on superlinear >out 2>&1 || { fault "twin -O$level: --fail-on superlinear"; cat out; }
done
exit $status
