# SPDX-License-Identifier: GPL-3.0-or-later
"""What suites print, read into {test: "passed", "failed" or "skipped"}; and what differs between two builds."""
import collections
import re

# A kind of suite: lines that say how a test ended, its name in the first group. Of several about one test the worst counts.
KINDS = {
    "automake": {"passed": r"(?:PASS|XFAIL): (\S.*)", "failed": r"(?:FAIL|XPASS|ERROR): (\S.*)", "skipped": r"SKIP: (\S.*)"},
    "ctest": {"passed": r" *\d+/\d+ Test +#\d+: (.+?) \.* +Passed .*",
              "failed": r" *\d+/\d+ Test +#\d+: (.+?) \.*\*\*\*(?!Skipped|Not Run \(Disabled\)).*",
              "skipped": r" *\d+/\d+ Test +#\d+: (.+?) \.*\*\*\*(?:Skipped|Not Run \(Disabled\)).*"},
    "gtest": {"passed": r"(?:\d+: )?\[       OK \] (\S+).*", "failed": r"(?:\d+: )?\[  FAILED  \] (\S+) \(.*",
              "skipped": r"(?:\d+: )?\[  SKIPPED \] (\S+) \(.*"},
    "meson": {"passed": r" *\d+/\d+ (.+?) +(?:OK|EXPECTEDFAIL) .*", "failed": r" *\d+/\d+ (.+?) +(?:FAIL|TIMEOUT|ERROR|UNEXPECTEDPASS) .*",
              "skipped": r" *\d+/\d+ (.+?) +SKIP .*"},
    "prove": {"passed": r"(\S+\.t) \.+ ok", "failed": r"(\S+\.t) \.+ (?:Failed|Dubious|All).*", "skipped": r"(\S+\.t) \.+ skipped.*"},
    "redis": {"passed": r"\[ok\]: (.+?)(?: \(x = \d+\))?(?: \(\d+ ms\))?", "failed": r"\[(?:err|exception|timeout)\]: (.+)",
              "skipped": r"\[(?:ignore|skip)\]: (.+)"},
    "tap": {"passed": r"ok \d+ - ([^#]*[^# ])", "failed": r"not ok \d+ - ([^#]*[^# ]).*", "skipped": r"ok \d+ - ([^#]*[^# ]) *# (?i:skip).*"},
}
WORST = ("passed", "skipped", "failed")


class Round(collections.namedtuple("Round", "tests status seconds profiles")):
    """Of one run of a suite: its tests, how it ended, how long it took, and its profiles (those of an instrumented one)."""

    def count(self, ending):
        return sum(1 for how in self.tests.values() if how == ending)


def patterns(read):
    """READ: kinds, or a table of its own; a key "numbered" there: names repeat, and each line is a test of its own."""
    return [KINDS[kind] for kind in read.split()] if isinstance(read, str) else [dict(read)]


def read(lines, said):
    """Reads the LINES that a suite printed by the patterns SAID."""
    wanted = [(ending, re.compile(kind[ending])) for kind in said for ending in WORST if ending in kind]
    numbered = any(kind.get("numbered") for kind in said)
    tests, times = {}, collections.Counter()
    for line in lines:
        for ending, pattern in wanted:
            found = pattern.fullmatch(re.sub(r"\x1b\[[0-9;]*m", "", line.rstrip()))
            if not found:
                continue
            name = found.group(1)
            times[name] += 1
            if numbered and times[name] > 1:
                name = f"{name} ({times[name]})"
            tests[name] = max(ending, tests.get(name, ending), key=WORST.index)
    return tests


def endings(rounds, name):
    """How test NAME ended in each round: [(plain, scale), ...]."""
    if name == "the suite":
        return [tuple(one.status for one in pair) for pair in rounds]
    return [tuple(one.tests.get(name, "missing") for one in pair) for pair in rounds]


def judged(rounds):
    """{test that ended differently in a round: in how many}."""
    names = {name for pair in rounds for one in pair for name in one.tests} | {"the suite"}
    unlike = {name: sum(plain != scale for plain, scale in endings(rounds, name)) for name in sorted(names)}
    return {name: count for name, count in unlike.items() if count}


def differing(rounds):
    """Those that did in most rounds."""
    return [name for name, count in judged(rounds).items() if 2 * count > len(rounds)]
