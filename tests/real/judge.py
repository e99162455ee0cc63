#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the JSON report of a study of a real program.

judge.py first REPORT VERIFY FUNCTION EXPONENT   the first finding is a loop of FUNCTION, its order is EXPONENT (no log),
                                                 and its count at the verified size came true within 1%
judge.py control REPORT                          no finding of superlinear growth"""
import json
import sys


def load(path):
    with open(path, encoding="utf-8") as stream:
        return json.load(stream)


def superlinear(finding):
    order = finding["model"]["order"]
    return order["exponent"] > 1.2 or (order["exponent"] > 0.99 and order["log"] > 1.5)


def main():
    what, report = sys.argv[1], load(sys.argv[2])
    findings = report["findings"]
    if what == "control":
        bad = [f for f in findings if superlinear(f)]
        for finding in bad:
            print(f"  superlinear in the control: {finding['function']} {finding['file']}:{finding['line']} "
                  f"{finding['model']['formula']}")
        return 1 if bad else 0
    verify, function, exponent = load(sys.argv[3]), sys.argv[4], float(sys.argv[5])
    if not findings:
        print("  no finding at all")
        return 1
    first = findings[0]
    order = first["model"]["order"]
    print(f"  first: {first['function']} {first['file']}:{first['line']}  {first['model']['formula']}")
    faults = []
    if first["function"] != function:
        faults.append(f"the first finding is in {first['function']}, not in {function}")
    if abs(order["exponent"] - exponent) > 0.02 or abs(order["log"]) > 0.01:
        faults.append(f"its order is {order}, not {exponent}")
    rows = [row for row in verify["findings"] if row["rank"] == first["rank"]]
    if not rows:
        faults.append("the verification has no row for it")
    for row in rows:
        predicted, actual = row["predicted"]["value"], row["actual"]
        print(f"  predicted {predicted:.6g}, actual {actual:.6g}")
        if actual <= 0 or abs(predicted - actual) > 0.01 * actual:
            faults.append("the prediction is off by more than 1%")
    for fault in faults:
        print("  " + fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
