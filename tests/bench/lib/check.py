# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what doesn't depend on the machine's speed with the limits in overhead.limits."""
import os
import statistics

LIMITS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "overhead.limits")
LOOSE = 0.05  # further below its limit than this, a value asks for a lower limit


def read_limits(path=LIMITS):
    """(kind, subject) -> limit. Every limit must say why it is what it is."""
    limits = {}
    with open(path, encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            values, _, reason = line.partition("#")
            fields = values.split()
            if not fields:
                continue
            if len(fields) != 3 or not reason.strip():
                raise ValueError(f"{path}:{number}: expected: KIND SUBJECT LIMIT # REASON")
            limits[fields[0], fields[1]] = float(fields[2])
    return limits


def with_mean(limits, kind, values):
    """The limit of the mean holds for all subjects together: with fewer there is no mean."""
    found = {(kind, subject): value for subject, value in values.items()}
    if all(key in found for key in limits if key[0] == kind and key[1] != "mean"):
        found[kind, "mean"] = statistics.geometric_mean(values.values())
    return found


def compare(limits, found):
    """Prints a line each; returns how many are above their limits or have none."""
    faults = 0
    for key, value in found.items():
        limit = limits.get(key)
        if limit is None:
            verdict = "FAILED: has no limit"
        elif value > limit:
            verdict = f"FAILED: above its limit {limit:.3f}"
        else:
            verdict = f"limit {limit:.3f}" + (": could be lowered" if value < limit * (1 - LOOSE) else "")
        faults += verdict.startswith("FAILED")
        print(f"  {key[0]:12} {key[1]:7} {value:6.3f}  {verdict}", flush=True)
    return faults
