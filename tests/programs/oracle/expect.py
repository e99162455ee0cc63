#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""expect.py EXPECT TOTALS: every line of EXPECT must hold in TOTALS (scale-run dump --totals, several files are summed).

Lines of EXPECT: `function NAME CALLS`, `loop FUNCTION LINE ITERATIONS` (or LINE:COLUMN) and `work FUNCTION LINE UNITS`
(or LINE:COLUMN, or * for all lines); `#` starts a comment.
A count of 0 holds where the line is absent."""
import collections
import sys


def main():
    counts = collections.Counter()
    with open(sys.argv[2], encoding="utf-8") as stream:
        for row in stream:
            fields = row.rstrip("\n").split("\t")
            if fields[0] == "function":
                counts["function", fields[1]] += int(fields[3])
            elif fields[0] == "loop":
                line = fields[3].split(":")[0]
                counts["loop", fields[1], line] += int(fields[5])
                counts["loop", fields[1], fields[3]] += int(fields[5])
            elif fields[0] == "work":
                for place in fields[3].split(":")[0], fields[3], "*":
                    counts["work", fields[1], place] += int(fields[5])
    faults = checked = 0
    with open(sys.argv[1], encoding="utf-8") as stream:
        for row in stream:
            fields = row.split("#")[0].split()
            if not fields:
                continue
            key, want = tuple(fields[:-1]), int(fields[-1])
            checked += 1
            if counts[key] != want:
                faults += 1
                print(f"  {' '.join(key)}: {counts[key]}, expected {want}")
    if not checked:
        print("  no expectation in the file")
    return 1 if faults or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
