# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a study of a program that never ran: make_study.py MADE_BY_SCALE_RUN.db OUT.db CONTEXTS [hostile]

The first study gives the tables. Counts follow known functions of n; every tenth context has noise, so that it has an
interval. With "hostile" names try to leave the page's script and markup."""
import json
import random
import shutil
import sqlite3
import sys

SIZES = [100, 200, 400, 800, 1600, 3200]
GROWTH = [lambda n: 1, lambda n: n, lambda n: n, lambda n: 3 * n + 7, lambda n: n * n.bit_length(), lambda n: n * (n - 1) // 2,
          lambda n: n * n // 50 + n]
HOSTILE = ["</script><script>window.hurt=1</script>", "<img src=x onerror=window.hurt=1>", "a\u2028b\u2029c", "\"'`${window.hurt=1}",
           "<!-- <script>", "javascript:window.hurt=1", "very<deep<template<name, int>, std::vector<char>>>::operator()(long, long)",
           "\x1b[31mred", "&lt;b&gt;&#0;", "%SCALE_DATA%", "x" * 3000]


def tree(count, seed):
    """(parent, place, growth, factor): wide, with paths some 20 deep."""
    rng = random.Random(seed)
    rows = [(0, 0, 0, 1), (1, 1, 0, 1)]
    while len(rows) < count:
        parent = rng.randrange(max(1, len(rows) // 3), len(rows)) if rng.random() < 0.75 else rng.randrange(1, len(rows))
        rows.append((parent + 1, 2 + rng.randrange(1800), rng.randrange(len(GROWTH)), rng.randrange(1, 1 + count // 50)))
    return rows


def main():
    made, out, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    hostile = "hostile" in sys.argv[4:]
    shutil.copy(made, out)
    db = sqlite3.connect(out)
    run_row = db.execute("SELECT * FROM run LIMIT 1").fetchone()
    columns = [row[1] for row in db.execute("PRAGMA table_info(run)")]
    for table in ("costs", "counts", "usage", "wait_pair", "occupancy", "discarded", "resource", "model", "finding", "run_module", "run",
                  "failure", "context", "location"):
        db.execute(f"DELETE FROM {table}")
    db.execute("INSERT INTO location VALUES (0, 'root', '', '', '', 0, 0, 0, 0, 0, 0)")
    db.execute("INSERT INTO context VALUES (0, 0, 0)")
    for i in range(1, 1803):
        kind = "process" if i == 1 else "function" if i == 2 or i % 3 else "loop"
        name = "synthetic" if i == 1 else "main" if i == 2 else f"{['parse', 'insert', 'lookup', 'render', 'visit'][i % 5]}_{i}"
        if hostile and i > 2:
            name = HOSTILE[i % len(HOSTILE)] + str(i)
        file = "" if i == 1 else f"/src/part{i // 20}.c" if not hostile else f"/src/</script>{i}.c"
        db.execute("INSERT INTO location VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0)", (i, kind, name, name, file, i if i > 1 else 0, 3 if kind == "loop" else 0))
    rows = tree(count, 1)
    seen = set()
    kept = {0: 0, 1: 1}
    contexts = []
    for number, (parent, place, growth, factor) in enumerate(rows, 1):
        above = kept[parent if number > 1 else 0]
        key = (above, place + 1)
        if key in seen:
            kept[number] = above
            continue
        seen.add(key)
        kept[number] = len(contexts) + 1
        contexts.append((above, place + 1, growth, factor))
    for number, (above, place, _, _) in enumerate(contexts, 1):
        db.execute("INSERT INTO context VALUES (?, ?, ?)", (number, above, place))
    rng = random.Random(2)
    for run, n in enumerate(SIZES, 1):
        row = dict(zip(columns, run_row), id=run, n=n, role="training", repeat=0, cost_event="", samples=0)
        db.execute(f"INSERT INTO run VALUES ({','.join('?' * len(columns))})", [row[c] for c in columns])
        values = [0] + [0 if place == 1 else GROWTH[growth](n) * factor * (rng.randrange(900, 1100) if i % 10 == 3 else 1000) // 1000
                        for i, (_, place, growth, factor) in enumerate(contexts)]
        for first in range(0, len(values), 4096):
            db.execute("INSERT INTO counts VALUES (?, ?, ?)", (run, first, json.dumps(values[first:first + 4096], separators=(",", ":"))))
    db.execute("DELETE FROM meta WHERE key IN ('plan_stop', 'repeated_up_to')")
    db.commit()
    db.execute("VACUUM")
    db.close()


main()
