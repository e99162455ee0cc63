# SPDX-License-Identifier: GPL-3.0-or-later
"""What the suites gave, as text."""
import results

HEAD = ("package", "version", "passed", "failed", "skipped", "passed", "failed", "skipped", "profiles", "read", "wrong", "seconds", "result")
ENDINGS = ("passed", "failed", "skipped")


def profiles(outcome):
    """Written, read and wrong, of all rounds."""
    return [sum(pair[1].profiles[i] for pair in outcome.rounds) for i in range(3)]


def verdict(outcome):
    if outcome.skipped:
        return "skipped"
    if outcome.failed:
        return "fails to build"
    written, _, wrong = profiles(outcome)
    if not any(one.tests for pair in outcome.rounds for one in pair):
        return "no tests read"
    if outcome.differing():
        return "DIFFERENT"
    if not written or wrong:
        return "PROFILES"
    return "same, some flaky" if results.judged(outcome.rounds) else "same"


def row(outcome):
    start = [outcome.package.name, outcome.package.version]
    if not outcome.rounds:
        return start + ["-"] * (len(HEAD) - 3) + [verdict(outcome)]
    plain, scale = outcome.rounds[-1]
    return start + [one.count(ending) for one in (plain, scale) for ending in ENDINGS] + \
        [*profiles(outcome), f"{plain.seconds:.0f}+{scale.seconds:.0f}", verdict(outcome)]


def progress(outcome):
    return f"{outcome.package.name}: {verdict(outcome)}{': ' if outcome.skipped or outcome.failed else ''}" \
        f"{outcome.skipped}{outcome.failed}"


def remarks(outcome):
    """What the table has no room for: why nothing was compared, which tests differ, which profiles cannot be read."""
    if outcome.skipped or outcome.failed:
        yield progress(outcome)
    for name, count in results.judged(outcome.rounds).items():
        kind = "differs" if name in outcome.differing() else "flaky"
        ended = "; ".join(f"{plain} / {scale}" for plain, scale in results.endings(outcome.rounds, name))
        yield f"{outcome.package.name}: {kind}: {name}: {ended}"
    for pair in outcome.rounds:
        yield from (f"{outcome.package.name}: profile: {wrong}" for wrong in pair[1].profiles[3])


def table(outcomes):
    lines = [list(map(str, line)) for line in [HEAD] + [row(outcome) for outcome in outcomes]]
    widths = [max(map(len, column)) for column in zip(*lines)]
    cells = [[cell.ljust(width) if i in (0, 1, len(HEAD) - 1) else cell.rjust(width) for i, (cell, width) in enumerate(zip(line, widths))]
             for line in lines]
    span = sum(widths[2:5]) + 4
    above = " " * (sum(widths[:2]) + 4) + "plain".center(span) + "  " + "instrumented".center(sum(widths[5:8]) + 4)
    text = [above.rstrip()] + ["  ".join(line).rstrip() for line in cells]
    told = [line for outcome in outcomes for line in remarks(outcome)]
    return "\n".join(text + ([""] + told if told else []))


def status(outcomes):
    wrong = [outcome for outcome in outcomes if verdict(outcome) not in ("same", "same, some flaky", "skipped")]
    if wrong:
        return 1
    return 0 if any(outcome.rounds for outcome in outcomes) else 77
