#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the JSON report of a study of a real program.

judge.py first REPORT VERIFY PLACE EXPONENT [WHERE]
    The first finding is superlinear, its order is EXPONENT without a logarithm; finding WHERE (default 1, the first) is a
    loop whose calling context, or whose own function, is PLACE; and the counts of both came true within 1% at the
    verified size.
judge.py control REPORT
    No finding of superlinear growth; places that are undecided are printed."""
import json
import sys


def load(path):
    with open(path, encoding="utf-8") as stream:
        return json.load(stream)


def superlinear(finding):
    """More than n times any power of log n, whatever the report itself calls it."""
    orders = [site["to"] for site in finding["sites"]] + [finding["to"]]
    return finding["superlinear"] or any(order["exponent"] > 1.2 for order in orders)


def main():
    what, report = sys.argv[1], load(sys.argv[2])
    findings = report["findings"]
    if what == "control":
        bad = [f for f in findings if superlinear(f)]
        for finding in bad:
            print(f"  superlinear in the control: {finding['function']} {finding['file']}:{finding['line']} "
                  f"{finding['model']['formula']}")
        for place in report["undecided"]:
            print(f"  undecided: {place['function']} {place['file']}:{place['line']} {place['reason']}")
        return 1 if bad else 0
    verify, place, exponent = load(sys.argv[3]), sys.argv[4], float(sys.argv[5])
    where = int(sys.argv[6]) if len(sys.argv) > 6 else 1
    if len(findings) < where:
        print(f"  only {len(findings)} findings")
        return 1
    faults = []
    for finding in {1: findings[0], where: findings[where - 1]}.values():
        rank, order = finding["rank"], finding["model"]["order"]
        print(f"  {rank}. {finding['function']} {finding['file']}:{finding['line']}  {finding['model']['formula']}")
        if abs(order["exponent"] - exponent) > 0.02 or abs(order["log_exponent"]) > 0.01:
            faults.append(f"the order of finding {rank} is {order}, not {exponent}")
        rows = [row for row in verify["sizes"][0]["findings"] if row["rank"] == rank]
        if not rows:
            faults.append(f"the verification has no row for finding {rank}")
        for row in rows:
            predicted, actual = row["predicted"]["value"], row["actual"]
            print(f"     predicted {predicted:.6g}, actual {actual:.6g}")
            if actual <= 0 or abs(predicted - actual) > 0.01 * actual:
                faults.append(f"the prediction of finding {rank} is off by more than 1%")
    finding = findings[where - 1]
    if finding["kind"] != "loop" or place not in [finding["function"]] + [step["name"] for step in finding["context"]]:
        faults.append(f"finding {where} is not a loop in or below {place}")
    for fault in faults:
        print("  " + fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
