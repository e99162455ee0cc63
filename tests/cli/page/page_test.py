# SPDX-License-Identifier: GPL-3.0-or-later
"""What the page shows, in a real browser: page_test.py SCALE_RUN FOLDER. FOLDER holds the pages list, many, hostile and
diff.html, and the study list.db."""
import base64
import json
import os
import re
import sqlite3
import subprocess
import sys

import data
from browser import Browser

RUN, FOLDER = sys.argv[1:]
faults = []


def check(good, what):
    if not good:
        faults.append(what)
        print(f"FAULT: {what}", flush=True)


def data_of(name):
    return data.combination(data.read(f"{FOLDER}/{name}.html"))


def ask(n, top=1000):
    out = subprocess.run([RUN, "ask", f"{FOLDER}/list.db", "--at", str(n), "--top", str(top), "--json"], check=True, capture_output=True)
    return json.loads(out.stdout)["sizes"][0]


def frames(b):
    """Width in pixels and place on the screen by context."""
    return {int(k): v for k, v in b.run("""
      const out = {};
      for (const item of document.querySelectorAll('[role=treeitem]')) {
        const box = item.getBoundingClientRect();
        out[item.dataset.context] = {x: box.x, y: box.y, width: box.width, height: box.height, label: item.ariaLabel};
      }
      return out;""").items()}


def find_frame(b, text):
    found = [f for f in frames(b).values() if text in f["label"]]
    check(found, f"no frame is called {text}")
    return found[0]


def slide(b, n, ends=None):
    b.run("""const input = document.getElementById('size');
      const [low, high] = arguments[1];
      input.value = 2000 * Math.log(arguments[0] / low) / Math.log(high / low);
      input.dispatchEvent(new Event('input'));""", n, ends or RANGE)
    b.settle()


def paths(study):
    """Every context's path in words, as `ask` prints it."""
    parents = [i - d for i, d in enumerate(study["contexts"]["parent"])]
    steps, out = [], {0: ()}
    for kind, name, file, line, column in study["locations"]:
        name, file = study["strings"][name].split("(")[0], study["strings"][file].split("/")[-1]
        kind = study["kinds"][kind]
        steps.append(f"loop {file}:{line}:{column}" if kind == "loop" else f"process {name}" if kind == "process" else f"{name} ({file}:{line})")
    for context in range(1, len(parents)):
        out[context] = out[parents[context]] + (steps[study["contexts"]["location"][context]],)
    return parents, out


def test_widths(b):
    """The share of every function the browser shows is the share that `ask` predicts, at measured sizes, targets, between."""
    study = DATA["head"]
    parents, words = paths(study)
    for n in (200, 6400, 30000, 65536, 1000000):
        slide(b, n)
        shown = frames(b)
        real = b.run("return Number(document.querySelector('.number').innerText.replace(/[^0-9.]/g, ''))")
        answer = ask(real)
        rows = {tuple(row["context"]["path"]): row["cost"]["value"] for row in answer["most_costly"]}
        check(len(rows) > 8, f"ask knows {len(rows)} contexts")
        inclusive = [rows.get(words[context], 0) for context in range(len(parents))]
        for context in range(len(parents) - 1, 0, -1):
            inclusive[parents[context]] += inclusive[context]
        whole = shown[0]["width"]
        worst = max(abs(f["width"] / whole - inclusive[c] / inclusive[0]) for c, f in shown.items())
        check(set(words.values()) >= set(rows), "ask knows contexts that the page has not")
        check(worst < 0.004, f"at {real} a frame is {worst:.2%} of the whole wider or narrower than ask says")
        check(abs(inclusive[0] / answer["total"]["value"] - 1) < 0.01, f"at {real} contexts are not all of the total")
    slide(b, 200)
    small = find_frame(b, "loop render.c:66")["width"]
    slide(b, 1000000)
    check(find_frame(b, "loop render.c:66")["width"] > 2 * small, "the quadratic loop does not widen")
    check("predicted" in b.text(".about"), "a size beyond the largest measured is not called predicted")
    check("n = 1,000,000" in b.run("return document.getElementById('size').ariaValueText || document.getElementById('size').getAttribute('aria-valuetext')"), "the slider does not say its size")


def stored(n):
    """What the study has for size n, by run: counts of all contexts, and the sum of their costs."""
    with sqlite3.connect(f"{FOLDER}/list.db") as db:
        runs = [run for run, in db.execute("SELECT id FROM run WHERE n = ?", (n,))]
        counts = [json.loads(db.execute("SELECT * FROM counts WHERE run = ?", (run,)).fetchone()[2]) for run in runs]
        costs = [sum(row[2] for row in db.execute("SELECT * FROM costs WHERE run = ?", (run,))) for run in runs]
    return counts, costs


def mean(values):
    return sum(values) / len(values)


def number(text):
    return float(re.search(r"[0-9][0-9,.]*", text).group().replace(",", ""))


