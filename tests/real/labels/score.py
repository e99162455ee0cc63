#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What discover finds of labels, and what of that which it proposes has one.

usage: score.py SCALE_RUN LABELS [ARGUMENT OF discover...]
"""
import json
import re
import subprocess
import sys


def plain(name):
    """Without parameters and template arguments."""
    depth, out = 0, ""
    for char in re.sub(r"\(.*", "", name.replace("(anonymous namespace)::", "")):
        depth += (char == "<") - (char == ">")
        out += char if depth == 0 and char != ">" else ""
    return out


labels = {tuple(line.split()[:2]) for line in open(sys.argv[2]) if line.strip() and line[0] != "#"}
found, proposed, right = set(), 0, 0
listing = subprocess.run([sys.argv[1], "discover", *sys.argv[3:], "--all", "--json"], capture_output=True, text=True, check=True)
document = json.loads(listing.stdout)
for resource in document["resources"]:
    for event in resource["events"] if resource["confidence"] in ("likely", "perhaps") else ():
        one = (event["event"], plain(event["function"]))
        if event["score"] >= 3:
            found.add(one)
        proposed += event["proposed"]
        right += event["proposed"] and one in labels
        if event["proposed"] and one not in labels:
            print("no label:", *one, "of", resource["name"])
for one in sorted(labels - found):
    print("missed:", *one)
print(f"{document['functions']} functions, {len(labels)} labels, {len(labels & found)} found; {proposed} proposed, {right} of them with a label")
