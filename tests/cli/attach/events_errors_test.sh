#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What uprobes cannot catch of a probe set is named event by event, with the reason, before anything runs and in the report;
# nothing is a silent zero. The program is not harmed: C++ exceptions pass, and nobody's return is watched there.
. "$(dirname "$0")/../lib.sh"
. "$here/attach.sh"
need_uprobes

cat >mixed.c <<'X'
#include <stdlib.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline))
static NOINLINE void *box_get(int size) { void *box = malloc((size_t)size); __asm__ volatile("" : "+r"(box)); return box; }
static NOINLINE void box_put(void *box) { __asm__ volatile("" : "+r"(box)); free(box); }
static inline __attribute__((always_inline)) int tiny_get(int i) { __asm__ volatile(""); return i; }
NOINLINE void tiny_put(int i) { __asm__ volatile("" : "+r"(i)); }
NOINLINE int many(int a, int b, int c, int d, int e, int f, int g) { __asm__ volatile(""); return a + b + c + d + e + f + g; }
NOINLINE void few(double first, int unit) { __asm__ volatile("" : "+r"(unit)); }
int main(int argc, char **argv)
{
  for (int i = 0; i < atoi(argv[1]); i++) {
    box_put(box_get(i + 1));
    tiny_put(tiny_get(i));
    many(1, 2, 3, 4, 5, 6, 7);
    few(1.5, i % 3);
  }
  return 0;
}
X
cat >mixed.json <<'X'
{"schema_version": 1, "resources": [
 {"name": "boxes", "class": "pool", "events": [
  {"function": "box_get", "event": "acquire", "unit": {"return": true}, "success": "nonzero"},
  {"function": "box_put", "event": "release", "unit": {"argument": 0}}]},
 {"name": "tinies", "class": "pool", "events": [
  {"function": "tiny_get", "event": "acquire", "unit": {"argument": 0}},
  {"function": "tiny_put", "event": "release", "unit": {"argument": 0}}]},
 {"name": "manies", "class": "pool", "events": [
  {"function": "many", "event": "acquire", "unit": {"argument": 6}},
  {"function": "nowhere", "event": "release", "unit": {"argument": 0}}]},
 {"name": "fews", "class": "other", "events": [{"function": "few", "event": "read", "unit": {"argument": 1}}]}]}
X
"$plain_cc" -O2 -g -o mixed mixed.c || exit 1
measure -P n=10,20,40 --probes mixed.json -o mixed.db -- ./mixed '{n}'
for line in 'tiny_get of "tinies" is not caught: acquire: the compiler inlined all of its calls' \
  'tiny_put of "tinies" is not caught: release: others of its resource are not' \
  'many of "manies" is not caught: acquire: an argument is on the stack' \
  'nowhere of "manies" is not caught: release: no such function'; do
  grep -q "$line" err || { fault "not said: $line"; cat err; }
done
grep -c 'warning: .* is not caught' err | grep -qx 4 || fault 'others are said, too'
expect 0 'Not caught: tiny_get of tinies \(acquire: the compiler inlined all of its calls\)' "$run" report mixed.db --all
"$run" report mixed.db --format json >mixed.out || fault json
python3 -c 'import json, jsonschema, sys; jsonschema.validate(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])))' \
  mixed.out "$here/../../../docs/report.schema.json" || fault 'the report breaks its schema'
json mixed.out 'len(d["uncaught"]) == 4 and d["uncaught"][0]["function"] == "tiny_get" and d["uncaught"][0]["resource"] == "tinies"'
python3 - <<'PYTHON' || fault 'other numbers'
import sqlite3
rows = sqlite3.connect("mixed.db").execute("SELECT r.n, s.name, u.via, u.acquires, u.releases, u.reads, u.returned FROM usage u"
                                           " JOIN run r ON r.id = u.run JOIN resource s ON s.id = u.resource WHERE r.repeat = 0 AND r.n = 40").fetchall()
assert sorted(row[1:] for row in rows) == [("boxes", "box_get", 40, 0, 0, 40), ("boxes", "box_put", 0, 40, 0, 0), ("fews", "few", 0, 0, 40, 0)], rows
PYTHON
# By debug information the whole number stands in the first register, though it is the second argument.
python3 - <<'PYTHON' || fault 'another argument was read'
import sqlite3
rows = sqlite3.connect("mixed.db").execute("SELECT o.instances FROM occupancy o JOIN resource s ON s.id = o.resource JOIN run r ON r.id = o.run WHERE s.name = 'fews' AND r.n = 40").fetchall()
assert rows and all(row == (3,) for row in rows), rows
PYTHON