def test_measured(b):
    """At a measured size stands what was measured, the mean over its runs, and beside it what the model says."""
    counts, costs = stored(1600)
    check(len(counts) == 3, f"the study has {len(counts)} runs of n = 1,600")
    b.open(f"{FOLDER}/list.html", "#n=1600&selected=12&tab=context")
    about, total, model = b.text(".about"), b.text(".total"), b.text(".bounds")
    check(about == "measured: mean of 3 runs", f"at a measured size it says {about!r}")
    check(re.search(r"^[\d.]+ m?s elapsed$", b.text(".elapsed")), f"elapsed are {b.text('.elapsed')!r}")
    check(total.endswith(", measured") and abs(number(total) - 1000 * mean(costs)) < 0.51, f"measured were {1000 * mean(costs):.2f} ms, not {total!r}")
    predicted = 1000 * ask(1600)["total"]["value"]
    check(model.endswith("by the model") and abs(number(model) - predicted) < 0.51, f"the model says {predicted:.2f} ms, not {model!r}")
    figures = b.text(".panel.context .figures").split("\n")
    check(b.text(".panel.context h2") == "write_out" and figures[0] == "calls", f"context 12 is {b.text('.panel.context h2')!r}: {figures}")
    calls = mean([run[12] for run in counts])
    check(abs(number(figures[1]) - calls) < 0.51 and "measured" in figures[1] and "by the model" in figures[1], f"measured were {calls:.1f} calls, not {figures[1]!r}")
    b.press("w")
    whole = mean([sum(run[2:]) for run in counts])
    check(b.text(".total").startswith(f"{whole / 1e6:.2f} million "), f"measured were {whole:.0f} executions, not {b.text('.total')!r}")
    b.press("w")
    slide(b, 1000)
    check(b.text(".about") == "within the sizes measured, by the model", f"between measured sizes it says {b.text('.about')!r}")
    check("measured" not in b.text(".total") + b.text(".bounds") + b.text(".panel.context .figures"), "between measured sizes something is called measured")


def test_not_sampled(b):
    """Costs that no sample fell on are unknown but for their upper end, not 0: in the table, the panel, the graph."""
    for n in (6400, 1000, 1000000):
        b.open(f"{FOLDER}/coarse.html", f"#n={n}&tab=table&selected=5&focus=5")
        b.press("4")
        shown = {"table": b.text(".panel.table"), "panel": b.run("return document.querySelector('.panel.context').textContent"),
                 "frames": " ".join(f["label"] for f in frames(b).values())}
        for where, text in shown.items():
            check(not re.search(r"\b0 s\b|\b0%|NaN|\?", text), f"at n = {n} the {where} give what was not sampled a cost: {text!r}")
        check(re.search(r"under [\d.]+ .s", shown["table"]) and "not sampled" in shown["table"], f"the table at {n}: {shown['table']!r}")
        check(re.search(r"not sampled · under [\d.]+ .s", shown["frames"]), f"the frames at {n}: {shown['frames']!r}")
        check(re.search(r"share of all\s*not sampled", shown["panel"]) and shown["panel"].count("under ") >= 6, f"the panel at {n}: {shown['panel']!r}")
        check(b.run("return document.querySelector('.panel.context .plot .interval')?.getAttribute('d')"), f"at {n} the plot has no interval")
    b.press("w")
    check("not sampled" not in b.text(".panel.table"), "executions are called not sampled")


def test_ticks(b):
    """Bytes stand at powers of 2."""
    b.open(f"{FOLDER}/list.html", "#tab=resources")
    b.run("[...document.querySelectorAll('.resource-list button')].find((x) => x.innerText.startsWith('heap')).click()")
    b.settle()
    b.run("[...document.querySelectorAll('.resource th .link')].find((x) => x.innerText === 'units acquired').click()")
    b.settle()
    ticks = b.run("return [...document.querySelector('.resource .plot .axis').querySelectorAll('text')].map((t) => t.textContent)")
    check(ticks == ["1 MiB", "32 MiB", "1 GiB"], f"800 KiB to 4 GiB have ticks at {ticks}")


def test_search(b):
    b.type("input[type=search]", "render.c")
    check(re.search(r"\d+ match(es)? · \d", b.text(".search .result")), f"search tells {b.text('.search .result')!r}")
    b.press("Enter")
    check("render" in b.text(".panel.context") or "render_node" in b.text("#panel-context") or
          b.run("return document.querySelector('[aria-selected=true][role=treeitem]') !== null"), "Enter goes to no match")
    b.press("Escape")
    b.type("input[type=search]", "/^render_no.e$/")
    count = b.text(".search .result")
    check(re.match(r"\d", count), f"a regular expression finds nothing: {count!r}")
    b.press("Escape")
    b.type("input[type=search]", "/((/")
    check("not a regular" in b.text(".search .result"), "a wrong expression is not called wrong")
    b.press("Escape")
    b.type("input[type=search]", "no such thing")
    check(b.text(".search .result") == "no match", "what is not there is found")
    b.press("Escape")
    check(b.text(".search .result") == "", "Escape leaves the search")


