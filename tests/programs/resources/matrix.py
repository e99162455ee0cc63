#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares reports with what is known of the programs, and prints the confusion matrix.

usage: matrix.py CASES SOURCES FAULTY REPORTS...

CASES is a table like `cases`; REPORTS holds NAME.json of each (scale-run report --format json) and NAME.log; where there are
several, those behind the first hold what was measured again, and most of a case's reports decide. The names of the cases
that were judged wrongly are written to FAULTY. A line of a source that a finding may name has the comment "culprit".
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


def judge_report(path, case, sources):
    """(faults, rules found, lines to print); None without a trace of a measurement"""
    if not os.path.exists(path + ".json"):
        if not os.path.exists(path + ".log"):
            return None
        return ["NO REPORT"], {"none"}, [open(path + ".log").read()]
    resources = json.load(open(path + ".json"))["resources"] or {"findings": []}
    findings = [f for f in resources["findings"] if f["severity"] in ("warning", "error")]
    faults, found = judge(case, findings, sources)
    return faults, found, ["          " + describe(finding) for finding in findings]


def judge_case(case, sources, reports):
    """(wrong, rules found): what most of the case's reports say. Prints it."""
    verdicts = [judge_report(os.path.join(folder, case["name"]), case, sources) for folder in reports]
    verdicts = [v for v in verdicts if v] or [(["NO REPORT"], {"none"}, [])]
    wrong = [v for v in verdicts if v[0]]
    right = [v for v in verdicts if not v[0]]
    majority = wrong if 2 * len(wrong) > len(verdicts) else right
    count = f"  {len(right)} of {len(verdicts)} right" if wrong and len(verdicts) > 1 else ""
    print(f"{'FAULT' if majority is wrong else 'ok':6}{case['name']:18}{case['rule']}{count}")
    for faults, _, lines in verdicts:
        print("\n".join(lines + ["    " + fault for fault in faults]) or "          no finding")
    return majority is wrong, set.union(*(found for _, found, _ in majority))


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    cases, sources, reports = read_cases(sys.argv[1]), sys.argv[2], sys.argv[4:]
    matrix = {rule: [0, {}] for rule in RULES + ["none"]}
    faulty = []
    for case in cases:
        wrong, found = judge_case(case, sources, reports)
        row = matrix[case["rule"]]
        row[0] += 1
        for rule in found:
            row[1][rule] = row[1].get(rule, 0) + 1
        if wrong:
            faulty.append(case["name"])
    print_matrix(matrix)
    with open(sys.argv[3], "w") as out:
        out.writelines(name + "\n" for name in faulty)
    sys.exit(1 if faulty else 0)


main()
