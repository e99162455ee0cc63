#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges what the JSON report of a study of a real server says about resources.

resources.py show REPORT
    Prints the findings.
resources.py without REPORT [RULE...]
    There is no finding by one of these rules (any rule, if none is named).
resources.py alike REPORT REPORT
    Both have findings by the same rules about the same resources.
resources.py first REPORT RULE NAME SIZE
    The first finding is by RULE, about a resource with NAME in its name or one of its sites, and holds at SIZE.
resources.py free REPORT RULE NAME
    No finding by RULE about a resource with NAME in its name or one of its sites.
resources.py busy REPORT NAME SIZE LOW HIGH
    The utilisation predicted of the resource with NAME in its name is LOW to HIGH at SIZE.
resources.py actual REPORT VERIFY NAME SIZE LOW HIGH
    So is the one measured there, which the interval holds, in what `verify --json` printed.
resources.py acquires REPORT NAME LOW HIGH
    Per unit of the parameter, at the largest measured size, LOW to HIGH acquires of the resource NAME."""
import json
import sys


def load(path):
    with open(path, encoding="utf-8") as stream:
        report = json.load(stream)
    if not report["resources"]["list"]:
        sys.exit("  the report knows no resource at all")
    return report


def key(finding):
    return finding["rule"], finding["resource"]["class"], finding["resource"]["name"]


def words(finding):
    """All places in which a finding may name what it is about."""
    sites = [f"{site['function']} {site['file']}" for site in finding["sites"]]
    return " ".join([finding["resource"]["name"], finding["resource"]["file"], *sites])


def show(findings):
    for finding in findings:
        emergence = finding["emergence"]["size"]
        since = "at no size looked at" if emergence is None else f"from {emergence:g} on"
        print(f"  {' '.join(key(finding))} ({finding['severity']}, {since}): {finding['evidence']}")


def acquires(report, name):
    total = 0
    for resource in report["resources"]["list"]:
        for number in resource["numbers"]:
            if resource["name"] == name and number["metric"] == "acquires":
                total += number["measured"] or 0
    return total / report["range"]["max"]


def utilisation(report, name, size):
    """Predicted at a size: value, low and high."""
    for resource in report["resources"]["list"]:
        for number in resource["numbers"]:
            if name in resource["name"] and number["metric"] == "utilisation":
                return next((p["value"], p["low"], p["high"]) for p in number["predictions"] if p["n"] == size)
    sys.exit(f"  no utilisation of {name}")


def actual(path, name, size):
    with open(path, encoding="utf-8") as stream:
        sizes = json.load(stream)["sizes"]
    for row in next(one for one in sizes if one["n"] == size)["resources"]:
        if name in row["resource"]["name"] and row["metric"] == "utilisation":
            return row["actual"], row["within_interval"]
    sys.exit(f"  no utilisation of {name} was measured")


def judge(what, report, arguments):
    """A sentence that says what is wrong, or None."""
    findings = report["resources"]["findings"]
    if what == "without":
        bad = [finding for finding in findings if not arguments or finding["rule"] in arguments]
        return f"{len(bad)} findings that should not be" if bad else None
    if what == "alike":
        other = load(arguments[0])["resources"]["findings"]
        show(other)
        different = {key(f) for f in findings} ^ {key(f) for f in other}
        return f"only in one of two studies: {sorted(different)}" if different else None
    if what == "first":
        rule, name, size = arguments[0], arguments[1], float(arguments[2])
        if not findings or findings[0]["rule"] != rule or name not in words(findings[0]):
            return f"the first finding is not {rule} of {name}"
        holds = [held["holds"] for held in findings[0]["holds_predicted"] if held["n"] == size]
        return None if holds == [True] else f"not predicted to hold at {size:g}"
    if what == "free":
        bad = [f for f in findings if f["rule"] == arguments[0] and arguments[1] in words(f)]
        return f"{arguments[0]} of {arguments[1]}" if bad else None
    if what == "busy":
        value, low, high = utilisation(report, arguments[0], float(arguments[1]))
        print(f"  {arguments[0]}: {value:.0%} busy predicted ({low:.0%} to {high:.0%})")
        return None if float(arguments[2]) <= value <= float(arguments[3]) else "not what it is"
    if what == "actual":
        value, inside = actual(arguments[0], arguments[1], float(arguments[2]))
        print(f"  {arguments[1]}: {value:.0%} busy measured")
        return None if inside and float(arguments[3]) <= value <= float(arguments[4]) else "not what was predicted"
    if what == "acquires":
        each = acquires(report, arguments[0])
        print(f"  {arguments[0]}: {each:.2f} acquires for each")
        return None if float(arguments[1]) <= each <= float(arguments[2]) else "not a plausible number"
    return None if what == "show" else f"unknown: {what}"


def main():
    what, path = sys.argv[1:3]
    report = load(path)
    if what != "acquires":
        show(report["resources"]["findings"])
    fault = judge(what, report, sys.argv[3:])
    if fault:
        print(f"  {fault}")
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main())