def test_click(b):
    """A click zooms and opens the context's plot, with the points that were measured."""
    slide(b, 30000)
    f = find_frame(b, "loop render.c:66")
    b.click_at(f["x"] + f["width"] / 2, f["y"] + f["height"] / 2)
    check(b.text(".panel.context h2") == "render_node", f"a click opened {b.text('.panel.context h2')!r}")
    check("0.5 n² − 0.5 n" in b.text(".panel.context .formula"), "the formula is not there")
    check("450 million" in b.text(".panel.context .figures"), "the iterations at n = 30,000 are not there")
    points = b.run("""document.querySelector('.panel.context [role=radio]').click();
      return document.querySelectorAll('.panel.context .picture > .plot .point').length""")
    check(points == 18, f"{points} points are shown, not one for each of 18 runs")
    check(find_frame(b, "loop render.c:66")["width"] > 0.99 * frames(b)[0]["width"], "a click does not zoom")
    b.press("Escape")
    check("loop render.c:66" not in b.text(".crumbs"), "Escape does not zoom out")
    b.click("#tab-findings")
    check("uperlinear" in b.text(".panel.findings .verdict"), "the findings do not begin with the verdict")
    b.click(".card .name")
    check(b.text(".panel.context h2") == "render_node", "a finding does not open its context")


def test_keyboard(b):
    """From the slider to a context's panel and back without a mouse."""
    b.open(f"{FOLDER}/list.html", "#n=6400")
    b.press("]")
    n = b.text(".number")
    check("30,000" in n, f"] goes to {n!r}")
    b.press("f", "Down", "Down")
    first = b.run("return document.querySelector('.flame').getAttribute('aria-activedescendant')")
    check(first, "the flame graph has no active frame")
    b.press("Enter")
    check(b.text(".panel.context h2") == "main", f"two down is {b.text('.panel.context h2')!r}")
    check(len(b.run("return [...document.querySelectorAll('.crumbs button')].map((x) => x.innerText)")) > 1, "Enter does not zoom")
    b.press("Escape", "Escape", "Escape", "Escape")
    check(b.text(".crumbs") == "whole workload", f"Escape ends at {b.text('.crumbs')!r}")
    b.press("n")
    check(b.text(".panel.context h2") == "render_node", "n goes to no finding")
    b.press("4")
    check(b.run("return document.getElementById('tab-table').ariaSelected") == "true", "4 shows no table")
    rows = b.run("return document.querySelectorAll('.panel.table tbody tr').length")
    check(rows > 10, f"the table has {rows} rows")
    b.press("?")
    check(b.run("return document.querySelector('dialog').open"), "? opens no help")
    b.press("Escape")
    check(not b.run("return document.querySelector('dialog').open"), "Escape does not close the help")
    b.press("w")
    check("executions" in b.text(".total"), "w does not change the width")
    for selector in ("#tab-findings", "input.size", ".flame", ".play"):
        check(b.run("return document.querySelector(arguments[0]).tabIndex >= 0 || arguments[0].startsWith('#tab')", selector), f"{selector} cannot be reached")
    unnamed = b.run("""return [...document.querySelectorAll('button, input, [role=tree], [role=img]')].filter((e) =>
      !(e.innerText || '').trim() && !e.getAttribute('aria-label')).map((e) => e.outerHTML.slice(0, 80))""")
    check(not unnamed, f"without a name: {unnamed}")


def test_at(b):
    """The page opens at the first size that the report or the run was asked for, without one at the largest measured; a
    link's size goes first."""
    for page, address, n in (("list", "", "30,000"), ("untargeted", "", "6,400"), ("at-50000,1000", "", "50,000"), ("at-10x", "", "64,000"),
                             ("at-50000,1000", "#n=1000", "1,000")):
        b.open(f"{FOLDER}/{page}.html", address)
        check(f"n = {n} " in b.text(".number") + " ", f"{page}.html{address} opens at {b.text('.number')!r}")


def test_reading(b):
    """No line beside the slider is cut, however wide the intervals: of the total, and of the elapsed time."""
    for width in (1400, 1000, 600):
        b.viewport(width, 900)
        for n in (6400, 30000, 1000000):
            b.open(f"{FOLDER}/list.html", f"#n={n}")
            cut = b.run("return [...document.querySelectorAll('.reading > *')].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.innerText)")
            check(not cut, f"at a width of {width} these are cut: {cut}")
            elapsed, bounds = b.text(".elapsed"), b.text(".bounds")
            check("elapsed" in elapsed, f"at {n} there is no elapsed time: {elapsed!r}")
            check(n == 6400 or " to " in elapsed and "95% interval" in bounds, f"at {n} there is no interval: {bounds!r}, {elapsed!r}")
    b.viewport(1440, 900)


