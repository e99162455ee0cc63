# SPDX-License-Identifier: GPL-3.0-or-later
"""A page of several combinations of further parameters, in a real browser: several_test.py SCALE_RUN FOLDER. FOLDER holds the
study crew.db and its pages crew (threads = 8, 64 and, of another size, 1), list of ten and crew-diff.html (against hasty.db), and chatty-diff.html."""
import json
import re
import subprocess
import sys

import data
from browser import Browser

RUN, FOLDER = sys.argv[1:]
faults = []
PLACES = ((8, 1000000), (64, 1000000), (1, 100000))  # threads and n of crew.html


def check(good, what):
    if not good:
        faults.append(what)
        print(f"FAULT: {what}", flush=True)


def ask(threads, n):
    out = subprocess.run([RUN, "ask", f"{FOLDER}/crew.db", "--at", f"n={n},threads={threads}", "--json"], check=True, capture_output=True)
    return json.loads(out.stdout)


def rounded(value):
    return f"{value:,}" if value < 999500 else f"{value / 1e6:.{2 if value < 9.995e6 else 1 if value < 99.95e6 else 0}f} million"


def in_seconds(text):
    found = re.match(r"([0-9.]+) (ms|s|min|h)", text)
    return float(found.group(1)) * {"ms": 1e-3, "s": 1, "min": 60, "h": 3600}[found.group(2)]


def cells(b, selector, first):
    """Texts of the row whose first cell begins so, each without what stands small below it."""
    return b.run("""const row = [...document.querySelectorAll(arguments[0] + ' tbody tr')].find((r) => r.cells[0].innerText.startsWith(arguments[1]));
      return row && [...row.cells].map((c) => c.innerText.split('\\n')[0])""", selector, first)


def choose(b, threads):
    b.click(f".combinations [aria-label='threads = {threads}']")


def test_data(b):
    """What all combinations have in common is in the page once."""
    page = data.read(f"{FOLDER}/crew.html")
    check([c["further"]["threads"] for c in page["combinations"]] == [8, 64, 1], f"combinations: {[c['further'] for c in page['combinations']]}")
    check(json.dumps(page).count("// the only line") == 1, "the source is not there once")
    for i, (threads, n) in enumerate(PLACES):
        one = page["combinations"][i]
        check(not {"sources", "strings", "locations"} & set(one["head"]) and "parent" not in one["head"]["contexts"], "a combination repeats what is common")
        check(one["head"]["targets"] == [n] and one["head"]["at"] == n, f"targets at threads = {threads}: {one['head']['targets']}")
    both = data.read(f"{FOLDER}/crew-diff.html")
    check(len(both["combinations"]) == 2 and not both["base"]["sources"] and both["head"]["sources"], "the source of a base is in the page")


def test_switch(b):
    """Everything follows the switch, and what is looked at stays: a size as far as the other combination reaches."""
    b.open(f"{FOLDER}/crew.html")
    check(b.run("return document.title") == "A queue of n jobs - scale-run", f"the title is {b.run('return document.title')!r}")
    b.type("input[type=search]", "hand_over")
    b.press("Enter")
    for threads, n in (*PLACES, (8, 100000)):
        choose(b, threads)
        calls = n * (threads - 1)
        check(b.text("h1") == f"A queue of n jobs (threads = {threads})", f"the heading is {b.text('h1')!r}")
        check(f"n = {n:,} " in b.text(".number"), f"at threads = {threads} the size is {b.text('.number')!r}")
        spoken = b.run("return document.getElementById('size').getAttribute('aria-valuetext')")
        check(f"n = {n:,}," in spoken, f"the slider says {spoken!r}")
        total = ask(threads, n)["points"][0]["total"]["value"]
        check(abs(in_seconds(b.text(".total")) / total - 1) < 0.02, f"in total {total:.1f} s, not {b.text('.total')!r}")
        check("1 match" in b.text(".search .result"), f"the search says {b.text('.search .result')!r}")
        b.press("1")
        check(f"threads = {threads}: " in b.text(".verdict"), f"the verdict: {b.text('.verdict')!r}")
        b.press("2")
        check(b.text(".panel.context h2") == "hand_over", f"at threads = {threads} the panel is about {b.text('.panel.context h2')!r}")
        figures = b.text(".panel.context .figures").split("\n")
        check(figures[:1] == ["calls"] and figures[1].startswith(rounded(calls)), f"{calls} calls, not {figures}")
        b.press("4")
        row = cells(b, ".panel.table", "hand_over")
        check(row[1] == rounded(calls) if calls else not row, f"the table says {row} at threads = {threads}")


def test_views(b):
    """Functions, source, resources and findings at each combination, whichever is looked at when it changes."""
    b.open(f"{FOLDER}/crew.html", "#n=100000&view=functions&tab=resources&selected=4")
    for threads in (64, 1, 8):
        choose(b, threads)
        row = cells(b, ".functions", "start")
        check(row[1] == str(threads), f"start is called {row[1]} times at threads = {threads}")
        if b.run("return document.querySelectorAll('.resource').length") == 0:
            b.click(".resource-list button")
        row = cells(b, ".resource", "acquires")
        check(row[2] == rounded(100000 * threads), f"the lock at threads = {threads}: {row}")
    b.press("s")
    row = lambda line: cells(b, ".source > table", line)
    for threads in (64, 8, 1):
        choose(b, threads)
        check(row("9")[1] == rounded(100000 * threads), f"line 9 at threads = {threads}: {row('9')}")
    check(b.text(".source option:checked") == "start.c", "the file changed with the combination")
    check(row("5")[1] == "1", f"line 5: {row('5')}")


