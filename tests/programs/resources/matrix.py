#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares reports with what is known of the programs, and prints the confusion matrix.

usage: matrix.py CASES SOURCES REPORTS

CASES is a table like `cases`; REPORTS holds NAME.json of each (scale-run report --format json) and NAME.log. A line of a
source that a finding may name has the comment "culprit".
"""
import json
import os
import sys

RULES = ["contention", "inefficient-policy", "insufficient-allocation", "unbounded-growth", "leak", "inconsistent-state"]
COLUMNS = ["name", "source", "option", "rule", "kind", "sizes", "target", "resource", "also", "repeats"]


def read_cases(path):
    cases = []
    for line in open(path):
        fields = line.split()
        if fields and not fields[0].startswith("#"):
            if len(fields) != len(COLUMNS):
                sys.exit(f"{path}: {fields[0]}: {len(fields)} fields instead of {len(COLUMNS)}")
            cases.append(dict(zip(COLUMNS, fields)))
            if cases[-1]["rule"] not in RULES + ["none"]:
                sys.exit(f"{path}: {fields[0]}: no rule: {cases[-1]['rule']}")
    return cases


def culprits(path):
    return {number for number, line in enumerate(open(path), 1) if "culprit" in line}


def lines_named(finding, source):
    """The lines of the source that a finding names: the resource's own, a site's, or the innermost of the context that is
    not the library's."""
    places = [finding["resource"]] + finding["sites"]
    own = [place["line"] for place in finding["context"] or [] if os.path.basename(place["file"] or "") == source]
    return {place["line"] for place in places if os.path.basename(place["file"] or "") == source} | set(own[-1:])


def describe(finding):
    resource = finding["resource"]
    numbers = ", ".join(f"{n['metric']} {n['measured']:.3g}" for n in finding["numbers"] if n["measured"] is not None)
    return (f"{finding['rule']} ({finding['severity']}, confidence {finding['confidence']:.2f}) of {resource['name']}"
            f" [{resource['class']}] {os.path.basename(resource['file'] or '')}:{resource['line']},"
            f" from {finding['emergence']['size']}: {numbers}")


def wrong_with(finding, case, sources):
    """Why a finding of the right rule is not the one that was looked for; None if it is."""
    if case["resource"] != "-" and case["resource"] not in finding["resource"]["name"].replace(" ", "-"):
        return f"the resource is {finding['resource']['name']}, not {case['resource']}"
    named = lines_named(finding, case["source"])
    if not named & culprits(os.path.join(sources, case["source"])):
        return f"it names the lines {sorted(named)} of {case['source']}, none of them a culprit"
    if not any(held["holds"] for held in finding["holds_predicted"] if held["n"] == float(case["target"])):
        return f"it is not to hold at {case['target']}"
    return None


def judge(case, findings, sources):
    """(faults, rules found)"""
    faults = []
    right = [f for f in findings if f["rule"] == case["rule"]]
    if case["rule"] != "none":
        reasons = [wrong_with(f, case, sources) for f in right]
        if not right:
            faults.append(f"MISSED: no {case['rule']}")
        elif all(reasons):
            faults += [f"WRONG PLACE: {reason}: {describe(f)}" for reason, f in zip(reasons, right)]
    also = case["also"].split(",")
    faults += [f"FALSE ALARM: {describe(f)}" for f in findings if f["rule"] != case["rule"] and f["rule"] not in also]
    return faults, {f["rule"] for f in findings} or {"none"}


def print_matrix(matrix):
    columns = RULES + ["none"]
    print(f"{'there is':25}" + "".join(f"{c[:12]:>14}" for c in columns) + f"{'programs':>10}")
    for rule, (programs, found) in matrix.items():
        print(f"{rule:25}" + "".join(f"{found.get(c, 0) or '.':>14}" for c in columns) + f"{programs:>10}")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    cases, (sources, reports) = read_cases(sys.argv[1]), sys.argv[2:]
    matrix = {rule: [0, {}] for rule in RULES + ["none"]}
    status = 0
    for case in cases:
        row = matrix[case["rule"]]
        row[0] += 1
        path = os.path.join(reports, case["name"])
        if not os.path.exists(path + ".json"):
            status = 1
            log = open(path + ".log").read() if os.path.exists(path + ".log") else ""
            print(f"FAULT: {case['name']}: NO REPORT\n{log}")
            continue
        resources = json.load(open(path + ".json"))["resources"] or {"findings": []}
        findings = [f for f in resources["findings"] if f["severity"] in ("warning", "error")]
        faults, found = judge(case, findings, sources)
        for rule in found:
            row[1][rule] = row[1].get(rule, 0) + 1
        print(f"{'FAULT' if faults else 'ok':6}{case['name']:18}{case['rule']}")
        for finding in findings:
            print(f"          {describe(finding)}")
        for fault in faults:
            status = 1
            print(f"    {fault}")
    print_matrix(matrix)
    sys.exit(status)


main()
