#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the sources against rooms.txt: which room includes and calls which, and which files call each other in circles;
and docs/architecture.md, which says what each room has, in the same order.

usage: rooms.py ROOT BUILD
"""
import collections
import os
import re
import subprocess
import sys
import types

TOPS = ("profiles", "regress", "transitions", "runner", "instrument/attach", "instrument/events")
RUNTIME = "instrument/runtime"
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')


def read_table(path):
    """What each room may use, what it uses although it should not, parts, rooms of modules, files that not every build
    has, the circles left, the layer of each file of the runtime, and the names that only pull objects."""
    table = types.SimpleNamespace(may={}, yet={}, parts=set(), strict=set(), choices=set(), circles=[], layers={}, pulls=set())
    layer_count = 0
    with open(path) as lines:
        for line in lines:
            words = line.split("#")[0].split()
            if not words:
                continue
            if words[0] == "circle:":
                table.circles.append(frozenset(words[1:]))
                continue
            if words[0] == "part:":
                table.parts.update(words[1:])
                continue
            if words[0] == "choice:":
                table.choices.update(words[1:])
                continue
            if words[0] == "modules:":
                table.strict.update(words[1:])
                continue
            if words[0] == "pull:":
                table.pulls.update(words[1:])
                continue
            if words[0] == "layer:":
                layer_count += 1
                for name in line.split(":")[2].split():
                    table.layers[f"{RUNTIME}/{name}.c"] = layer_count
                continue
            room, words = words[0].rstrip(":"), words[1:]
            cut = words.index("yet:") if "yet:" in words else len(words)
            table.may[room], table.yet[room] = set(words[:cut]), set(words[cut + 1:])
    return table


def room_of(source, parts):
    folder = os.path.dirname(source)
    return os.path.dirname(folder) if folder in parts else folder


def sources(root):
    for top in TOPS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith((".c", ".h")):
                    yield os.path.relpath(os.path.join(folder, name), root)


def included(root, source):
    """The files of rooms that it includes. In the runtime they are named without their folder."""
    with open(os.path.join(root, source)) as lines:
        for line in lines:
            found = INCLUDE.match(line)
            if found:
                path = found.group(1)
                path = "profiles/" + path if path.startswith("base/") else path
                path = f"{RUNTIME}/{path}" if source.startswith(RUNTIME) else path
                if path.startswith((*TOPS, RUNTIME)) and os.path.exists(os.path.join(root, path)):
                    yield path


def uses_of_runtime(root, graph):
    """(source, target, how) of its files and headers."""
    for name in sorted(os.listdir(os.path.join(root, RUNTIME))):
        if name.endswith((".c", ".h")):
            source = f"{RUNTIME}/{name}"
            yield from ((source, target, "includes") for target in included(root, source))
    yield from ((s, t, "calls " + symbol + " of") for s, targets in graph.items() for t, symbol in targets.items())


def objects(root, build):
    """(source, object) of all sources in rooms that are built."""
    for folder, _, names in os.walk(build):
        if "/CMakeFiles/" not in folder + "/" or os.path.relpath(folder, build).startswith("tests"):
            continue
        for name in names:
            if not name.endswith(".c.o"):
                continue
            path = os.path.relpath(os.path.join(folder, name), build)
            before, behind = ("/" + path).split("/CMakeFiles/", 1)
            source = os.path.normpath(os.path.join(before.lstrip("/"), behind.split("/", 1)[1]))[:-2]
            if source.startswith(TOPS) and os.path.exists(os.path.join(root, source)):
                yield source, os.path.join(folder, name)


def runtime_objects(root, build):
    """The same of the runtime, which is compiled by clang."""
    for name in sorted(os.listdir(os.path.join(root, RUNTIME))):
        path = os.path.join(build, RUNTIME, name[:-2] + ".o")
        if name.endswith(".c") and os.path.exists(path):
            yield f"{RUNTIME}/{name}", path


def calls(of_objects, pulls=()):
    """source -> {source: a symbol of it that is used}."""
    defined, used = {}, collections.defaultdict(set)
    source_of = {path: source for source, path in of_objects}
    for source in source_of.values():
        used[source]  # has an object, also if that needs nothing
    if not source_of:
        return {}
    listing = subprocess.run(["nm", "-A", *source_of], capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        path, _, symbol = line.partition(":")
        source, parts = source_of[path], symbol.split()
        if len(parts) == 2:
            used[source] |= {parts[1]} - set(pulls)
        elif parts[1] in "TDBRCVW":
            defined[parts[2]] = source
    graph = {source: {} for source in used}
    for source, symbols in used.items():
        for symbol in sorted(symbols):
            target = defined.get(symbol, source)
            if target != source:
                graph[source].setdefault(target, symbol)
    return graph


def find_circles(graph):
    """Tarjan's strongly connected components of more than one file."""
    index, low, stack, held, found = {}, {}, [], set(), []

    def visit(source):
        index[source] = low[source] = len(index)
        stack.append(source)
        held.add(source)
        for target in graph.get(source, ()):
            if target not in index:
                visit(target)
                low[source] = min(low[source], low[target])
            elif target in held:
                low[source] = min(low[source], index[target])
        if low[source] == index[source]:
            component = []
            while not component or component[-1] != source:
                component.append(stack.pop())
                held.discard(component[-1])
            if len(component) > 1:
                found.append(frozenset(component))

    sys.setrecursionlimit(10000)
    for source in sorted(graph):
        if source not in index:
            visit(source)
    return found


