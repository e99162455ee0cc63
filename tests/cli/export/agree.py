# SPDX-License-Identifier: GPL-3.0-or-later
"""agree.py STUDY N: the exports p.pb.gz, p.folded, x.folded (executions), p.speedscope, p.callgrind of the study at N say the
same, and what the study (measured; report.json tells what is taken out of its times) or `scale-run ask` (ask.json, predicted) says."""
import json, math, os, sqlite3, sys
import exports

study, n = sys.argv[1], float(sys.argv[2])
p, s, c = exports.pprof("p.pb.gz"), exports.speedscope("p.speedscope"), exports.callgrind("p.callgrind")
folded, executions = exports.folded("p.folded"), exports.folded("x.folded")
names = [name for name, unit in p["types"]]
units = ("bytes", "characters", "elements", "operations")  # of work of library functions, a sample type each
worked = [name for name in names if name in units]
assert worked == [unit for unit in units if unit in names] == names[len(names) - len(worked):]
cost = names[1] if len(names) > 1 + len(worked) else None
clean = lambda stack: tuple(name.replace(";", ":") for name in stack)
pick = lambda metric: {clean(k): v[metric] for k, v in p["samples"].items() if v[metric]}

# One with another.
assert names[0] == "executions" and p["types"][0][1] == "count"
assert executions == pick("executions")
for unit in worked:
    assert (unit, unit) in p["types"]
    assert pick(unit) and all(" at " in stack[-1] for stack in pick(unit)), pick(unit) # of calls of library functions alone
assert set(s["profiles"]) == {name for name in names if not name.endswith(("_low", "_high"))}
assert {name: unit for name, (unit, _) in s["profiles"].items() if name in units} == {
    name: "bytes" if name == "bytes" else "none" for name in worked}
assert folded == pick(p["default"]) and p["default"] == (cost or "executions") == s["active"]
for metric, (unit, samples) in s["profiles"].items():
    scale = 1e9 if unit == "seconds" else 1
    whole = {stack: values[metric] for stack, values in p["samples"].items()}
    for stack in set(samples) | set(whole):
        assert abs(samples.get(stack, 0) * scale - whole.get(stack, 0)) < 1.001, (stack, metric)
    assert abs(sum(samples.values()) * scale - sum(whole.values())) <= 0.5 + 1e-9 * sum(whole.values())
events = {"executions": "Executions"} | ({cost: "Nanoseconds" if cost == "cpu" else cost.replace("-", "_")} if cost else {})
events |= {unit: unit.capitalize() for unit in worked}
assert sorted(c["events"]) == sorted(events.values())
for metric, event in events.items():
    own = {}
    for stack, values in p["samples"].items():
        own[stack[-1]] = own.get(stack[-1], 0) + values[metric]
    assert {k: v[event] for k, v in c["own"].items() if v[event]} == {k: v for k, v in own.items() if v}
    assert c["summary"][event] == sum(own.values())
    roots = {stack[0] for stack in p["samples"]}
    assert sum(c["inclusive"][root][event] for root in roots) == c["summary"][event]
db = sqlite3.connect(study)
work = {name for name, in db.execute("SELECT display FROM location WHERE kind = 'work'")} # called as often as its caller runs
for (caller, callee), count in c["calls"].items():
    called = any(callee == name or callee.startswith((name + " at ", name + " (", name + " #")) for name in work)
    assert called or count == sum(v["executions"] for k, v in p["samples"].items() if k[-2:] == (caller, callee)), (caller, callee)

# With what they are made from.
total = {metric: sum(v[metric] for v in p["samples"].values()) for metric in names}
predicted = any("predicted" in comment for comment in p["comments"])
assert predicted == os.path.exists("ask.json")
if predicted:
    size = json.load(open("ask.json"))["sizes"][0]
    assert size["n"] == n
    weights = {"bytes": 1 / 64, "characters": 1 / 16}
    for unit in worked:
        count = sum(row["count"]["value"] for row in size["most_executed"] if row.get("counts") == unit)
        assert abs(total[unit] - count) <= 0.5 + 1e-12 * count, (unit, total, count)
    rows = [row["count"]["value"] * weights.get(row["counts"], 1) for row in size["most_executed"] if row.get("count")] # of contexts that have a model
    if len(rows) >= len(executions):
        assert abs(total["executions"] - sum(rows)) <= 0.5 + 1e-12 * sum(rows), (total, sum(rows))
    else:
        assert total["executions"] >= sum(rows), (total, sum(rows))
    if not cost:
        assert abs(total["executions"] - size["total"]["value"]) <= 0.5 + 1e-12 * total["executions"], (total, size["total"])
    if cost:
        scale = 1e9 if cost == "cpu" else 1
        assert abs(total[cost] - size["total"]["value"] * scale) <= 0.5 + 1e-12 * total[cost], (total, size["total"])
        if len(names) - len(worked) == 4:
            assert total[cost + "_low"] <= total[cost] <= total[cost + "_high"]
else:
    runs = "SELECT count(*) FROM run WHERE n = ?"
    kinds = "JOIN context c ON c.id = s.context JOIN location l ON l.id = c.location WHERE l.kind IN ('function', 'loop', 'work') AND n = ?"
    weight = "CASE WHEN l.kind = 'work' AND l.nth = 1 THEN 1.0 / 64 WHEN l.kind = 'work' AND l.nth = 2 THEN 1.0 / 16 ELSE 1 END"
    count = db.execute(f"SELECT sum(count * {weight}) FROM series s {kinds}", (n,)).fetchone()[0] / db.execute(runs, (n,)).fetchone()[0]
    assert abs(total["executions"] - count) <= 0.5, (total, count)
    for nth, unit in enumerate(units, 1):
        count = db.execute(f"SELECT sum(count) FROM series s {kinds} AND l.kind = 'work' AND l.nth = {nth}", (n,)).fetchone()[0] or 0
        count /= db.execute(runs, (n,)).fetchone()[0]
        assert abs(total.get(unit, 0) - count) <= 0.5 and (count > 0) == (unit in worked), (unit, total, count)
    if cost:
        sampled = db.execute(runs + " AND cost_event <> ''", (n,)).fetchone()[0]
        seconds = db.execute("SELECT sum(cost) FROM series WHERE n = ?", (n,)).fetchone()[0] / sampled
        taken = json.load(open("report.json"))["instrumentation"]["estimated_share"] or 0 # out of all times
        seconds *= 1 - taken
        assert abs(total[cost] - seconds * (1e9 if cost == "cpu" else 1)) <= 0.5 + 1e-9 * total[cost], (total, seconds)