def test_hatches(b):
    """Hatches tell frames apart by their own intervals, also where all costs together may be several times as high."""
    b.open(f"{FOLDER}/outgrown.html", "#n=1000000")
    study = data_of("outgrown")["head"]
    check(study["dearer"][-1] > 2, f"data that outgrow caches make all dearer by {study['dearer'][-1]}")
    sure = b.run("return [...document.querySelectorAll('[role=treeitem]')].map((e) => e.dataset.sure)")
    check(all(1 <= int(s) <= 3 for s in sure), f"hatches hold what all costs share: {sure}")
    check("all together up to" in b.text(".legend"), f"the legend is silent about what all share: {b.text('.legend')!r}")
    value, _, high = study["totals"][-1]
    check(high > 2 * value and b.text(".bounds").endswith(" h"), f"the total's interval lacks what all share: {b.text('.bounds')!r}")
    b.press("w")
    check("all together" not in b.text(".legend"), "executions become dearer")
    b.press("w")
    slide(b, 6400)
    check({*b.run("return [...document.querySelectorAll('[role=treeitem]')].map((e) => e.dataset.sure)")} == {"0"}, "measured sizes are hatched")
    check("all together" not in b.text(".legend"), "a measured size is dearer than measured")


def rows_of(b, selector):
    """Texts of a table's cells, each cell without what stands small below it, by the first."""
    rows = b.run("""return [...document.querySelectorAll(arguments[0] + ' > tbody > tr')].map((row) => [...row.children].map((cell) =>
      cell.innerText.split('\\n')[0]))""", selector)
    return {row[0]: row[1:] for row in rows}


def small_of(b, selector, column):
    """What stands small below a column's cells, by the first cell."""
    rows = b.run("""return [...document.querySelectorAll(arguments[0] + ' > tbody > tr')].map((row) => [row.children[0].innerText.split('\\n')[0],
      row.children[arguments[1]].querySelector('small')?.innerText ?? ''])""", selector, column)
    return dict(rows)


def in_units(text):
    units = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600, "million": 1e6, "billion": 1e9, "trillion": 1e12}
    value, _, unit = text.partition(" ")
    return number(value) * units.get(unit, 1)


def test_functions(b):
    """A function's self and total are what `ask` says of it in all its contexts; its callers and callees have their parts."""
    b.open(f"{FOLDER}/list.html", "#n=30000&view=functions")
    rows = rows_of(b, ".functions table")
    check(len(rows) == 7, f"functions: {list(rows)}")
    for name in ("main", "render", "render_node", "write_out", "sort_items"):
        out = subprocess.run([RUN, "ask", f"{FOLDER}/list.db", "--at", "30000", "--function", name, "--json"], check=True, capture_output=True)
        said = {v["metric"]: v["predicted"]["value"] for v in json.loads(out.stdout)["sizes"][0]["values"]}
        calls, own, total = (in_units(text) for text in rows[name][:3])
        for what, page, engine in (("calls", calls, said["calls"]), ("self", own, said["own time"]), ("total", total, said["time"])):
            check(abs(page / engine - 1) < 0.06, f"{what} of {name}: {page} on the page, {engine} by ask")
    check(rows["render_node"][4] == "n²", f"the order of render_node is that of its loop: {rows['render_node']}")
    order = lambda: list(rows_of(b, ".functions table"))
    check(order()[0] == "render_node", f"by self the first is {order()[0]}")
    b.run("[...document.querySelectorAll('.functions th button')].find((x) => x.innerText === 'total').click()")
    check(order()[0] == "main", f"by total the first is {order()[0]}")
    b.type("input[type=search]", "write")
    check(order() == ["write_out"], f"the search leaves {order()}")
    b.press("Escape")
    b.run("[...document.querySelectorAll('.functions th .link')].find((x) => x.innerText === 'render_node').click()")
    b.settle()
    check("fn=" in b.run("return location.hash"), "a link leads to no function")
    callers, callees = (rows_of(b, f".functions .two > section:nth-child({i}) table") for i in (1, 2))
    check(list(callers) == ["render"] and list(callees) == ["write_out"], f"callers {callers}, callees {callees}")
    check(callers["render"][0] == "30,000" and callers["render"][3] == "100%", f"the caller's part: {callers}")
    check(callees["write_out"][0] == rows["write_out"][0] and callees["write_out"][2] == rows["write_out"][2], f"the callee's part: {callees}, {rows['write_out']}")
    b.press("w")
    check(list(rows_of(b, ".functions .two > section table").values())[0][3] == "n²" and "executions" not in b.text(".functions .two"), "the total is executions, and stands twice")
    b.press("w")
    b.press("Escape")
    check(len(rows_of(b, ".functions table")) == 7, "Escape stays at one function")
    b.press("g")
    check(b.run("return document.querySelector('.view.functions').hidden && !document.querySelector('.flame-holder').hidden"), "g shows no graph")


def neighbours(b):
    """Rows of callers and callees by name."""
    return [rows_of(b, f".functions .two > section:nth-child({i}) table") for i in (1, 2)]