# The study resumes with the set that it remembers, and refuses any other.
measure -P n=10,20,40 -o mixed.db -- ./mixed '{n}'
expect 0 '80' "$run" verify mixed.db --at n=80
sed 's/"fews"/"others"/' mixed.json >other.json
told 2 'counts other functions' '--restart' "$run" run -q -P n=10,20,40 --probes other.json -o mixed.db -- ./mixed '{n}'
told 2 'counts other functions' '--restart' "$run" run -q -P n=10,20,40 --uprobes few -o mixed.db -- ./mixed '{n}'
measure -P n=10,20,40 --uprobes many --probes mixed.json -o both.db -- ./mixed '{n}'
counts both.db | grep -q '^40 .*many 40$' || fault 'functions of --uprobes are not counted beside a probe set'

# Two names of one code are one function, whose calls are those by either name.
cat >twins.c <<'X'
#include <stdlib.h>
__attribute__((noinline)) void first_put(void *box) { __asm__ volatile("" : "+r"(box)); }
void second_put(void *box) __attribute__((alias("first_put")));
int main(int argc, char **argv) { first_put(argv); second_put(argv); return 0; }
X
printf '{"schema_version": 1, "resources": [{"name": "x", "class": "other", "events": [%s, %s]}]}' \
  '{"function": "first_put", "event": "read"}' '{"function": "second_put", "event": "read"}' >twins.json
"$plain_cc" -O2 -g -o twins twins.c || exit 1
told 2 '^scale-run: error: --probes: first_put and second_put are the same code' 'choose one' \
  "$run" run -q -P n=10,20 --probes twins.json -o w.db -- ./twins '{n}'

# Nothing is left of a program without symbols, and that is an error, not zeroes.
strip -o stripped mixed
told 2 'no event of the probe set can be caught: box_get of the first one: no such symbol: the program is stripped' 'dbgsym' \
  "$run" run -q -P n=10,20,40 --probes mixed.json -o stripped.db -- ./stripped '{n}'
test ! -e stripped.db || fault 'a study was made'
printf '{"schema_version": 1, "events": [{"function": "box_put", "event": "work", "units": 1}]}' >work.json
told 2 'the probe set has no events of resources' 'uprobes box_put' "$run" run -q -P n=10,20 --probes work.json -o w.db -- ./mixed '{n}'
printf '{"schema_version": 1, "resources": [{"name": "x", "class": "pool", "events": [{"function": "f", "event": "relase"}]}]}' >bad.json
told 2 "bad.json:1: 'relase' is no 'event'" 'release' "$run" run -q -P n=10,20 --probes bad.json -o w.db -- ./mixed '{n}'
expect 2 'missing.json' "$run" run -q -P n=10,20 --probes missing.json -o w.db -- ./mixed '{n}'
told 2 'probes and --trace exclude each other' '' "$run" run -q -P n=10,20 --probes mixed.json --trace 100 -o w.db -- ./mixed '{n}'

# An exception goes through a function that acquires.
plain_cxx=$(command -v g++ || command -v c++) || exit $status
cat >throws.cpp <<'X'
#include <cstdlib>
#include <cstdio>
extern "C" __attribute__((noinline)) int hold(int n) { if (n % 3 == 0) throw n; return n; }
extern "C" __attribute__((noinline)) void drop(int n) { asm volatile("" : "+r"(n)); }
int main(int c, char **v)
{
  int caught = 0;
  for (int i = 1; i <= std::atoi(v[1]); i++)
    try { drop(hold(i)); } catch (int) { caught++; }
  std::printf("%d\n", caught);
  return caught != std::atoi(v[1]) / 3;
}
X
cat >throws.json <<'X'
{"schema_version": 1, "resources": [
 {"name": "holds", "class": "pool", "events": [
  {"function": "hold", "event": "acquire", "unit": {"argument": 0}}, {"function": "drop", "event": "release", "unit": {"argument": 0}}]},
 {"name": "drops", "class": "other", "events": [{"function": "drop", "event": "read", "unit": {"argument": 0}}]}]}
X
"$plain_cxx" -O2 -g -o throws throws.cpp || exit 1
measure -P n=10,20,40 --probes throws.json -o throws.db -- ./throws '{n}'
grep -q 'hold of "holds" is not caught: acquire: seeing it return would break exceptions of its file' err || { fault exceptions; cat err; }
exit $status
