#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Bugs of the kinds that gigiprofiler's Table 3 lists, as models in tests/programs/cases: what discover proposes from
# the code alone is built in as it is, and a study of it names the program's own resource first. Of what is mended
# (-DFIXED) it says nothing about that resource, of pools and queues up to the largest size measured.
# Timed: waits for a pool and a queue.
. "$(dirname "$0")/../lib.sh"
need_compiler
command -v python3 >/dev/null || exit 77
cases=$here/../../programs/cases

study() { # NAME SOURCE OPTION PARAMETER=SIZES [PARAMETER=TARGET]: NAME.json is the report of the program with the probes that were discovered
  local name=$1 source=$2 option=$3 sizes=$4 compiler=$cc
  [ "${source%.cpp}" = "$source" ] || compiler=${cc%cc}c++
  "$compiler" -O2 -g --scale-facts $option "$cases/$source" -o "$name" || { fault "$source does not build"; return; }
  "$run" discover "./$name" -o "$name.probes" >/dev/null || { fault "discover $name"; return; }
  "$compiler" -O2 -g $option --scale-probes="$PWD/$name.probes" "$cases/$source" -o "$name.probed" || { fault "$name with probes"; return; }
  "$run" run -P "$sizes" --event none --quiet --no-report ${5:+--at "$5"} -o "$name.db" -- "./$name.probed" "{${sizes%%=*}}" >/dev/null || fault "run $name"
  "$run" report --format json "$name.db" >"$name.json" || fault "report $name"
}
# NAME RULE RESOURCE [CONDITION]: the first finding about a resource, but for one about the condition behind it, whose units are
# the same: that may be the only one, as waits of both are
first() {
  python3 - "$@" <<'P' || fault "$1: the first is not $2 of $3"
import json, sys
name, rule, resource, *condition = sys.argv[1:]
found = [(f["rule"], f["resource"]["name"]) for f in json.load(open(name + ".json"))["resources"]["findings"]]
print(name, found)
found = [(r, n) for r, n in found if n not in condition] or [(r, resource) for r, n in found]
sys.exit(not found or found[0][0] != rule or not found[0][1].startswith(resource))
P
}
silent() { # NAME: nothing about resources that discover found
  python3 - "$1" <<'P' || fault "$1: a finding about what is mended"
import json, sys
found = [(f["rule"], f["resource"]["name"]) for f in json.load(open(sys.argv[1] + ".json"))["resources"]["findings"] if f["resource"]["probe"]]
print(sys.argv[1], found)
sys.exit(len(found))
P
}

# ---- grows without bound: nothing purges the undo log (MySQL, c1), nobody returns an aborted transaction's tuples (PostgreSQL, c12)
study undo undo_log.c "" n=100..1600
first undo leak undo_rec
study undo_mended undo_log.c -DFIXED n=100..1600
silent undo_mended
study reorder reorder_buffer.c "" n=100..1600
first reorder leak tuple_buf
study reorder_mended reorder_buffer.c -DFIXED n=100..1600
silent reorder_mended

# ---- one query has nearly all of a pool (MySQL, c4), a queue has too few places (MariaDB, c7), buffers wait for clients (Apache, c13)
study pool buffer_pool.c "" sessions=1,2,4,8,16
first pool contention buf_block buf_pool::no_free
# What the condition tells of the pool's pages is what the probes do: one thread has sixty of the 64 at a time.
python3 - <<'P' || fault "a pool is another one by its condition than by its probes"
import json, sys
found = [r for r in json.load(open("pool.json"))["resources"]["list"] if r["class"] == "semaphore" or r["name"].startswith("buf_block")]
measured = [{n["metric"]: n["measured"] for n in r["numbers"]} for r in found]
hold = [m["mean hold time"] for m in measured]
print([(r["name"], r["capacity"]) for r in found], hold)
sys.exit(not (len(found) == 2 and 64 in [r["capacity"] for r in found] and max(hold) < 1.1 * min(hold)))
P
study pool_mended buffer_pool.c -DFIXED sessions=1,2,4,8,16 sessions=16
silent pool_mended
study queue apply_queue.cpp "" clients=1,2,4,8
first queue contention replica::WriteSet replica::ApplyQueue::not_empty_
python3 - <<'P' || fault "what to do about a queue that nobody holds"
import json, sys
advice = [f["advice"] for f in json.load(open("queue.json"))["resources"]["findings"] if f["resource"]["name"].startswith("replica::WriteSet")]
print(advice)
sys.exit(not advice or "give them back sooner, above all in replica::Applier::run" not in advice[0])
P
study queue_mended apply_queue.cpp -DFIXED clients=1,2,4,8 clients=8
silent queue_mended

study buffers send_buffers.c "" clients=4,8,12,16,24
first buffers contention send_buffer some_free
study buffers_mended send_buffers.c -DFIXED clients=4,8,12,16,24 clients=24
silent buffers_mended

# ---- metadata is held too long (MariaDB, MDEV-34989): a lock for several readers, made of two counters --------------------
"$cc" -O2 -g --scale-facts "$cases/metadata_lock.c" -o metadata && "$run" discover ./metadata --json >metadata.json || fault "discover metadata"
python3 - <<'P' || fault "the lock of the metadata"
import json, sys
found = [(r["mechanism"], sorted((e["event"], e["function"], e["shared"]) for e in r["events"] if e["event"] != "wait"))
         for r in json.load(open("metadata.json"))["resources"]]
print(found)
sys.exit(found != [("lock", [("acquire", "mdl_acquire_exclusive", False), ("acquire", "mdl_acquire_shared", True),
                             ("release", "mdl_release_exclusive", False), ("release", "mdl_release_shared", False)])])
P
exit $status