def choose_function(b, name):
    b.run("[...document.querySelectorAll('.functions th .link')].find((x) => x.innerText === arguments[0]).click()", name)
    b.settle()


def compare_neighbours(b, page, function):
    """Calls, executions, cost, share and order of a function's callers and callees are those of `ask --function`."""
    out = subprocess.run([RUN, "ask", f"{FOLDER}/{page}.db", "--at", "30000", "--function", function, "--json"], check=True, capture_output=True)
    size = json.loads(out.stdout)["sizes"][0]
    shown = neighbours(b)
    for i, (rows, side) in enumerate(zip(shown, ("callers", "callees")), 1):
        shares = small_of(b, f".functions .two > section:nth-child({i}) table", 4)
        said = {row["name"].split(" > ")[-1].split(" ")[0]: row for row in size[side] if row["name"] != "(the process itself)"}
        rows = {name: row for name, row in rows.items() if name != "process or thread"}
        check(set(rows) == set(said), f"{side} of {function}: {list(rows)} on the page, {list(said)} by ask")
        for name in set(rows) & set(said):
            calls, executions, cost, _, order = rows[name]
            engine = said[name]
            close = lambda text, value: abs(in_units(text) - value) <= 0.06 * value
            check(close(calls, engine["count"]) and close(executions, engine["executions"]["value"]) and close(cost, engine["inclusive"]["value"]),
                  f"{side} of {function}: {name} has {rows[name]}, by ask {engine}")
            check(abs(number(shares[name]) / 100 - engine["share"]) < 0.005, f"share of {name}: {shares[name]!r}, by ask {engine['share']}")
            check(order == engine.get("order", "–").replace("n^2", "n²"), f"order of {name}: {order!r}, by ask {engine.get('order')!r}")


def focused(b):
    return b.run("return document.activeElement.tagName + ' ' + document.activeElement.innerText")


def test_neighbours(b):
    """From a function one goes on to its callers and callees, by the keyboard as by the mouse."""
    b.open(f"{FOLDER}/list.html", "#n=30000&view=functions")
    for function in ("main", "render", "render_node", "read_items", "write_out"):
        choose_function(b, function)
        compare_neighbours(b, "list", function)
        b.press("Escape")
    b.run("[...document.querySelectorAll('.functions th .link')].find((x) => x.innerText === 'render_node').focus()")
    b.press("Enter")
    check(focused(b) == "H2 render_node", f"Enter on a function leads to {focused(b)!r}")
    for key in ("Tab", "Tab", "Tab"):  # frame, source, the first caller
        b.press(key)
    check(focused(b) == "BUTTON render", f"behind the name stands {focused(b)!r}")
    b.press("]")
    check("65,536" in b.text(".number") or "1,000,000" in b.text(".number"), f"] leads to {b.text('.number')!r}")
    check(focused(b) == "BUTTON render", f"another size takes the focus to {focused(b)!r}")
    b.press("Enter")
    check(b.text(".functions h2") == "render" and list(neighbours(b)[1]) == ["render_node"], f"the caller's page is {b.text('.functions')!r}")
    b.press("Escape")
    check(focused(b) == "BUTTON render", f"Escape leads to {focused(b)!r}")


def test_source(b):
    """Lines of the source with what is known of them; no more of it than was asked for, and nothing else."""
    pieces = {name: {data_of(name)["head"]["strings"][s["file"]].split("/")[-1]: s for s in data_of(name)["head"]["sources"]} for name in ("list", "bare", "short")}
    check(pieces["bare"] == {}, f"--sources 0 embeds {list(pieces['bare'])}")
    check(pieces["list"]["read.c"]["lacks"] == "file" and pieces["list"]["out.c"]["lacks"] == "file" and not pieces["list"]["render.c"]["lacks"], f"what is lacking: {pieces['list']}")
    check([p[0] for p in pieces["list"]["render.c"]["pieces"]] == [17, 57], f"functions of render.c begin at {[p[0] for p in pieces['list']['render.c']['pieces']]}")
    short = sum(len(text.encode()) for s in pieces["short"].values() for _, text in s["pieces"])
    check(0 < short <= 150 and pieces["short"]["render.c"]["lacks"] == "limit", f"--sources 150 embeds {short} bytes: {pieces['short']}")
    check("SECRET" not in json.dumps(pieces), "a file that is no source is embedded")
    b.open(f"{FOLDER}/list.html", "#n=30000&view=source")
    row = lambda line: b.run("""const row = [...document.querySelectorAll('.source tbody tr')].find((r) => r.cells[0].innerText === arguments[0]);
      return row && [...row.cells].map((c) => c.innerText)""", str(line))
    check(row(66)[1:3] == ["450 million", "0.5 n² − 0.5 n"] and row(66)[5] == "  while (n--) ; // <b>&amp;\\u202e", f"line 66 says {row(66)}")
    check(abs(in_units(row(66)[3]) / 4.5 - 1) < 0.1 and row(60)[1:3] == ["30,000", "n"], f"lines 66 and 60 say {row(66)}, {row(60)}")
    check(row(68) is None and row(12) is None, "more than functions is embedded")
    b.run("[...document.querySelectorAll('.source .known button')].find((x) => x.innerText === '66').click()")
    check("exactly" not in b.text(".source .details") and " to " in b.text(".source .details"), f"line 66 has no interval: {b.text('.source .details')!r}")
    slide(b, 6400)
    check(row(66)[1] == "20.5 million", f"at 6,400 line 66 says {row(66)}")
    b.press("n")
    check(b.text(".source tr.chosen th") == "66", f"the finding's line is {b.text('.source tr.chosen th')!r}")


