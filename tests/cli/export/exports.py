# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads what scale-run export writes: each reader gives {stack of names: {metric: value}} of own values."""
import gzip, json, re


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not data[at - 1] & 0x80:
            return value, at


def fields(data):
    """Protocol Buffers: (number, value) of each field; what has a length as bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        assert key & 7 in (0, 2), key
        value, at = varint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
            assert at <= len(data)
        yield key >> 3, value


def packed(data):
    values, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values


def pprof(path):
    profile = {}
    for number, value in fields(gzip.open(path).read()):
        profile.setdefault(number, []).append(value)
    strings = [text.decode() for text in profile[6]]
    assert strings[0] == ""
    types = [(strings[t[1]], strings[t[2]]) for t in map(dict, map(fields, profile[1]))]
    functions = {f[1]: f for f in map(dict, map(fields, profile[5]))}
    locations = {l[1]: dict(fields(l[4])) for l in map(dict, map(fields, profile[4]))}
    files = {strings[f[2]]: (strings[f.get(4, 0)], f.get(5, 0)) for f in functions.values()}
    samples = {}
    for sample in map(dict, map(fields, profile[2])):
        stack = tuple(strings[functions[locations[l][1]][2]] for l in reversed(packed(sample[1])))
        assert stack not in samples, stack
        samples[stack] = dict(zip((name for name, _ in types), packed(sample[2])))
    return {"types": types, "samples": samples, "files": files, "default": strings[profile[14][0]],
            "duration": profile.get(10, [0])[0],
            "comments": [strings[c] for c in profile[13]]}


def folded(path):
    lines = open(path).read().split("\n")
    assert lines.pop() == ""
    samples = {}
    for line in lines:
        stack, value = line.rsplit(" ", 1)
        assert stack not in samples, stack
        samples[tuple(stack.split(";"))] = int(value)
    return samples


def speedscope(path):
    document = json.load(open(path))
    assert document["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames = [frame["name"] for frame in document["shared"]["frames"]]
    profiles = {}
    for profile in document["profiles"]:
        assert profile["type"] == "sampled" and len(profile["samples"]) == len(profile["weights"])
        assert profile["startValue"] == 0 and abs(profile["endValue"] - sum(profile["weights"])) <= 1e-9 * profile["endValue"]
        metric = profile["name"].rsplit(": ", 1)[1]
        profiles[metric] = (profile["unit"], {tuple(frames[f] for f in stack): weight
                                              for stack, weight in zip(profile["samples"], profile["weights"])})
        assert len(profiles[metric][1]) == len(profile["weights"])
    active = document["profiles"][document["activeProfileIndex"]]["name"].rsplit(": ", 1)[1]
    return {"profiles": profiles, "active": active}


def callgrind(path):
    """Own and inclusive values of each function, and the summary."""
    names, own, calls, inclusive = {}, {}, {}, {}
    caller = callee = None
    skip = False
    for line in open(path):
        line = line.rstrip("\n")
        name = re.match(r"(fn|cfn)=\((\d+)\)(?: (.*))?$", line)
        if name:
            names.setdefault(name[2], name[3])
            assert names[name[2]] is not None and name[3] in (None, names[name[2]])
            if name[1] == "fn":
                caller = names[name[2]]
            else:
                callee = names[name[2]]
        elif line.startswith("events: "):
            events = line.split()[1:]
        elif line.startswith("summary: "):
            summary = dict(zip(events, map(int, line.split()[1:])))
        elif line.startswith("calls="):
            calls[caller, callee] = calls.get((caller, callee), 0) + int(line[6:].split()[0]) # once for each line
            skip = True
        elif re.match(r"\d", line):
            values = dict(zip(events, map(int, line.split()[1:])))
            if not skip:
                own[caller] = values
            total = inclusive.setdefault(caller, dict.fromkeys(events, 0))
            for event in events:
                total[event] += values[event]
            skip = False
    return {"events": events, "summary": summary, "own": own, "calls": calls, "inclusive": inclusive}
