#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The budget of an attach: what is called too often goes within a second, and it is said which and when, in text and in the study;
# what tells something for little stays. A resource goes whole. Nothing is left behind, whatever ends scale-run.
. "$(dirname "$0")/../lib.sh"
. "$here/attach.sh"
need_uprobes

cat >busy.c <<'X'
#include <time.h>
#define NOINLINE __attribute__((noinline))
#define PUSHES   __asm__ volatile("push %%rax; pop %%rax" ::: "memory") /* cheap to probe */
NOINLINE void often(void) { PUSHES; }
NOINLINE void seldom(void) { PUSHES; }
NOINLINE int *get_often(int *slot) { PUSHES; return slot; }
NOINLINE void put_often(int *slot) { PUSHES; *slot = 0; }
NOINLINE int *get_seldom(int *slot) { PUSHES; return slot; }
NOINLINE void put_seldom(int *slot) { PUSHES; *slot = 0; }
static int slots[2];
static double now(void)
{
  struct timespec at;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
  return at.tv_sec + at.tv_nsec * 1e-9;
}
int main(void)
{
  for (;;) {
    double end = now() + 2e-3;
    while (now() < end)
      ;
    seldom();
    put_seldom(get_seldom(&slots[0]));
    for (int i = 0; i < 2000; i++)
      often();
    for (int i = 0; i < 500; i++)
      put_often(get_often(&slots[1]));
  }
}
X
"$plain_cc" -O2 -g -fno-ipa-sra -o busy busy.c || exit 1
cat >slots.json <<'X'
{"schema_version": 1, "resources": [
  {"name": "frequent", "class": "pool", "events": [
    {"function": "get_often", "event": "acquire", "unit": {"return": true}},
    {"function": "put_often", "event": "release", "unit": {"argument": 0}}]},
  {"name": "rare", "class": "pool", "events": [
    {"function": "get_seldom", "event": "acquire", "unit": {"return": true}},
    {"function": "put_seldom", "event": "release", "unit": {"argument": 0}}]}]}
X
./busy &
busy=$!
trap 'kill $busy 2>/dev/null; rm -rf "$work"' EXIT
for n in 1 2 3; do
  "$run" attach $busy -P n=$n --uprobes often,seldom --probes slots.json --for 2s -o busy.db >said 2>told || { fault "attach at $n"; cat said told; }
  grep -qE 'often dropped after [0-9.]+ ms: [0-9,]+ calls a second took' told || { fault 'what is called often stays'; cat told; }
  grep -q 'frequent dropped after' told || { fault 'a resource that costs too much stays'; cat told; }
  grep -qE 'seldom dropped|rare dropped' told && { fault 'what costs little goes'; cat told; }
done
"$run" report busy.db --format json >report.json || [ $? = 4 ] || fault 'no report'
valid report report.json
json report.json 'sorted(set(x["function"] for x in d["dropped"])) == ["get_often", "often", "put_often"]'
json report.json 'all("dropped after" in x["why"] and "budget 3.0%" in x["why"] for x in d["dropped"])'
"$run" report busy.db >out 2>&1
tr -s ' \n' ' ' <out | grep -q 'Counted in part: .*often of busy (dropped after' || { fault 'the report is silent about it'; cat out; }
python3 - <<'X' || fault 'other rows in the study'
import sqlite3, sys
study = sqlite3.connect("busy.db")
resources = {row[0] for row in study.execute("SELECT DISTINCT r.name FROM usage u JOIN resource r ON r.id = u.resource"
             " WHERE NOT EXISTS (SELECT 1 FROM discarded d WHERE d.via = u.via AND d.resource = r.name)")}
discarded = {(row[0], row[1]) for row in study.execute("SELECT via, resource FROM discarded")}
counts = {}
for n, path, count in study.execute("SELECT DISTINCT s.n, p.path, s.count FROM series s JOIN path p USING (context)"):
    counts[n, path.rsplit("/", 1)[-1]] = count
ratio = [counts[n, "often"] / counts[n, "seldom"] for n in (1, 2, 3)]
sys.exit((resources != {"rare"} or discarded != {("get_often", "frequent"), ("put_often", "frequent")} or
          not all(200 < r < 20000 for r in ratio)) and (print(resources, discarded, ratio) or 1))
X

# Within a large budget all stay; weights say what goes first.
"$run" attach $busy --uprobes often,seldom --overhead 10000% --for 1s -o all.db >said 2>told || fault 'attach without a budget'
grep -q dropped told && { fault 'something goes within the budget'; cat told; }
sed 's/"rare", /"rare", "weight": 2, /' slots.json >heavy.json
told 2 'has to be a number from 0 to 1' 'weight 1 are dropped last' "$run" attach $busy --probes heavy.json -o weight.db
sed 's/"rare", /"rare", "weight": 0.25, /' slots.json >light.json
"$run" attach $busy --probes light.json --overhead 10000% --for 1s -o weight.db >said 2>told || { fault 'a weight'; cat told; }

# Killed while it is attached: nothing is left, and the program goes on.
command -v bpftool >/dev/null || { echo 'no bpftool: what is left behind was not looked for'; exit $status; }
for signal in KILL TERM; do
  : >told
  "$run" attach $busy --uprobes often,seldom --probes slots.json --overhead 10000% --for 10min -o killed.db >/dev/null 2>told &
  pid=$!
  await_attached $pid
  die_by $signal $pid
done
kill -0 $busy || fault 'the program did not survive'
exit $status