def test_known_counts(b):
    """A real program's lines and functions: calls of count() are 3 n from main and one from rare()."""
    try:
        lines = open(f"{FOLDER}/shop.c", encoding="utf-8").read().split("\n")
    except OSError:
        print("there is no compiler")
        return
    at = lambda text: next(i for i, line in enumerate(lines, 1) if text in line)
    b.open(f"{FOLDER}/shop.html", "#view=functions")
    check("2,000" in b.text(".number"), f"the page of a run --at opens at {b.text('.number')!r}")
    rows = rows_of(b, ".functions table")
    check([rows[f][0] for f in ("scan", "count", "rare", "main")] == ["2,000", "6,001", "1", "1"], f"calls: {rows}")
    check(rows["scan"][1] == "4.00 million" and rows["scan"][4] == "n²", f"scan: {rows['scan']}")
    b.run("[...document.querySelectorAll('.functions th .link')].find((x) => x.innerText === 'count').click()")
    b.settle()
    callers = rows_of(b, ".functions .two > section:nth-child(1) table")
    check({name: row[0] for name, row in callers.items()} == {"main": "6,000", "rare": "1"}, f"callers of count: {callers}")
    b.press("s")
    row = lambda line: b.run("""const row = [...document.querySelectorAll('.source tbody tr')].find((r) => r.cells[0].innerText === arguments[0]);
      return [...row.cells].map((c) => c.innerText)""", str(line))
    call, loop, scan = at("    scan(n);"), at("void scan(long n)") + 5, at("void scan(long n)")
    check(lines[loop - 1].strip().startswith("for") and row(loop)[1:4] == ["4.00 million", "n²", "4.00 million"], f"the loop of scan: {row(loop)}")
    check(row(scan)[1:4] == ["2,000", "n", "2,000"], f"scan: {row(scan)}")
    check(row(call)[1:3] == ["2,000", "n"] and row(call)[4] == "4.00 million", f"the call of scan: {row(call)}")
    check(row(at("      count();"))[1:2] == ["6,000"] and row(at("static void rare(void)"))[1] == "1", "calls of count and rare")


def open_compiled(b, name, fragment=""):
    """Opens the page of a program that was compiled for it; whether there is one."""
    path = f"{FOLDER}/{name}.html"
    if not os.path.exists(path):
        print("there is no compiler")
        return False
    b.open(path, fragment)
    return True


def test_work(b):
    """What a library's function goes over: strcat 2 n^2 - 2 n bytes, one in 64 of them counts as an execution."""
    if not open_compiled(b, "cat", "#view=source"):
        return
    card = b.text(".panel.findings .card")
    check("strcat from main" in card and "call cat.c:7:5" in card and "undefined" not in card, f"the finding says {card!r}")
    cells = b.run("return [...[...document.querySelectorAll('.source tbody tr')].find((r) => r.cells[0].innerText === '7').cells].map((c) => c.innerText)")
    check(cells[1:3] == ["8.00 million bytes", "2 n² − 2 n"] and abs(in_units(cells[4]) / (7996000 / 64) - 1) < 0.01, f"line 7 says {cells}")
    slide(b, 200001, [50, 200001])
    counted = b.run("return [...document.querySelectorAll('.source tbody tr')].find((r) => r.cells[0].innerText === '8').cells[1].innerText")
    check(counted == "800,004 bytes", f"strlen goes over 4 n bytes, not {counted}")
    slide(b, 2000, [50, 200001])
    b.press("n")
    check(b.text(".panel.context .figures dt") == "bytes" and "8.00 million" in b.text(".panel.context .figures dd"), f"its panel says {b.text('.panel.context .figures')!r}")
    b.press("l")
    rows = rows_of(b, ".functions table")
    check(rows["strcat"][0] == "–" and rows["strcat"][4] == "n²" and abs(in_units(rows["strcat"][2]) / (7996000 / 64) - 1) < 0.01, f"strcat is {rows['strcat']}")
    check(rows["main"][0] == "1" and in_units(rows["main"][1]) == 2001, f"main is {rows['main']}")


def ends_of(text):
    """Both ends of "4.1 to 30 s": the unit may stand behind the second alone."""
    low, high = text.split(" to ")
    return in_units(low if " " in low else f"{low} {high.partition(' ')[2]}".strip()), in_units(high)


