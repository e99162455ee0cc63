# SPDX-License-Identifier: GPL-3.0-or-later
"""The measurements. Most return a dictionary: subject -> variant -> value; what couldn't be measured is a text."""
import os
import statistics
import struct
import subprocess
from concurrent.futures import ThreadPoolExecutor

import build
import run
import subjects

SLOW = 5  # what takes this many times its base's time is run in the first rounds only
SLOW_ROUNDS = 3


def build_all(work, names, table, say):
    """subject -> variant -> Build, or a text that says why it is missing."""
    built, listed = {}, {}
    for name in names:
        say(f"building {name}")
        subject = listed[name] = subjects.load(work, name)
        built[name] = {}
        for variant in table.values():
            if variant.missing():
                built[name][variant.name] = "missing"
                continue
            try:
                flags = ["-O2", *variant.flags]
                built[name][variant.name] = build.build(work, subject, variant.build, variant.cc, flags, variant.extra)
            except build.BuildError as error:
                say(f"{name} does not build as {variant.name}: {error}")
                built[name][variant.name] = "no build"
    return listed, built


def profile_of(directory):
    """Bytes and nodes of the profile in DIRECTORY (docs/scprof-format.md: nodes at offset 56)."""
    size = nodes = 0
    for name in os.listdir(directory):
        if name.endswith(".scprof"):
            path = os.path.join(directory, name)
            size += os.path.getsize(path)
            with open(path, "rb") as stream:
                nodes += struct.unpack_from("<Q", stream.read(64), 56)[0]
    return {"profile_bytes": size, "nodes": nodes}


class Times:
    """Runs all variants of all subjects in turn, so that what slows the machine meets them alike."""

    def __init__(self, runner, listed, built, table, over):
        self.runner, self.listed, self.built, self.table, self.over = runner, listed, built, table, over
        self.seconds, self.elapsed, self.memory, self.profile, self.failed = {}, {}, {}, {}, {}

    def one(self, name, variant, round_number):
        made, key = self.built[name][variant], (name, variant)
        if isinstance(made, str):
            self.failed[key] = made
        if key in self.failed:
            return
        base = self.seconds.get((name, self.table[variant].base))
        limit = self.over * statistics.median(base) if base and variant not in ("plain", "gcc") else 600
        before = self.seconds.get(key)
        if before and round_number >= SLOW_ROUNDS and statistics.median(before) > SLOW * statistics.median(base):
            return
        try:
            look = profile_of if variant == "scale" else None
            used = self.runner.time(self.table[variant], made.path, self.listed[name].arguments["time"], limit, look,
                                    self.listed[name].cores)
        except run.RunError as error:
            self.failed[key] = "failed"
            print(f"{name} as {variant}: {error}", flush=True)
            return
        if used.seconds >= limit:
            self.failed[key] = f"over {self.over:g}"
            return
        self.seconds.setdefault(key, []).append(used.seconds)
        self.elapsed.setdefault(key, []).append(used.elapsed)
        self.memory.setdefault(key, []).append(used.memory)
        if used.left:
            self.profile[name] = used.left

    def all(self, rounds, say):
        order = list(self.table)
        for number in range(rounds):
            say(f"round {number + 1} of {rounds}")
            for name in self.listed:
                for variant in order if number == 0 else order[number % len(order):] + order[:number % len(order)]:
                    self.one(name, variant, number)

    def ratios(self):
        """subject -> variant -> its median by that of its base, or a text."""
        return {name: {variant: self.ratio(name, variant) for variant in self.table} for name in self.listed}

    def elapsed_ratios(self):
        """The same of elapsed time, of the subjects that run on all cores."""
        return {name: {variant: self.ratio(name, variant, self.elapsed) for variant in self.table}
                for name, subject in self.listed.items() if subject.cores == "all"}

    def ratio(self, name, variant, values=None):
        key, base = (name, variant), (name, self.table[variant].base)
        if key in self.failed or base in self.failed:
            return self.failed.get(key) or self.failed[base]
        values = values or self.seconds
        return statistics.median(values[key]) / statistics.median(values[base])


def instructions(runner, listed, built, table, names, jobs=2):
    """subject -> variant -> instructions, for the variants NAMES. How often threads wait for each other differs from run
    to run, so programs that have them are counted five times; the median."""
    tasks = [(name, variant) for name in listed for variant in names
             if isinstance(built[name].get(variant), build.Build)
             for _ in range(5 if listed[name].cores == "all" else 1)]
    count = lambda name, variant: runner.instructions(table[variant], built[name][variant].path,
                                                      listed[name].arguments["count"])
    with ThreadPoolExecutor(jobs) as pool:
        counted = list(pool.map(lambda task: count(*task), tasks))
    runs = {name: {} for name in listed}
    for (name, variant), value in zip(tasks, counted):
        runs[name].setdefault(variant, []).append(value)
    return {name: {variant: statistics.median(values) for variant, values in of.items()} for name, of in runs.items()}


def sections(path):
    """Bytes of each kind of section in the ELF file PATH: text, sites (what the pass adds to read), other."""
    output = subprocess.run(["llvm-readelf-19", "-SW", path], capture_output=True, text=True, check=True).stdout
    sizes = {"text": 0, "sites": 0}
    for line in output.splitlines():
        fields = line.partition("]")[2].split()
        if len(fields) > 7 and fields[1] == "PROGBITS" and "A" in fields[6]:
            if "X" in fields[6]:
                sizes["text"] += int(fields[4], 16)
            elif fields[0] == "scale_sites":
                sizes["sites"] += int(fields[4], 16)
    return sizes


def sizes(built):
    """subject -> text of the subject's own objects as plain and with scale-cc, their sites."""
    result = {}
    for name, variants in built.items():
        result[name] = {}
        for variant in ("plain", "scale"):
            parts = [sections(path) for path in variants[variant].objects]
            result[name][variant] = {kind: sum(part[kind] for part in parts) for kind in parts[0]}
    return result


def first_calls(work, runner, table, times=11):
    """Microseconds of processor time of a thread's first call of an instrumented function: the medians of TIMES runs."""
    subject = subjects.Subject("threads", [subjects.own("threads.c")], {})
    program = build.build(work, subject, "scale", table["scale"].cc, ["-O2", "-pthread"]).path
    kinds = {"a thread's first call, no profile": None, "a thread's first call, profile": table["scale"]}
    found = {kind: [] for kind in kinds}
    for _ in range(times):
        for kind, variant in kinds.items():
            found[kind].append(float(runner.time(variant, program, []).output))
    return found


def start_up(work, runner, table, times=201):
    """Median microseconds of processor time: a program that does nothing, from start to end; a thread's first call."""
    subject = subjects.Subject("start", [subjects.own("start.c")], {})
    made = {name: build.build(work, subject, name, table[name].cc, ["-O2"]) for name in ("plain", "scale")}
    kinds = {"plain": (None, made["plain"]), "scale, no profile": (None, made["scale"]),
             "scale, profile": (table["scale"], made["scale"])}
    found = {kind: [] for kind in kinds}
    for _ in range(times):
        for kind, (variant, program) in kinds.items():
            found[kind].append(runner.time(variant, program.path, []).seconds * 1e6)
    linked = {name: sections(made[name].path)["text"] for name in made}
    found.update(first_calls(work, runner, table))
    return {kind: statistics.median(values) for kind, values in found.items()}, linked["scale"] - linked["plain"]
