#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# From source to probes: a program is built with facts, its resources are discovered, it is built again with the probe set,
# and does the same; its profile counts what was acquired and released.
. "$(dirname "$0")/../lib.sh"
need_compiler
command -v python3 >/dev/null || exit 77
for level in -O0 -O2; do
  "$cc" $level -g -pthread --scale-facts "$here/server.c" -o server || { fault "scale-cc --scale-facts $level"; exit 1; }
  "$run" discover server -o probes.json --json >found.json 2>err || { fault "discover $level"; cat err; }
  json found.json '{(e["linkage_name"], e["event"]) for r in d["resources"] for e in r["events"] if e["proposed"]} ==
    {("pool_obtain", "acquire"), ("pool_give", "release"), ("job_submit", "acquire"), ("job_fetch", "release"),
     ("page_create", "acquire"), ("page_hold", "acquire"), ("page_drop", "release")}'
  json found.json '{r["mechanism"]: r["unit_type"] for r in d["resources"]} ==
    {"free list": "connection", "queue": "job", "references": "page"}'
  json found.json '"page_scan" in {r["linkage_name"] for r in d["rejected"]}'
  json probes.json 'all(e.get("unit") for r in d["resources"] for e in r["events"])'
done
"$cc" -O2 -g -pthread --scale-probes="$PWD/probes.json" "$here/server.c" -o probed || { fault "scale-cc --scale-probes"; exit 1; }
[ "$(./probed 20)" = "$(./server 20)" ] || fault "another output"
mkdir prof
SCALE_PROFILE_DIR=prof ./probed 20 >/dev/null
"$run" dump prof/*.scprof >dump
for name in 'connection: free list pool.free' 'job: queue queue.head' 'page: references page.refcount'; do
  grep -qF "$name" dump || { fault "$name is not in the profile"; cat dump; }
done
# What a field owns, and slots that are told by number: each call is one, of the unit that it says.
cxx=$SCALE_BUILD/bin/scale-c++
"$cxx" -O2 -g --scale-facts "$here/members.cpp" -o members || { fault "scale-c++ --scale-facts"; exit 1; }
"$run" discover members -o members.json --json >found.json 2>err || { fault "discover members"; cat err; }
json found.json '{(r["mechanism"], e["linkage_name"], e["event"], str(e["unit"])) for r in d["resources"] for e in r["events"] if e["proposed"]} ==
  {("members", "_Z13session_beginP7Session", "acquire", str({"argument": 0})),
   ("members", "_Z11session_endP7Session", "release", str({"argument": 0})),
   ("free list", "_Z8slot_getP5Table", "acquire", str({"return": True})),
   ("free list", "_Z8slot_putP5TableP4Slot", "release", str({"argument": 1}))}'
"$cxx" -O2 -g --scale-probes="$PWD/members.json" "$here/members.cpp" -o probed_members || fault "scale-c++ --scale-probes"
mkdir members.prof
SCALE_PROFILE_DIR=members.prof ./probed_members 20 >/dev/null
"$run" dump members.prof/*.scprof >dump
for what in 'Cursor: members Session.cursor  session_begin.* acquires 20, .*units returned 20, peak 20$' \
  'Cursor: members Session.cursor  session_end.* releases 20, units released 20$' \
  'free list Table.unused  slot_get.* acquires 5, .*units returned 5, peak 5$' \
  'free list Table.unused  slot_put.* releases 5, units released 5$'; do
  grep -q "$what" dump || { fault "$what"; grep resource dump; }
done
SCALE_FACTS= "$cc" -O2 "$here/server.c" -pthread -o plain && expect 2 'plain has no facts' "$run" discover plain
exit $status
