#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""contracts.py ROOT: functions that headers declare without a comment: above them, beside them, or above the lines
without a gap that they stand among."""
import pathlib
import re
import sys

FOLDERS = ["profiles", "regress", "transitions", "runner", "instrument"]
# One comment for all: what they do is what the function or system call of the same name does.
FAMILIES = {"instrument/runtime/" + name for name in ("do.h", "os.h", "refs.h", "work.h")} | {
    "instrument/include/scale/annotate.h"}
DECLARATION = re.compile(r"(?!(?:typedef|return|_?[Ss]tatic_assert|SC_TUNING|else|if|for|while)\b)[A-Za-z_].*\(")


def undocumented(lines):
    """Numbers of the lines, from 0, that begin a declaration without a comment."""
    told = False  # the declaration before has one
    at = 0
    while at < len(lines):
        if not DECLARATION.match(lines[at]):
            told = told and lines[at].strip() != ""
            at += 1
            continue
        end = at
        while not re.search(r"[;{}]\s*$|/\*|//", lines[end]) and end + 1 < len(lines):
            end += 1
        before = lines[at - 1].rstrip() if at else ""
        beside = any("/*" in line or "//" in line for line in lines[at : end + 1])
        above = before.endswith("*/") or before.lstrip().startswith("//")
        told = beside or above or (told and before.endswith((";", "}")))
        if not told:
            yield at
        body = lines[end].rstrip().endswith("{")
        at = end + 1
        while body and at < len(lines) and lines[at] != "}":
            at += 1
        at += body


def main():
    root = pathlib.Path(sys.argv[1])
    status = 0
    for header in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*.h")):
        name = str(header.relative_to(root))
        lines = header.read_text(encoding="utf-8").split("\n")
        for at in undocumented(lines) if name not in FAMILIES else []:
            print(f"{name}:{at + 1}: no comment says what callers must know: {lines[at]}")
            status = 1
    return status


sys.exit(main())
