#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds names and first lines of the sources in C: a static function's name is unique in its library and says more than one
word, functions are short, and each file says what it is for, in its first lines or in those of its header.

usage: statics.py ROOT
"""
import collections
import os
import re
import sys

LIBRARIES = ("profiles", "regress", "transitions", "runner", "instrument/attach", "instrument/events", "instrument/runtime",
             "instrument/wrapper")
MOST_LINES = 60
FUNCTION = re.compile(r"^(?:SC_[A-Z_]+(?:\([^)]*\))? )*static (?:inline |SC_[A-Z_]+ )*[^=;(]*?[ *]\(?\*?([a-zA-Z_0-9]+)\(")


def sources(root):
    for library in LIBRARIES:
        for folder, _, names in sorted(os.walk(os.path.join(root, library))):
            for name in sorted(names):
                if name.endswith(".c") and name != "count.bpf.c":
                    yield library, os.path.relpath(os.path.join(folder, name), root)


def read_lines(root, source):
    with open(os.path.join(root, source), errors="replace") as lines:
        return lines.read().split("\n")


def says_purpose(root, source, lines):
    behind = [line for line in lines[1:20] if line and not line.startswith("#")]
    if lines[1].startswith("/*") or (behind and behind[0].startswith("/*")):
        return True
    header = source[:-2] + ".h"
    return os.path.exists(os.path.join(root, header)) and any(line.startswith("/*") for line in read_lines(root, header)[1:])


def find_long_functions(source, lines):
    begin = None
    for number, line in enumerate(lines):
        if line == "{":
            begin = number
        elif line == "}" and begin is not None:
            if number - begin - 1 > MOST_LINES:
                yield f"{source}:{begin + 1}: a function of {number - begin - 1} lines"
            begin = None


def main():
    root = sys.argv[1]
    faults, places = [], collections.defaultdict(list)
    for library, source in sources(root):
        lines = read_lines(root, source)
        if not says_purpose(root, source, lines):
            faults.append(f"{source}: neither its first lines nor its header's say what it is for")
        faults += find_long_functions(source, lines)
        for name in dict.fromkeys(found.group(1) for found in map(FUNCTION.match, lines) if found):
            places[library, name].append(source)
            if "_" not in name:
                faults.append(f"{source}: the static function {name} says neither what it works on nor what it asks")
    for (library, name), where in places.items():
        if len(where) > 1:
            faults.append(f"{library} has several static functions {name}: {', '.join(where)}")
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


main()