def modules(uses, parts, strict):
    """A graph of the modules of these rooms: files with their headers."""
    graph = collections.defaultdict(dict)
    for source, target, how in uses:
        left, right = (re.sub(r"\.[ch]$", "", path) for path in (source, target))
        if left != right and room_of(source, parts) in strict and room_of(target, parts) in strict:
            graph[left].setdefault(right, how)
    return graph


def find_faults_of_layers(root, uses, layers):
    for source in sorted(os.listdir(os.path.join(root, RUNTIME))):
        if source.endswith(".c") and f"{RUNTIME}/{source}" not in layers:
            yield f"{RUNTIME}/{source} is in no layer of rooms.txt"
    for source in layers:
        if not os.path.exists(os.path.join(root, source)):
            yield f"rooms.txt: there is no {source}"
    for source, target, how in uses:
        # A header belongs to the layer of its file; one without a file is for all.
        low, high = (layers.get(path[:-1] + "c") for path in (source, target))
        if low and high and low < high:
            yield f"{source} {how} {target}, which is in a higher layer"


def find_faults_of_documents(root, rooms):
    with open(os.path.join(root, "docs/architecture.md")) as lines:
        told = [found.group(1) for found in (re.match(r"\| `([a-z_/]+)` \|", line) for line in lines) if found]
    told = [room for room in told if room.startswith(TOPS)]
    for room in rooms:
        if room not in told:
            yield f"docs/architecture.md does not say what {room} has"
    if not list(rooms) == told and set(rooms) == set(told):
        yield "docs/architecture.md has the rooms in another order than rooms.txt"
    for room in set(told) - set(rooms):
        yield f"docs/architecture.md tells of a room {room}, which is not in rooms.txt"


def main():
    root, build = sys.argv[1:3]
    here = os.path.dirname(os.path.abspath(__file__))
    table = read_table(os.path.join(here, "rooms.txt"))
    may, yet, parts, strict, circles = table.may, table.yet, table.parts, table.strict, table.circles
    graph, runtime = calls(objects(root, build)), calls(runtime_objects(root, build), table.pulls)
    of_runtime = list(uses_of_runtime(root, runtime))
    faults, seen = list(find_faults_of_layers(root, of_runtime, table.layers)), collections.defaultdict(set)
    if not runtime:
        faults.append("the runtime's objects are missing")
    faults += find_faults_of_documents(root, may)
    faults += [f"{s}: has no object in the build" for s in sources(root) if s.endswith(".c") and s not in graph and s not in table.choices]
    uses = [(s, t, "includes") for s in sources(root) for t in included(root, s)]
    uses += [(s, t, "calls " + symbol + " of") for s, targets in graph.items() for t, symbol in targets.items()]
    for source, target, how in uses:
        room, other = room_of(source, parts), room_of(target, parts)
        if room == other:
            continue
        seen[room].add(other)
        if room not in may:
            faults.append(f"{source}: the room {room} is not in rooms.txt")
        elif other not in may[room] | yet[room]:
            faults.append(f"{source} {how} {target}: {room} may not use {other}")
    order = list(may)
    for room in may:
        for other in may[room]:
            if other not in order or order.index(other) > order.index(room):
                faults.append(f"rooms.txt: {room} may not use {other}, which is not above it")
    for room in [*may, *parts, *strict]:
        if not os.path.isdir(os.path.join(root, room)):
            faults.append(f"rooms.txt: there is no {room}")
        for other in sorted(yet.get(room, set()) - seen[room]):
            faults.append(f"rooms.txt: {room} no longer uses {other}: take it away")
    found = find_circles(graph) + find_circles(runtime)
    for circle in found:
        if not any(circle <= known for known in circles):
            faults.append("these files call each other in a circle: " + " ".join(sorted(circle)))
    ties = modules(uses + of_runtime, parts, strict)
    for circle in find_circles(ties):
        faults.append("these modules use each other in a circle:" +
                      "".join(f"\n  {s} {how} {t}" for s in sorted(circle) for t, how in ties[s].items() if t in circle))
    for known in circles:
        if not any(circle <= known for circle in found):
            faults.append("rooms.txt: this circle is gone, take it away: " + " ".join(sorted(known)))
    for fault in sorted(set(faults)):
        print(fault)
    sys.exit(1 if faults else 0)


main()
