# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes studies of programs that never ran: studies.py SCHEMA.c KIND OUT.db [CONTEXTS]. The tables are those that
profiles/study/schema.c makes.

KIND: list, a renderer that walks back over all items before each (as cmark does), with times and a lock; worse, the same with
a sort that became quadratic and a function of its own; coarse, list with samples in its quadratic loop alone;
untargeted, list without targets; outgrown, list with
memory that grows; many, CONTEXTS contexts; hostile, whose names try to leave markup and
script; crew, a queue that some threads work on, with CONTEXTS further functions: runs at 1, 2, 4 and 8 threads; hasty, the same
where threads hand over a hundred times as often; chatty, where each hands over to all others."""
import json
import math
import os
import random
import re
import sqlite3
import sys

HOSTILE = ["</script><script>window.hurt=1</script>", "<img src=x onerror=window.hurt=1>", "a\u2028b\u2029c", "\"'`${window.hurt=1}",
           "<!-- <script>", "javascript:window.hurt=1", "very<deep<template<name, int>, std::vector<char>>>::operator()(long, long)",
           "\x1b[31mred", "&lt;b&gt;&#0;", "%SCALE_DATA%", "x" * 3000]
WORKLOAD = """<workload name="{name}"><title>{title}</title><parameter name="n" unit="items"><range low="{low}" high="{high}"/>
{targets}</parameter>{further}<command><arg>./prog</arg><arg>{{n}}</arg></command></workload>"""
FURTHER = """<parameter name="threads" base="{0}"><sizes>{1}</sizes></parameter>"""
FURTHER_COMMAND = "<arg>{threads}</arg>"


def schema(path, others):
    text = open(path, encoding="utf-8").read()
    for name in ("schema", "sc_study_schema_values", "sc_study_schema_usage") + others * ("sc_study_schema_others",):
        body = re.search(rf'char {name}\[\] =(.*?)(?<=");\n', text, re.S).group(1)
        yield "".join(json.loads(piece) for piece in re.findall(r'"(?:[^"\\]|\\.)*"', body))


class Study:
    def __init__(self, source, path, name, title, sizes, targets, repeats=1, timed=False, rss=lambda n: 5000,
                 threads=None):
        self.db = sqlite3.connect(path)
        self.db.executescript(f"PRAGMA application_id = 0x5343414c; PRAGMA user_version = {4 if threads else 3};")
        for sql in schema(source, bool(threads)):
            self.db.executescript(sql)
        self.timed = timed
        self.runs = []
        self.places = {}
        self.contexts = [(0, None, None)]
        workload = WORKLOAD.format(name=name, title=title, low=sizes[0], high=sizes[-1],
                                   targets=targets and f"<targets>{targets}</targets>",
                                   further=threads and FURTHER.format(threads[0], " ".join(map(str, threads))) or "")
        if threads:
            workload = workload.replace("<arg>{n}</arg>", "<arg>{n}</arg>" + FURTHER_COMMAND)
        for key, value in (("workload", workload), ("workload_hash", "0" * 16), ("command", "./prog {n}"), ("machine", "a test"),
                           ("versions", "scale-run test"), ("build", "b" * 16)):
            self.db.execute("INSERT INTO meta VALUES (?, ?)", (key, value))
        self.points = []  # of each run the parameters' values: n, or n and threads
        for n in sizes:
            for repeat in range(repeats):
                self.run(n, repeat, rss(n), threads and threads[0])
        for n in threads and (sizes[0], sizes[len(sizes) // 2], sizes[-1]) or ():
            for value in threads[1:]:
                self.run(n, 0, rss(n), value)

    def run(self, n, repeat, rss, threads):
        self.runs.append(n)
        self.points.append((n, threads) if threads else (n,))
        base = not threads or threads == self.points[0][1]
        row = (len(self.runs), n, "training" if base else "varied", repeat, 1, 1, 0, rss, 1, 1, 50, 0, 0, 0, 4000 if self.timed else 0, 0, 0,
               "task-clock" if self.timed else "", "b" * 16, "2026-01-01T00:00:00Z", 0, 0) + ((threads, None) if threads else ())
        self.db.execute(f"INSERT INTO run VALUES ({','.join('?' * len(row))})", row)

    def add(self, parent, kind, name, count=None, cost=0.0, file="", line=0):
        """`count`: of n and the run's number, with threads of n and those. `cost`: seconds of one execution."""
        place = (kind, name, file, line)
        if place not in self.places:
            self.places[place] = len(self.places) + 1
            self.db.execute("INSERT INTO location VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0)",
                            (self.places[place], kind, name, name, file, line, 3 if kind == "loop" else 0))
        self.db.execute("INSERT INTO context VALUES (?, ?, ?)", (len(self.contexts), parent, self.places[place]))
        self.contexts.append((parent, count, cost))
        return len(self.contexts) - 1

    def lock(self, context, hold):
        """A mutex that the context acquires as often as it is executed, and waits for at larger sizes."""
        self.db.execute("INSERT INTO resource VALUES (0, 'mutex', 'output_lock', '/src/out.c', 12, 0, 0, 0, 0)")
        for run, (n, *threads) in enumerate(self.points, 1):
            waits, holds = n // 10, n * (threads[0] if threads else 1)
            row = (run, 0, context, 0, "pthread_mutex_lock", 40, 0, "acquire", holds, 0, waits, 0, 0, 0, holds, 0, holds, holds, 0, 0, 1,
                   waits * hold / 2, holds, holds * hold, None)
            self.db.execute(f"INSERT INTO usage VALUES ({','.join('?' * len(row))})", row)
            self.db.execute("INSERT INTO wait_pair VALUES (?, 0, 0, ?, ?)", (run, waits, waits * hold / 2))
            self.db.execute("INSERT INTO occupancy VALUES (?, 0, 1, 2, 2, 1)", (run,))

    def heap(self, context):
        """The context takes 4 KiB for each item from the heap, and gives all back."""
        self.db.execute("INSERT INTO resource VALUES (1, 'heap', 'heap', '', 0, 0, 0, 0, 0)")
        for run, n in enumerate(self.runs, 1):
            units = 4096 * n
            row = (run, 1, context, 1, "malloc", 30, 0, "acquire", n, 0, 0, n, 0, 0, units, units, n, units, 0, 0, units, 0, 0, 0, None)
            self.db.execute(f"INSERT INTO usage VALUES ({','.join('?' * len(row))})", row)

    def close(self):
        rng = random.Random(3)
        for run, point in enumerate(self.points, 1):
            given = point if len(point) > 1 else (*point, run)
            values = [count(*given) if count else 0 for _, count, _ in self.contexts]
            for first in range(0, len(values), 4096):
                block = json.dumps(values[first:first + 4096], separators=(",", ":"))
                self.db.execute("INSERT INTO counts VALUES (?, ?, ?)", (run, first, block))
            for context, (_, _, cost) in enumerate(self.contexts):
                if cost:
                    self.db.execute("INSERT INTO costs VALUES (?, ?, ?, 0)", (run, context, values[context] * cost * rng.uniform(0.95, 1.05)))
        self.db.commit()
        self.db.close()