def test_same_intervals(b):
    """Functions have the intervals that `ask --functions` prints: what is not known of all costs together is in them."""
    for name, n in ("list", 30000), ("outgrown", 1000000):
        b.open(f"{FOLDER}/{name}.html", f"#n={n}&view=functions")
        shown = small_of(b, ".functions table", 2)
        out = subprocess.run([RUN, "ask", f"{FOLDER}/{name}.db", "--functions", "--at", f"{n},1000000", "--top", "9", "--json"], check=True, capture_output=True)
        told = {f["name"].partition(" (")[0]: f["self"] for f in json.loads(out.stdout)["sizes"][0]["functions"]}
        known = [f for f in told if " to " in shown.get(f, "") and told[f]["low"] > 0]
        check(len(known) >= 3, f"{name}: functions of both: {told}, {shown}")
        for function in known:
            for end, value in zip(ends_of(shown[function]), (told[function]["low"], told[function]["high"])):
                check(abs(end / value - 1) < 0.06, f"{name}: {function} is {shown[function]!r}, not {told[function]}")


def test_folded(b):
    """What the C++ library calls in turn belongs to the function that the program calls."""
    if not open_compiled(b, "app", "#view=functions"):
        return
    rows = rows_of(b, ".functions table")
    check(rows["vector::erase"][0] == "2,000" and rows["vector::erase"][4] == "n²", f"vector::erase: {rows['vector::erase']}")
    check(not [name for name in rows if name.startswith("_")], f"the library's own functions: {list(rows)}")
    places = b.run("return [...document.querySelectorAll('.panel.findings .card .quiet')].map((e) => e.innerText)")
    check(any("app.cpp:" in place for place in places), f"places: {places}")
    check(not [place for place in places if "/" in place], f"folders in places: {places}")
    b.run("[...document.querySelectorAll('.functions th .link')].find((x) => x.innerText === 'vector::erase').click()")
    b.settle()
    callers, callees = neighbours(b)
    check({name: row[0] for name, row in callers.items()} == {"Queue::pop": "2,000"}, f"callers of vector::erase: {callers}")
    check("vector::erase" not in callees, f"it calls itself: {callees}")


def test_long_path(b):
    """Of forty levels the root, where the order rises, and the last two; a click shows the others."""
    if not open_compiled(b, "app"):
        return
    steps = lambda: b.run("return [...document.querySelectorAll('.panel.context .path li button')].map((e) => e.innerText)")
    b.run("[...document.querySelectorAll('.panel.findings .link.name')].find((e) => e.innerText.includes('Nested')).click()")
    b.settle()
    short = steps()
    check(short[:2] == ["process app", "main"] and short[-2].startswith("loop") and short[-1].startswith("loop"), f"the path is {short}")
    check(len(short) <= 6 and any(re.fullmatch("… [0-9]+ levels", step) for step in short), f"the path is {short}")
    b.run("[...document.querySelectorAll('.panel.context .path li button')].find((e) => e.innerText.startsWith('…')).click()")
    check(len([step for step in steps() if "Nested" in step]) >= 40, f"the whole path is {steps()}")


def test_tip(b):
    """A frame's figures: at the mouse or at the frame that the keyboard is on, and nowhere else."""
    shown = lambda: b.run("const t = document.querySelector('.flame-holder .tip'); return t.hidden ? null : t.innerText")
    b.open(f"{FOLDER}/list.html", "#n=30000")
    check(shown() is None, f"the page opens with a tip: {shown()!r}")
    b.press("f")
    check("whole workload" in (shown() or ""), f"on the graph the tip is {shown()!r}")
    b.press("Down", "Down")
    check((shown() or "").startswith("main "), f"two down the tip is {shown()!r}")
    tip, frame = b.run("""const box = (s) => { const r = document.querySelector(s).getBoundingClientRect(); return [r.top, r.bottom]; };
      return [box('.flame-holder .tip'), box('[role=treeitem][aria-selected=true]')]""")
    check(0 <= tip[0] - frame[1] < 10 or 0 <= frame[0] - tip[1] < 10, f"the tip at {tip} is not at its frame at {frame}")
    before = shown()
    b.press("[")
    check(shown() and shown() != before, f"the tip keeps the figures of another size: {shown()!r}")
    b.press("Escape")
    check(shown() is None and "whole workload" == b.text(".crumbs"), "Escape leaves the tip")
    b.press("Down")
    check(shown() is not None, "there is no tip after Escape and another frame")
    b.press("n")
    check("render_node" in b.text(".panel.context h2") and shown() is None, f"a finding leaves the tip {shown()!r}")
    b.press("Up")
    check(shown() is not None, "there is no tip at a finding's caller")
    b.press("Tab")
    check(shown() is None, f"the focus goes and leaves the tip {shown()!r}")
    f = find_frame(b, "render_node, function")
    b.move_to(f["x"] + f["width"] / 2, f["y"] + f["height"] / 2)
    check((shown() or "").startswith("render_node "), f"the mouse gets the tip {shown()!r}")
    b.press("Escape")
    check(shown() is None, "Escape leaves the mouse's tip")
    b.click_at(f["x"] + f["width"] / 2, f["y"] + f["height"] / 2)
    check(shown() is None, f"a click that moves the frames leaves the tip {shown()!r}")


