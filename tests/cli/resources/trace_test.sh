#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A probe set that describes a function wrongly: with --trace it is found out, named as the study is made and
# in the report, and left out of it, also where the study goes on later.
. "$(dirname "$0")/../lib.sh"
need_compiler
measure() { "$run" run -P n=8,16,32,64 --event none --no-report "$@" -- ./pool '{n}' >out 2>err || { cat out err; exit 1; }; }

cat >pool.c <<'C'
#include <stdlib.h>
static int buffers[8];
__attribute__((noinline)) int *get(int i) { return &buffers[i % 8]; }
__attribute__((noinline)) void look(int *buffer) { *buffer += 1; }
__attribute__((noinline)) void put(int *buffer) { *buffer = 0; }
int main(int argc, char **argv)
{
  for (int i = 0; i < atoi(argv[1]); i++) {
    int *buffer = get(i);
    look(buffer);
    put(buffer);
    look(buffer); /* so put gave nothing back */
  }
  return 0;
}
C
cat >pool.json <<'J'
{"schema_version": 1, "program": "pool", "resources": [{"name": "buffers", "class": "pool", "events": [
  {"function": "get", "event": "acquire", "unit": {"return": true}},
  {"function": "look", "event": "read", "unit": {"argument": 0}},
  {"function": "put", "event": "release", "unit": {"argument": 0}}]}]}
J
compile --scale-probes=pool.json -O1 -g -o pool pool.c

measure
"$run" report --format json >all || fault "no report"
json all 'd["resources"]["discarded"] == []'
json all 'any(r["name"] == "buffers" and any(n["metric"] == "releases" and n["measured"] > 0 for n in r["numbers"])
  for r in d["resources"]["list"])'

measure --restart --trace 4096
grep -qE 'warning: calls of put are left out of "buffers": ' err || { fault "the progress names nothing"; cat err; }
[ "$(grep -c 'left out of' err)" = 1 ] || { fault "it is named more than once"; cat err; }
"$run" report >text || fault "no report"
grep -q '^Events left out' text && grep -qE '^  - put of "buffers": ' text || { fault "the report names nothing"; cat text; }
"$run" report --format json >some
json some '[(e["function"], e["resource"]) for e in d["resources"]["discarded"]] == [("put", "buffers")]'
json some 'all(n["measured"] == 0 for r in d["resources"]["list"] if r["name"] == "buffers" for n in r["numbers"]
  if n["metric"] == "releases")'
json some 'any(n["metric"] == "acquires" and n["measured"] == d["range"]["max"] for r in d["resources"]["list"]
  if r["name"] == "buffers" for n in r["numbers"])'
exit $status
