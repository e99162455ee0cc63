#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare.py COVERAGE.json LOOPS TOTALS [FUNCTION|FILE:LINE:COLUMN...]

Compares the totals of scale-run's profiles (scale-run dump --totals, or files of them to be summed) with clang's
front-end profile counters (llvm-cov export): calls per function, iterations per source loop, to the last digit.
A function or loop that only one side knows is a difference, except where the oracle can't count, so that there is
nothing to compare with: a function of a system header that the oracle never saw executed (at -O0 the library's compiled
copy runs instead), a loop made of gotos, and the FUNCTIONs and loops named (with the reason beside it in the program). What the
site table says the optimiser removed may be absent from the profile, and nothing else may.
"""
import collections
import json
import os
import sys


def real(path):
    return os.path.realpath(path)


def macro_uses(files, regions):
    """file id of a macro expansion -> (file, line, column) where the outermost macro is used."""
    inside = {region[6]: (region[5], region[0], region[1]) for region in regions if region[7] == 1}
    uses = {}
    for expansion in inside:
        file_id = expansion
        for _ in inside:
            if file_id not in inside:
                break
            file_id, line, column = inside[file_id]
        uses[expansion] = (files[file_id], line, column)
    return uses


def read_oracle(coverage, loops_path):
    calls = collections.Counter()
    # (file, line, column) -> count of the outermost code region that starts there, per function instance; of a macro's text
    # also (its place, the place of its use)
    starts = {}
    with open(coverage, encoding="utf-8") as stream:
        functions = json.load(stream)["data"][0]["functions"]
    known_files = set()
    for function in functions:
        name = function["name"].rsplit(":", 1)[-1] if ":" in function["name"] else function["name"]
        calls[name] += function["count"]
        own = {}
        files = [real(f) for f in function["filenames"]]
        uses = macro_uses(files, function["regions"])
        for line, column, end_line, end_column, count, file_id, _expanded, kind in function["regions"]:
            if kind != 0:
                continue
            key = (files[file_id], line, column, file_id)
            if key not in own or (end_line, end_column) > own[key][0]:
                own[key] = ((end_line, end_column), count)
        for (file, line, column, file_id), (_, count) in own.items():
            place = (file, line, column)
            for key in (place, (place, uses[file_id])) if file_id in uses else (place,):
                starts[key] = starts.get(key, 0) + count
            known_files.add(file)
    loops, parts, incomplete = {}, {}, set()
    seen = set()
    with open(loops_path, encoding="utf-8") as stream:
        for row in stream:
            if row in seen:
                continue
            seen.add(row)
            fields = row.rstrip("\n").split("\t")
            places = []
            for file, position in zip(fields[0::2], fields[1::2]):
                line, column = position.split(":")
                places.append((real(file), int(line), int(column)))
            at, body, used = places
            # a body that is a macro is counted for this use of it: other places may use the same macro
            region = next((place for place in ((body, used), body, used) if place in starts), None)
            if region is not None:
                parts.setdefault(at, set()).add(region)
            else:
                incomplete.add(at)
    for at in incomplete:  # a body that begins with a macro argument, or code never compiled: no counter to be found
        parts.pop(at, None)
    shared = collections.Counter(region for regions in parts.values() for region in regions)
    ambiguous = set()
    for at, regions in parts.items():
        loops[at] = sum(starts[region] for region in regions)
        if any(shared[region] > 1 for region in regions):
            ambiguous.add(at)  # one macro body used by several loop statements: compared as a group
    return calls, loops, ambiguous, parts, starts


def read_totals(path):
    calls, loops, removed, system = collections.Counter(), collections.Counter(), set(), set()
    with open(path, encoding="utf-8") as stream:
        for row in stream:
            fields = row.rstrip("\n").split("\t")
            if fields[0] == "function":  # function TAB name TAB file TAB calls
                calls[fields[1]] += int(fields[3])
                if fields[2].startswith("/usr/"):
                    system.add(fields[1])
            elif fields[0] == "loop":  # loop TAB function TAB file TAB line:column TAB nth TAB iterations
                line, column = fields[3].split(":")
                loops[real(fields[2]), int(line), int(column)] += int(fields[5])
            elif fields[0] == "removed" and fields[1] == "loop":
                line, column = fields[4].split(":")
                removed.add((real(fields[3]), int(line), int(column)))
            elif fields[0] == "removed":
                removed.add(fields[2])
    return calls, loops, removed, system


def main():
    coverage, loops_path, totals = sys.argv[1:4]
    want_calls, want_loops, ambiguous, parts, starts = read_oracle(coverage, loops_path)
    calls, loops, removed, system = read_totals(totals)
    faults = []
    skipped = set(sys.argv[4:])
    for name in sorted(want_calls):
        if name in skipped or (name in system and want_calls[name] == 0):
            continue
        if want_calls[name] != calls[name] and not (calls[name] == 0 and name in removed):
            faults.append(f"function {name}: {calls[name]} calls, the oracle counts {want_calls[name]}")
    groups = collections.defaultdict(lambda: [set(), set()])
    for at in want_loops:
        if f"{os.path.basename(at[0])}:{at[1]}:{at[2]}" in skipped:
            continue
        key = tuple(sorted(parts[at])) if at not in ambiguous else "macros"
        groups[key][0].add(at)
        groups[key][1] |= parts[at]
    compared = 0
    for key, (places, regions) in groups.items():
        want = sum(starts[region] for region in regions)
        have = sum(loops[at] for at in places)
        compared += have
        if want != have and not (have == 0 and places <= removed):
            where = ", ".join(f"{os.path.basename(f)}:{l}:{c}" for f, l, c in sorted(places)[:4])
            faults.append(f"loop {where}: {have} iterations, the oracle counts {want}")
    if not calls or sum(calls.values()) == 0:
        faults.append("the profile has no calls at all")
    print(f"{sum(calls[n] for n in want_calls)} calls of {len(want_calls)} functions and {compared} iterations of "
          f"{len(want_loops)} loops compared, {len(faults)} differences")
    for fault in faults[:50]:
        print("  " + fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
