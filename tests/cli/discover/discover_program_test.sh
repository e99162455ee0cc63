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
SCALE_FACTS= "$cc" -O2 "$here/server.c" -pthread -o plain && expect 2 'plain has no facts' "$run" discover plain
exit $status