def write_list(source, path, kind):
    worse, targets = kind == "worse", "" if kind == "untargeted" else "30000 1000000"
    src = os.path.abspath("src")  # beside the study: some of it is there, some is not
    s = Study(source, path, "list", "A list of n items, rendered", [200, 400, 800, 1600, 3200, 6400], targets, repeats=3, timed=True,
              rss=lambda n: 5000 + (4 * n if kind == "outgrown" else 0))
    once, each = (lambda n, _: 1), (lambda n, _: n)
    main = s.add(s.add(0, "process", "prog"), "function", "main", once, 1e-4, f"{src}/main.c", 10)
    read = s.add(main, "function", "read_items", once, 1e-4, f"{src}/read.c", 5)
    loop = s.add(read, "loop", "read_items", lambda n, _: 2 * n + 3, 2e-6, f"{src}/read.c", 9)
    append = s.add(loop, "function", "store::append(item const&)", each, 1e-6, f"{src}/store.cc", 30)
    sort = s.add(main, "function", "sort_items", once, 1e-5, f"{src}/sort.c", 7)
    steps = (lambda n, _: n * n // 4) if worse else (lambda n, _: n * math.ceil(math.log2(n)))
    s.add(sort, "loop", "sort_items", steps, 2e-7, f"{src}/sort.c", 12)
    if worse:
        s.add(main, "function", "check_items", lambda n, _: 3 * n, 2e-6, f"{src}/check.c", 3)
    render = s.add(main, "function", "render", once, 1e-5, f"{src}/render.c", 20)
    items = s.add(render, "loop", "render", each, 1e-6, f"{src}/render.c", 25)
    node = s.add(items, "function", "render_node", each, 1e-6, f"{src}/render.c", 60)
    s.add(node, "loop", "render_node", lambda n, _: n * (n - 1) // 2, 1e-8, f"{src}/render.c", 66)
    noise = random.Random(7)
    out = s.add(node, "function", "write_out", lambda n, _: round(n * noise.uniform(0.9, 1.2)), 5e-7, f"{src}/out.c", 40)
    s.lock(out, 2e-6)
    s.heap(append)
    if kind == "coarse":
        s.contexts = [(parent, count, cost if cost == 1e-8 else 0) for parent, count, cost in s.contexts]
    s.close()


GROWTH = [lambda n: 1, lambda n: n, lambda n: n, lambda n: 3 * n + 7, lambda n: n * n.bit_length(), lambda n: n * (n - 1) // 2,
          lambda n: n * n // 50 + n]


def write_many(source, path, wanted, hostile):
    """Wide, with paths some 20 deep; every tenth count has noise, so that it has an interval."""
    s = Study(source, path, "many", "&lt;b&gt;many&lt;/b&gt; &amp; &lt;/title&gt;&lt;script&gt;window.hurt=1&lt;/script&gt;" if hostile else "Many contexts", [100, 200, 400, 800, 1600, 3200], "1000000")
    rng, seen = random.Random(1), set()
    last = s.add(s.add(0, "process", "synthetic"), "function", "main", lambda n, _: 1, 0, "/src/main.c", 1)
    while last < wanted:
        parent = rng.randrange(max(2, last // 3), last + 1) if rng.random() < 0.75 else rng.randrange(2, last + 1)
        place = rng.randrange(1800)
        if (parent, place) in seen:
            continue
        seen.add((parent, place))
        name = f"{HOSTILE[place % len(HOSTILE)]}{place}" if hostile else f"{('parse', 'insert', 'lookup', 'render', 'visit')[place % 5]}_{place}"
        file = f"/src/{'</script>' if hostile else 'part'}{place // 20}.c"
        growth, factor = GROWTH[rng.randrange(len(GROWTH))], rng.randrange(1, 2 + wanted // 50)
        noise = 0.1 if last % 10 == 3 else 0
        count = lambda n, run, g=growth, f=factor, e=noise, c=last: round(g(n) * f * (1 + e * math.sin(c + 7 * run)))
        last = s.add(parent, "loop" if place % 3 == 0 else "function", name, count, 0, file, place + 1)
    s.close()


# n threads rounds of a loop under a lock, hand_over n (threads - 1) times times(threads), and n (n - 1) / 2 steps whatever
# the threads.
def write_crew(source, path, wanted, times):
    src = os.path.abspath("src")
    s = Study(source, path, "crew", "A queue of n jobs", [100, 200, 400, 800, 1600], "1000000", timed=True, threads=(1, 2, 4, 8))
    main = s.add(s.add(0, "process", "prog"), "function", "main", lambda n, t: 1, 1e-4, f"{src}/main.c", 10)
    start = s.add(main, "function", "start", lambda n, t: t, 1e-5, f"{src}/start.c", 5)
    work = s.add(start, "loop", "start", lambda n, t: n * t, 1e-6, f"{src}/start.c", 9)
    s.lock(work, 1e-6)
    s.add(work, "function", "hand_over", lambda n, t: times(t) * n * (t - 1), 2e-6, f"{src}/start.c", 20)
    merge = s.add(main, "function", "render", lambda n, t: 1, 1e-5, f"{src}/render.c", 20)
    s.add(merge, "loop", "render", lambda n, t: n * (n - 1) // 2, 1e-8, f"{src}/render.c", 25)
    last = main
    for i in range(wanted):
        count = lambda n, t, i=i: (i + 2) * n * (t if i % 3 else 1) + i % 7
        last = s.add(last if i % 5 else main, "function", f"part_{i}", count, 1e-9, f"{src}/part.c", 10 * i + 1)
    s.close()


def main():
    source, kind, path = sys.argv[1:4]
    if kind in ("list", "worse", "coarse", "untargeted", "outgrown"):
        write_list(source, path, kind)
    elif kind in ("crew", "hasty", "chatty"):
        write_crew(source, path, int(sys.argv[4]), {"crew": lambda t: 1, "hasty": lambda t: 100, "chatty": lambda t: t}[kind])
    else:
        write_many(source, path, int(sys.argv[4]), kind == "hostile")


main()