def test_keyboard(b):
    """The switch without a mouse, and a link that leads back."""
    b.open(f"{FOLDER}/crew.html", "#combination=1&n=1600")
    check("threads = 64" in b.text("h1"), f"the link leads to {b.text('h1')!r}")
    b.press(".")
    check("threads = 1)" in b.text("h1"), f". leads to {b.text('h1')!r}")
    b.press(".")
    check("threads = 8" in b.text("h1"), f"behind the last comes {b.text('h1')!r}")
    b.press(",", ",")
    check("threads = 64" in b.text("h1") and "n = 1,600" in b.text(".number"), f"two back is {b.text('h1')!r}, {b.text('.number')!r}")
    check("combination=1" in b.run("return location.hash"), "the address has no combination")
    b.press("Tab")
    check(b.run("return document.activeElement.getAttribute('aria-label')") == "threads = 8", "Tab does not lead to the switch")
    b.press("Enter")
    check("threads = 8" in b.text("h1"), f"Enter leads to {b.text('h1')!r}")
    check(b.run("return document.activeElement.getAttribute('aria-checked')") == "true", "the switch lost the focus")
    check(b.run("return document.querySelectorAll('.combinations [aria-checked=true]').length") == 1, "not one is chosen")
    b.press("?")
    check("combination" in b.text("dialog"), "the help has no keys of combinations")
    b.press("Escape")


def test_many(b):
    """More than a few are a list to choose from."""
    b.open(f"{FOLDER}/ten.html")
    names = b.run("return [...document.querySelectorAll('.combinations option')].map((o) => o.innerText)")
    check(names == [str(t) for t in range(1, 11)], f"to be chosen from: {names}")
    b.run("const s = document.querySelector('.combinations select'); s.value = '6'; s.dispatchEvent(new Event('change'))")
    b.settle()
    check("threads = 7" in b.text("h1"), f"the seventh is {b.text('h1')!r}")
    b.press(".")
    check(b.run("return document.querySelector('.combinations select').value") == "7", "the list does not follow the key")
    for width in (1440, 1000, 600):
        b.viewport(width, 900)
        b.settle()
        check(b.run("return document.documentElement.scrollWidth <= innerWidth"), f"at a width of {width} the page is wider than the window")
    b.viewport(1440, 900)


def test_diff(b):
    """hand_over is called a hundred times as often, which one thread never calls."""
    b.open(f"{FOLDER}/crew-diff.html")
    check("No difference beyond noise" in b.text("#panel-findings"), f"at one thread there is a change: {b.text('#panel-findings')!r}")
    choose(b, 8)
    check("hand_over" in b.text(".card .name") and "No difference" not in b.text("#panel-findings"), f"at 8 threads: {b.text('#panel-findings')!r}")
    check(re.search(r"7\.00 million\s+700 million", b.text(".card table")), f"calls: {b.text('.card table')!r}")
    b.press("b")
    b.press("4")
    check(cells(b, ".panel.table", "hand_over")[1] == "7.00 million", f"the base's calls: {cells(b, '.panel.table', 'hand_over')}")
    choose(b, 1)
    check(b.run("return document.querySelector('.views [aria-label=Study] [aria-checked=true]').innerText") == "Base", "the switch leaves the base")


def test_along(b):
    """Each thread hands over to all others, which one thread never does: the change is along threads."""
    change = next(c for c in data.read(f"{FOLDER}/chatty-diff.html")["combinations"][0]["comparison"]["changes"] if c.get("along"))
    check(change["along"] == {"parameter": "threads", "at": 8, "n": 1e6}, f"where: {change['along']}")
    check((change["base"]["model"]["order"], change["head"]["model"]["order"]) == ("threads", "threads^2"), f"orders: {change}")
    b.open(f"{FOLDER}/chatty-diff.html")
    card = b.text(".card")
    check("hand_over" in card and re.search(r"threads \u2192 threads(\^2|\u00b2)", card), f"the card: {card!r}")
    check("at 1,000,000, threads = 8" in card, f"where the factor is: {card!r}")
    check(re.search(r"1,000,000, threads = 8\s+7\.00 million\s+56\.0 million", b.text(".card table")), f"calls: {b.text('.card table')!r}")


def main():
    with Browser() as b:
        for test in (test_data, test_switch, test_views, test_keyboard, test_many, test_diff, test_along):
            before = len(faults)
            test(b)
            said = b.faults()
            check(not said, f"the console says {said}")
            print(f"several: {test.__name__}: {'ok' if len(faults) == before else 'FAILED'}", flush=True)
    sys.exit(1 if faults else 0)


main()
