#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What runs make of what was discovered: in one command, with probes, with a trace; of several studies; and what is said to
# studies that tell nothing.
. "$(dirname "$0")/../lib.sh"
need_compiler
command -v python3 >/dev/null || exit 77
measure() { "$run" run -P n=100,200,400,800 --event none --quiet --no-report "$@"; }
compile -O2 -g --scale-facts "$here/measured.c" -o measured

# ---- in one command: calls tell, no probes are needed ------------------------------------------------------------------
"$run" run -P n=100,200,400,800 --event none --quiet --discover probes.json -- ./measured {n} >out 2>err || { fault "run --discover"; cat err; }
tr '\n' ' ' <out | grep -q 'Measured at n = 100 to 800: of 10 proposed events 6 ran and are kept, 2 are rejected, 2 did not run. ' || fault "the verdict"
grep -q '^Next: review probes.json, then build with it: scale-cc --scale-probes=$PWD/probes.json$' out || fault "what is next"
json probes.json '{r["name"]: [e["function"] for e in r["events"]] for r in d["resources"]} ==
  {"connection: free list pool.free": ["pool_obtain", "pool_give"], "ticket: objects": ["ticket_new", "ticket_free"],
   "buffer: objects": ["buffer_create", "buffer_destroy"], "session: objects": ["session_open", "session_close"]}'
json probes.json '[(r["function"], "ran 3 times at n = 100, 3 times at n = 800" in r["reason"]) for r in d["rejected"]] ==
  [("table_create", True), ("table_destroy", True)]'
json probes.json '"of 10 proposed events 6 ran and are kept" in d["description"]'
json probes.json 'd["resources"][0]["events"][1]["reason"].endswith("ran 104 times at n = 100, 804 times at n = 800")'
[ -x "$cc" ] && expect 0 '^  ticket_free +release' "$cc" --scale-check-probes probes.json
columns=100 expect 0 'up to 400 stayed: kept on purpose, or a leak' "$run" discover --study scale.db
expect 0 'not run' "$run" discover ./measured --study scale.db
"$run" discover --study scale.db --json >found.json || fault "--json"
json found.json 'd["studies"] == [{"study": "scale.db", "parameter": "n", "smallest": 100, "largest": 800, "runs": 5}]'
json found.json 'd["verdict"] == {"proposed": 10, "kept": 6, "weak": 0, "rejected": 2, "not_run": 2}'
json found.json '{r["linkage_name"]: r["by_run"] for r in d["rejected"]} == {"table_create": True, "table_destroy": True}'
json found.json '[e["measured"]["calls"] for e in d["resources"][1]["events"]] == [800, 400]'
"$run" discover ./measured --json >unmeasured.json || fault "without a study"
json unmeasured.json 'd["studies"] == [] and d["verdict"] == None and
  all(e["measured"] == None for r in d["resources"] for e in r["events"])'

# ---- with probes: units are paired by their addresses ---------------------------------------------------------------------
compile -O2 -g --scale-facts --scale-probes="$PWD/probes.json" "$here/measured.c" -o probed
measure -o probed.db -- ./probed {n} || fault "run with probes"
"$run" discover --study probed.db --json >found.json || fault "with probes"
json found.json '{r["linkage_name"]: r["reason"].split(":")[0] for r in d["rejected"]} ==
  {"table_create": "does not grow with the size", "table_destroy": "does not grow with the size",
   "buffer_create": "nothing gives back what it acquires", "buffer_destroy": "gives back what nothing here acquires"}'
json found.json 'd["resources"][0]["balance"] == "at n = 800 acquired 800 times, given back 800 times; 4 different; at most 1 out at a time"'
json found.json '[e["measured"]["probes"]["came_back"] for e in d["resources"][1]["events"] if e["event"] == "acquire"] == [400]'

# ---- a trace tells which of the two is wrong -------------------------------------------------------------------------------
measure -o traced.db --trace 65536 -- ./probed {n} 2>err || fault "run with a trace"
"$run" discover --study traced.db --json >found.json || fault "with a trace"
json found.json '["nobody had acquired the unit" in r["reason"] for r in d["rejected"] if r["linkage_name"] == "buffer_destroy"] == [True]'

# ---- what grows in one of several studies stays -----------------------------------------------------------------------------
cat >tables.sh <<'T'
#!/bin/sh
for i in $(seq "$1"); do ./measured 10; done
T
chmod +x tables.sh
"$run" run -P runs=1,2,4,8 --event none --quiet --no-report -o runs.db -- ./tables.sh {runs} || fault "run of runs"
expect 0 'ran 3 times at runs = 1, 24 times at runs = 8' "$run" discover --study scale.db --study runs.db
tr '\n' ' ' <out | grep -q 'Measured at n = 100 to 800 and runs = 1 to 8: of 10 proposed events 8 ran and are kept, 0 are rejected' || fault "two studies"

# ---- studies that tell nothing: one message, one hint, nothing printed -----------------------------------------------------
refuse() { # STATUS PATTERN HINT COMMAND...
  told "$@"
  [ -s out ] && fault "something was printed: $*"
  [ "$(grep -c '^scale-run: error: ' err)" = 1 ] || fault "not one message: $*"
}
compile_computing other 2
"$run" run -P n=100,200,400 --event none --quiet --no-report -o other.db -- ./other {n} || fault "another program"
refuse 2 'the study other.db ran none of these functions' 'a study of this program' "$run" discover measured --study other.db
refuse 2 'other has no facts about its source' 'scale-facts' "$run" discover --study other.db
refuse 2 'there is no study none.db' 'scale-run run' "$run" discover measured --study none.db
refuse 2 'say which program to look at' 'scale-run discover PATH' "$run" discover
printf 'nonsense' >bad.db
told 2 'bad.db' '.' "$run" discover measured --study bad.db
printf '#!/bin/sh\n[ "$1" = 100 ] && exec ./measured 100\n' >once.sh
chmod +x once.sh
"$run" run -P n=100,200 --event none --quiet --no-report -o one.db -- ./once.sh {n} >/dev/null 2>&1
refuse 4 'the study one.db has runs of one size' 'growth shows between two sizes' "$run" discover measured --study one.db
SCALE_FACTS= "$cc" -O2 "$here/measured.c" -o plain || fault "without facts"
told 2 'plain has no facts' 'the runs are kept: scale-run discover PROGRAM --study plain.db' measure -o plain.db --discover plain.json -- ./plain {n}
[ -e plain.json ] && fault "a probe set of nothing"
expect 0 'ran 104 times at n = 100' "$run" discover measured --study plain.db
exit $status