def paper(b):
    return b.run("return getComputedStyle(document.body).backgroundColor")


def test_themes(b):
    light = paper(b)
    b.scheme(True)
    b.settle()
    dark = paper(b)
    check(light != dark, "dark is as light")
    b.press("t")
    check(paper(b) == light, "t does not bring the light back")
    b.press("t")
    check(paper(b) == dark, "t does not bring the dark back")
    b.scheme(False)


def test_print(b):
    b.open(f"{FOLDER}/list.html", "#n=30000&tab=about")
    pdf = base64.b64decode(b.devtools("Page.printToPDF", printBackground=True)["data"])
    check(pdf.startswith(b"%PDF") and len(pdf) > 20000, "the page does not print")
    b.devtools("Emulation.setEmulatedMedia", media="print")
    shown = b.run("return ['.panel.findings', '.flame canvas', '.panel.about-study', '.search'].map((s) => document.querySelector(s).offsetParent !== null || document.querySelector(s).getClientRects().length > 0)")
    check(shown == [True, True, False, False], f"on paper are (findings, graph, about, search): {shown}")
    b.devtools("Emulation.setEmulatedMedia", media="")


def test_hostile(b):
    b.open(f"{FOLDER}/hostile.html", "#n=1000000&tab=table")
    check(b.run("return document.documentElement.dataset.ready") == "yes", "hostile names keep the page from loading")
    for key in ("1", "2", "3", "4", "n"):
        b.press(key)
    b.type("input[type=search]", "</script>")
    check(re.match(r"\d", b.text(".search .result")), "a hostile name is not found")
    b.press("Escape")
    b.press("l")
    b.run("[...document.querySelectorAll('.functions th .link')].find((x) => x.innerText.includes('hurt')).click()")
    b.settle()
    check("hurt=1" in b.text(".functions h2"), f"the function is called {b.text('.functions h2')!r}")
    check(sum(map(len, neighbours(b))), "a function of a hostile name has no callers and callees")
    check(b.run("return window.hurt === undefined && document.images.length === 0 && document.scripts.length <= 2"), "a name became markup or script")
    b.run("const s = document.createElement('script'); s.textContent = 'window.hurt = 2'; document.body.append(s)")
    check(b.run("return window.hurt === undefined"), "the policy lets scripts in")
    b.faults()  # the policy's complaint about that very script


def test_many(b):
    seconds = b.open(f"{FOLDER}/many.html", "#n=1000000")
    items = b.run("return document.querySelectorAll('[role=treeitem]').length")
    check(50 < items <= 301, f"{items} frames are described")
    print(f"many contexts: loaded in {seconds:.1f} s")


def test_diff(b):
    b.open(f"{FOLDER}/diff.html", "#n=1000000")
    check("grows" in b.text("#panel-findings").lower() or "faster" in b.text("#panel-findings").lower(), "no change is reported")
    widths = frames(b)
    check(any("new" in f["label"] or "×" in f["label"] or "+" in f["label"] for f in widths.values()), "no frame is called worse")
    b.press("b")
    check(b.run("return document.querySelector('.views [aria-label=Study] [aria-checked=true]').innerText") == "Base", "b does not show the base")
    check(not any("new against" in f["label"] for f in frames(b).values()), "the base has something new")
    b.press("c")
    check("constant" in b.text(".legend"), "c does not change the colours")


def test_accepted(b):
    b.open(f"{FOLDER}/accepted.html", "#n=1000000")
    cards = b.run("return [...document.querySelectorAll('.panel.findings ol:first-of-type > .card')].map((c) => c.innerText)")
    check("Accepted until 2999-12-31: lists are <short>" in cards[-1] and "✓ accepted" in cards[-1], f"the accepted finding's card: {cards}")
    check(all("ccepted" not in c for c in cards[:-1]), "others are marked as accepted")


def main():
    with Browser() as b:
        b.open(f"{FOLDER}/list.html")
        for test in (test_widths, test_measured, test_not_sampled, test_ticks, test_search, test_click, test_at, test_reading, test_hatches, test_functions, test_neighbours, test_source, test_known_counts, test_work, test_same_intervals, test_folded, test_long_path, test_tip, test_keyboard, test_themes, test_print, test_hostile, test_many, test_diff, test_accepted):
            before = len(faults)
            test(b)
            said = b.faults()
            check(not said, f"the console says {said}")
            print(f"{test.__name__}: {'ok' if len(faults) == before else 'FAILED'}", flush=True)
    sys.exit(1 if faults else 0)


DATA = data_of("list")
RANGE = [DATA["grid"][0], DATA["grid"][-1]]
main()
