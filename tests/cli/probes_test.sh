#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Probe sets: what they say reaches the pass word for word, and whatever is wrong with one is named with its line.
. "$(dirname "$0")/instrument/common.sh"
need python3
sets=$source/examples/probes
schema=$source/instrument/events/probe-set.schema.json

# by_schema FILE...: yes or no for each; nothing without the package
python3 -c 'import jsonschema' 2>/dev/null || echo "python3-jsonschema is not installed: the schema is not tested"
by_schema() {
  python3 - "$schema" "$@" <<'P'
import json, sys
try:
    from jsonschema import Draft202012Validator as Validator
except ImportError:
    sys.exit()
schema = json.load(open(sys.argv[1]))
Validator.check_schema(schema)
for name in sys.argv[2:]:
    try:
        print("no" if list(Validator(schema).iter_errors(json.load(open(name)))) else "yes")
    except ValueError:
        print("no")
P
}

# ---- what is right -------------------------------------------------------------------------------------------
for set in "$sets"/*.json "$source"/tests/fuzz/corpus/events_probes/all.json; do
  "$cc" --scale-check-probes "$set" >table 2>err || fail "$set: $(cat err)"
  [ "$(grep -c '^  ' table)" -ge 5 ] || fail "$set: the table: $(cat table)"
  has "$set: schema" "^(yes)?$" "$(by_schema "$set")"
done
cat >all.json <<'J'
{"schema_version": 1, "program": "p",
 "resources": [
  {"class": "lock", "shared_between_processes": true, "aliases": {"locks[4]": "fourth", "t::lock": "the t"}, "events": [
    {"function": "take", "event": "acquire", "unit": {"argument": 0}, "wait": {"when": "zero"},
     "shared": {"argument": 1, "equals": 1}},
    {"function": "_ZN1t4dropEv", "event": "release", "unit": {"argument": 0, "field": 16}},
    {"function": "lock_init", "event": "name", "unit": {"argument": 3}}]},
  {"class": "lock", "name": "latch", "events": [
    {"function": "latch", "event": "acquire", "unit": {"pointee_of": 2}, "success": "notminusone", "wait": {"when": "always"}}]},
  {"name": "the pool", "class": "pool", "capacity": 8, "idle": true, "counted": true, "events": [
    {"function": "get", "event": "acquire", "unit": {"return": true}, "units": {"argument": [0, 1]}, "success": "nonzero"},
    {"function": "look", "event": "read", "touches": "latch", "confidence": 0.84, "reason": "p.c:7: named \"look\""},
    {"function": "await", "event": "wait", "wait": {"when": "negative"}},
    {"function": "put", "event": "release", "unit": {"argument": 1}, "units": "all"}]},
  {"name": "m", "class": "memory", "events": [
    {"function": "grow", "event": "resize", "unit": {"argument": 0}, "units": {"argument": 1}, "success": "nonzero"},
    {"function": "fill", "event": "write", "unit": {"argument": 0}, "units": {"return": true}},
    {"function": "give", "event": "release", "units": 3}]}],
 "events": [
  {"function": "digest", "event": "work", "units": {"argument": 1}, "description": "of a library"},
  {"function": "matrix", "event": "work", "units": {"argument": [0, 1]}, "unit": "elements"},
  {"function": "sweep", "event": "work", "units": 2, "unit": "operations"},
  {"function": "scan", "event": "work", "unit": "bytes",
   "units": {"least": [{"difference": [{"return": true}, {"argument": 0}]}, {"argument": 2}]}},
  {"function": "_ZN1t4readEv", "event": "work", "units": {"argument": 0, "field": 16}, "after": true},
  {"function": "short_read", "event": "work",
   "units": {"product": [{"sum": [{"argument": 0, "field": 12, "size": 4}, {"pointee_of": 1}, {"pointee_of": 2, "size": 2}]}, 8]}},
  {"function": "number", "event": "work", "units": {"difference": [{"end_in": 1}, {"argument": 0}]}, "unit": "characters"},
  {"function": "text", "event": "work", "units": {"sum": [{"length_of": 0}, {"length_of": "return"}, 1]}}],
 "rejected": [{"function": "next", "event": "acquire", "reason": "a cursor"}]}
J
cat >lines <<'L'
take|rwlock|acquire|arg:0|1|always|timed:zero|shared_if:arg:1=1,global||0|locks[4]=fourth;t::lock=the t|
_ZN1t4dropEv|rwlock|release|*arg:0.16|1|always|none|global||0||
lock_init|rwlock|name|arg:3|1|always|none|global||0||
latch|mutex|acquire|*arg:2|1|notminusone|timed||latch|0||
get|other|acquire|ret|arg:0*arg:1|nonzero|none|shared,idle|the pool|8||
look|other|read|none|1|always|none|shared,idle|the pool|8||latch
await|other|wait|none|1|always|timed:negative|shared,idle|the pool|8||
put|other|release|arg:1|18446744073709551615|always|none|shared,idle|the pool|8||
grow|other|resize|arg:0|arg:1|nonzero|none||m|0||
fill|other|write|arg:0|ret|always|none||m|0||
give|other|release|none|3|always|none||m|0||
L
cat >>lines <<'L'
digest|work|arg:1|bytes
matrix|work|arg:0*arg:1|elements
sweep|work|2|operations
scan|work|ret-arg:0<arg:2|bytes
_ZN1t4readEv|work|after:arg:0->16|bytes
short_read|work|arg:0->12:4+arg:1->0+arg:2->0:2*8|bytes
number|work|end:1-arg:0|characters
text|work|strlen:0+strlen:ret+1|bytes
L
tr '|' '\t' <lines >expected
"$cc" --scale-check-probes all.json | sed -n '/^work/,$p' >out
cat >table <<'T'
work of functions:
  digest        work     argument 1, in bytes
  matrix        work     argument 0 * argument 1, in elements
  sweep         work     2, in operations
  scan          work     least of (result - argument 0, argument 2), in bytes
  _ZN1t4readEv  work     field 16 of argument 0, after the call, in bytes
  short_read    work     (field 12 of argument 0 (4 bytes) + field 0 of argument 1 + field 0 of argument 2 (2 bytes)) * 8, in bytes
  number        work     end in argument 1 - argument 0, in characters
  text          work     length of argument 0 + length of result + 1, in bytes
T
cmp -s out table || fail "the table of work: $(diff table out)"
"$cc" --scale-print-events all.json >out 2>err || fail "the lines: $(cat err)"
cmp -s out expected || fail "the lines: $(diff expected out)"
has "all.json: schema" "^(yes)?$" "$(by_schema all.json)"

# the example of the documentation, and what it says about a slip of the pen
sed -n '/^   ```json$/,/^   ```$/p' "$source/docs/probe-sets.md" | sed '1d;$d' >connections.json
same "the example" "$(printf 'pool_get\nconnection_query\npool_put')" "$("$cc" --scale-print-events connections.json | cut -f1)"
has "the example: schema" "^(yes)?$" "$(by_schema connections.json)"
sed -i 's/"release"/"relase"/' connections.json
"$cc" --scale-check-probes connections.json 2>err
same "the example's error" "$(sed -n 's/^   \(scale-cc: \|hint: \)/\1/p' "$source/docs/probe-sets.md")" "$(cat err)"

# ... and that of work, with its table
sed -n '/^```json$/,/^```$/p' "$source/docs/probe-sets.md" | sed '1d;$d' >digest.json
has "the example of work: schema" "^(yes)?$" "$(by_schema digest.json)"
same "the example of work" "$(sed -n '/^work of functions:$/,/^```$/p' "$source/docs/probe-sets.md" | sed '$d')" \
  "$("$cc" --scale-check-probes digest.json)"

# what the compiler gets: from options and the environment together, once
cat >other <<'S'
#!/bin/sh
printf '%s' "$SCALE_EVENTS"
S
chmod +x other
echo 'int x;' >x.c
sed 's/"take"/"seize"/; s/_ZN1t4dropEv/drop/; s/lock_init/start/; /"latch", "events"/,$d; s/}]},$/}]}]}/' all.json >more.json
printf '{"schema_version": 1, "events": [{"function": "digest", "event": "work", "units": {"argument": 1}}]}' >work.json
has "work alone: schema" "^(yes)?$" "$(by_schema work.json)"
"$cc" --scale-check-probes more.json >table || fail "more.json"
handed() { SCALE_CLANG=./other "$cc" -c x.c "$@"; }
same "an option" "$(cat expected)" "$(handed --scale-probes=all.json)"
same "the environment" "$(cat expected)" "$(SCALE_PROBES=all.json handed)"
same "twice" "$(cat expected)" "$(SCALE_PROBES=all.json:all.json handed --scale-probes="$PWD/all.json")"
same "work alone" "$(printf 'digest\twork\targ:1\tbytes')" "$(handed --scale-probes=work.json)"
same "work twice" "$(cat expected)" "$(handed --scale-probes=all.json --scale-probes=work.json)"
same "two sets" "$({ grep -v "$(printf '\twork\t')" expected | cut -f1; printf 'seize\ndrop\nstart\n'; tail -n 8 expected | cut -f1; } | xargs)" \
  "$(SCALE_PROBES=all.json handed --scale-probes=more.json | cut -f1 | xargs)"
same "no set" "" "$(SCALE_EVENTS='of another build' handed)"
same "another set" "$(cat expected)" "$(SCALE_EVENTS='of another build' handed --scale-probes=all.json)"
same "switched off" "" "$(SCALE_WRAPPER=off SCALE_PROBES=none handed)"

# ... and what it makes of them
cat >run.c <<'C'
#include <stdlib.h>
struct latch { long owner; int held; };
struct handle { long pad[2]; long ticket; };
static struct latch *latches;
static struct latch single;
static long next_ticket = 100;
int latch_take(struct latch *latch, int shared) { latch->held += 1 + shared; return latch->held < 100; }
void latch_drop(struct latch *latch) { latch->held--; }
int handle_open(struct handle **out, int fail) { *out = fail ? NULL : malloc(sizeof **out); return fail ? -1 : 0; }
void handle_close(struct handle *handle) { free(handle); }
void ticket_draw(struct handle *handle) { handle->ticket = next_ticket++; }
void ticket_return(long ticket) { next_ticket += ticket & 1; }
void page_pin(long page) { next_ticket += page & 1; }
void page_unpin_all(long page) { next_ticket -= page & 1; }
int main(void)
{
  latches = calloc(4, sizeof *latches);
  for (int i = 0; i < 10; i++) {
    struct handle *handle;
    latch_take(&latches[2], 0);
    latch_take(&single, 1);
    if (handle_open(&handle, i % 5 == 0) == 0) {
      ticket_draw(handle);
      ticket_return(handle->ticket);
      handle_close(handle);
    }
    for (int j = 0; j < 3; j++)
      page_pin(7);
    page_unpin_all(7);
    latch_drop(&single);
    latch_drop(&latches[2]);
  }
  return 0;
}
C
cat >run.json <<'J'
{"schema_version": 1, "resources": [
  {"class": "lock", "aliases": {"latches[2]": "the third latch"}, "events": [
    {"function": "latch_take", "event": "acquire", "unit": {"argument": 0}, "shared": {"argument": 1, "equals": 1},
     "wait": {"when": "zero"}},
    {"function": "latch_drop", "event": "release", "unit": {"argument": 0}}]},
  {"name": "handles", "class": "pool", "events": [
    {"function": "handle_open", "event": "acquire", "unit": {"pointee_of": 0}, "success": "zero"},
    {"function": "handle_close", "event": "release", "unit": {"argument": 0}}]},
  {"name": "tickets", "class": "other", "events": [
    {"function": "ticket_draw", "event": "acquire", "unit": {"argument": 0, "field": 16}, "units": 2},
    {"function": "ticket_return", "event": "release", "unit": {"argument": 0}}]},
  {"name": "pins", "class": "cache", "counted": true, "events": [
    {"function": "page_pin", "event": "acquire", "unit": {"argument": 0}, "touches": "tickets"},
    {"function": "page_unpin_all", "event": "release", "unit": {"argument": 0}, "units": "all"}]}]}
J
for level in -O0 -O3; do
  [ -x "$SCALE_BUILD/bin/scale-run" ] || break
  "$cc" $level --scale-probes=run.json run.c -o run 2>err || fail "run.c: $(cat err)"
  profiled ./run
  "$SCALE_BUILD/bin/scale-run" dump prof/*.scprof >dump
  for what in "the third latch .*latch_take[:0-9]+ +acquires 10," "the third latch .*latch_drop[:0-9]+ +releases 10, units released 10$" \
              "single .*latch_take[:0-9]+ shared +acquires 10," "handles +handle_open[:0-9]+ +acquires 8, failures 2,.* returned 8" \
              "tickets +ticket_draw[:0-9]+ +acquires 8,.* units 16, returned 8, units returned 16" "tickets +page_pin[:0-9]+ +reads 30" \
              "pins +page_pin[:0-9]+( shared)? +acquires 30,.* returned 30,.* peak 3" \
              "pins +page_unpin_all[:0-9]+( shared)? +releases 10, units released 30$"; do
    has "run.c $level" "$what" "$(cat dump)"
  done
  same "run.c $level: waits" 0 "$(grep -c 'latch_take.* waits' dump)"
done

# A call that may wait has where it was delayed: not where it returned at once, nor where it waited for a lock, which is
# that lock's; but a lock of the program's own is what its mutex is waited for.
cat >may.c <<'C'
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static long slots[8];
static volatile int held;
__attribute__((noinline)) long *slot_take(long i, int wait)
{
  pthread_mutex_lock(&guard);
  slots[i % 8]++;
  pthread_mutex_unlock(&guard);
  if (wait)
    usleep(2000);
  return &slots[i % 8];
}
__attribute__((noinline)) void slot_give(long *slot) { --*slot; }
__attribute__((noinline)) void latch(pthread_mutex_t *lock) { pthread_mutex_lock(lock); }
__attribute__((noinline)) void unlatch(pthread_mutex_t *lock) { pthread_mutex_unlock(lock); }
static void *hold(void *lock)
{
  pthread_mutex_lock(lock);
  held = 1;
  usleep(20000);
  pthread_mutex_unlock(lock);
  return 0;
}
static pthread_t while_held(pthread_mutex_t *lock)
{
  pthread_t thread;
  held = 0;
  pthread_create(&thread, 0, hold, lock);
  while (!held)
    usleep(100);
  return thread;
}
int main(void)
{
  for (int i = 0; i < 400; i++)
    slot_give(slot_take(i, i % 40 == 0));
  pthread_t thread = while_held(&guard);
  slot_give(slot_take(1, 0));
  pthread_join(thread, 0);
  thread = while_held(&inner);
  latch(&inner);
  unlatch(&inner);
  pthread_join(thread, 0);
}
C
cat >may.json <<'J'
{"schema_version": 1, "resources": [
  {"name": "slots", "class": "pool", "events": [
    {"function": "slot_take", "event": "acquire", "unit": {"return": true}, "wait": {"when": "always"}},
    {"function": "slot_give", "event": "release", "unit": {"argument": 0}}]},
  {"name": "latches", "class": "lock", "events": [
    {"function": "latch", "event": "acquire", "unit": {"argument": 0}, "wait": {"when": "always"}},
    {"function": "unlatch", "event": "release", "unit": {"argument": 0}}]}]}
J
if [ -x "$SCALE_BUILD/bin/scale-run" ]; then
  "$cc" -O2 --scale-probes=may.json may.c -o may -pthread 2>err || fail "may.c: $(cat err)"
  profiled ./may
  "$SCALE_BUILD/bin/scale-run" dump prof/*.scprof >dump
  # who loses the processor in a call for a time slice was delayed, too: seldom
  waits=$(grep -oE 'slots +slot_take[:0-9]+ .*waits [0-9]+' dump | grep -oE '[0-9]+$' | awk '{ s += $1 } END { print s + 0 }')
  { [ "$waits" -ge 10 ] && [ "$waits" -le 14 ]; } || fail "calls that may wait: $waits of 401 waited, not 10"
  has "a lock of the program's own" "latches +latch[:0-9]+ +acquires 1, waits 1 \\(" "$(cat dump)"
  has "the mutex inside" "mutex guard .*pthread_mutex_lock:8:3 +acquires 1, waits 1 \\(" "$(cat dump)"
fi

# A structure that is returned in memory: the pointer to it is no argument of the source.
cat >large.cpp <<'C'
struct large { long a[9]; };
struct node { node *next; } *head, nodes[3];
struct pool { [[gnu::noinline]] large get(node *tell, node **to); };
large pool::get(node *, node **to) { *to = head; head = head->next; return {}; }
[[gnu::noinline]] void put(large, node *n) { n->next = head; head = n; }
[[gnu::noinline]] large chew(char *, long bytes) { return {{bytes}}; }
int main()
{
  large l = {};
  for (node &n : nodes)
    put(l, &n);
  for (int i = 0; i < 3; i++) {
    node *n;
    l = pool().get(nodes, &n);
    put(chew(nullptr, 7), n);
  }
}
C
cat >large.json <<'J'
{"schema_version": 1, "resources": [{"name": "nodes", "class": "pool", "events": [
  {"function": "_ZN4pool3getEP4nodePS1_", "event": "acquire", "unit": {"pointee_of": 2}},
  {"function": "_Z3put5largeP4node", "event": "release", "unit": {"argument": 1}}]}],
 "events": [{"function": "_Z4chewPcl", "event": "work", "units": {"argument": 1}}]}
J
for level in -O0 -O2; do
  [ -x "$SCALE_BUILD/bin/scale-run" ] || break
  "$cxx" $level --scale-probes=large.json large.cpp -o large 2>err || fail "large.cpp: $(cat err)"
  profiled ./large
  "$SCALE_BUILD/bin/scale-run" dump prof/*.scprof >dump
  has "large.cpp $level" "nodes +pool::get.* acquires 3,.* returned 3" "$(cat dump)"
  has "large.cpp $level" "chew.* bytes=21$" "$(cat dump)"
done

# ---- what is wrong -----------------------------------------------------------------------------------------------
# refused WHERE MESSAGE HINT: bad.json is; the compiler says the same and compiles nothing. With a fourth argument the
# schema cannot know.
refused() {
  local what="bad.json:$1: $2"
  "$cc" --scale-check-probes bad.json >out 2>err
  same "$what: status" 1 $?
  same "$what" "scale-cc: ${what}" "$(head -n 1 err)"
  has "$what: hint" "^hint: $3" "$(tail -n +2 err)"
  same "$what: output" "" "$(cat out)"
  "$cxx" --scale-probes=bad.json -c x.c -o x.o >out 2>err2
  same "$what: compiler's status" 1 $?
  same "$what: compiler" "$(sed 's/^scale-cc/scale-c++/' err)" "$(cat err2)"
  [ ! -e x.o ] || fail "$what: compiled all the same"
  [ $# -gt 3 ] || has "$what: schema" "^(no)?$" "$(by_schema bad.json)"
}
# bad_event LINE...: a set whose only event is these lines, from line 4 on; bad_resource the same for a resource
bad_event() {
  { printf '{"schema_version": 1, "resources": [\n{"name": "r", "class": "%s", "events": [\n{\n' "${class:-pool}"
    printf '%s\n' "$@"; echo '}]}]}'; } >bad.json
}
bad_resource() {
  { printf '{"schema_version": 1,\n"resources": [\n{\n'; printf '%s\n' "$@"; echo '}]}'; } >bad.json
}
# bad_work LINE...: a set whose only event is of work
bad_work() {
  { printf '{"schema_version": 1, "events": [\n{\n'; printf '%s\n' "$@"; echo '}]}'; } >bad.json
}
get='"function": "get", "event": "acquire"'
digest='"function": "digest", "event": "work"'
events='"events": [{"function": "get", "event": "acquire", "unit": {"argument": 0}}]'

printf '{"schema_version": 1,\n"resources": [\n}' >bad.json; refused 3 "no JSON from here on: '}'" "a comma, quote"
printf '' >bad.json; refused 1 "no JSON from here on: ''" "a comma"
printf '{}\n{}' >bad.json; refused 2 "no JSON from here on: '{}'" "a comma"
printf '{\n"schema_version": 1,\n"program": "\377"}' >bad.json; refused 3 "not UTF-8" "save the file"
printf '{\n"schema_version": 1, "program": "a\\u0000b"}' >bad.json; refused 2 "a NUL character" "save the file"
printf '{\n\0}' >bad.json; refused 2 "a NUL character" "save the file"
printf '\n[]' >bad.json; refused 2 "a probe set has to be an object" "allowed here: .schema, schema_version, program,"
printf '{}' >bad.json; refused 1 "a probe set without 'schema_version'" 'add "schema_version": docs/probe-sets.md'
printf '{\n"schema_version": 2}' >bad.json; refused 2 "'schema_version' has to be 1" "write 1$"
printf '{"schema_version": 1,\n"resource": []}' >bad.json
refused 2 "'resource' is no key of a probe set" "did you mean 'resources'. Allowed here: .*, resources, events, rejected$"
printf '{"schema_version": 1}' >bad.json; refused 1 "a probe set without 'resources'" "add"
printf '{"schema_version": 1,\n"resources": []}' >bad.json; refused 2 "'resources' has to be a list of at least one" "write"
printf '{"schema_version": 1,\n"program": "", "resources": []}' >bad.json; refused 2 "'program' is empty" "write a string"
printf '{"schema_version": 1,\n"program": "a\\tb", "resources": []}' >bad.json
refused 2 "'program' has a control character in it" "write a string of 1 to 1023 bytes without tabs"

bad_resource '"class": "pool",' "$events"; refused 3 "a resource without 'name'" 'add "name": only locks'
bad_resource '"name": "r",' "$events"; refused 3 "a resource without 'class'" "add"
bad_resource '"name": "r",' '"class": "mutex",' "$events"; refused 5 "'mutex' is no 'class'" "allowed here: lock, pool, queue,"
bad_resource '"name": "r",' '"class": "ques",' "$events"; refused 5 "'ques' is no 'class'" "did you mean 'queue'\? Allowed"
bad_resource '"name": "r",' '"class": 5,' "$events"; refused 5 "'class' has to be a word" "allowed here: lock"
bad_resource '"name": "r",' '"class": "pool",' '"events": []'; refused 6 "'events' has to be a list of at least one" "write"
bad_resource '"name": "r", "class": "pool",' '"size": 5,' "$events"; refused 5 "'size' is no key of a resource" "allowed here: name"
bad_resource '"name": "r", "class": "pool",' '"name": "s",' "$events"; refused 5 "'name' stands twice in a resource" "remove" twice
bad_resource '"name": "r", "class": "pool",' '"idle": "yes",' "$events"; refused 5 "'idle' has to be true or false" "allowed here: true"
bad_resource '"name": "r", "class": "pool",' '"capacity": 0,' "$events"
refused 5 "'capacity' has to be a whole number from 1 to 4294967295" "it is too small: write 1 or more$"
bad_resource '"name": "r", "class": "pool",' '"capacity": 4294967296,' "$events"
refused 5 "'capacity' has to be a whole number from 1 to 4294967295" "it is too large: write 4294967295 or less$"
bad_resource '"name": "r", "class": "pool",' '"capacity": 1.5,' "$events"
refused 5 "'capacity' has to be a whole number from 1 to 4294967295" "leave out the fraction$"
bad_resource '"name": "r", "class": "pool",' '"capacity": "5",' "$events"
refused 5 "'capacity' has to be a whole number from 1 to 4294967295" "write a number, without quotes"
bad_resource '"name": "r", "class": "lock",' '"aliases": {"a": "b"},' "$events"; refused 5 "'aliases' of a resource with a name" "leave out"
bad_resource '"class": "lock",' '"aliases": [],' "$events"; refused 5 "'aliases' has to be an object" "write"
bad_resource '"class": "lock",' '"aliases": {"a": "b",' '"c": "d;e"},' "$events"
refused 6 "an alias that has one of ; = in it" "write"
bad_resource '"class": "lock",' '"aliases": {"a": "b",' '"": "d"},' "$events"; refused 6 "an alias that is empty" "write"
bad_resource '"class": "lock",' '"aliases": {"a": "b",' '"c\td": "e"},' "$events"
refused 6 "an alias that has a control character in it" "write"
bad_resource '"class": "lock",' '"counted": true,' "$events"; refused 5 "'counted' says nothing about locks" "leave it out"

bad_event '"function": "f", "event": "acquire",' '"confidence": 1.5'; refused 5 "'confidence' has to be a number from 0 to 1" "write 0.9"
bad_event '"function": "f", "event": "acquire",' '"reason": ""'; refused 5 "'reason' is empty" "write a string"
printf '{"schema_version": 1, "resources": [{"name": "r", "class": "pool", %s}],\n"rejected": {}}' "$events" >bad.json
refused 2 "'rejected' has to be a list" "write"
printf '{"schema_version": 1, "resources": [{"name": "r", "class": "pool", %s}],\n"rejected": [{"function": "f",\n"event": "x"}]}' "$events" >bad.json
refused 3 "'x' is no 'event'" "allowed here: acquire"
printf '{"schema_version": 1, "resources": [{"name": "r", "class": "pool", %s}],\n"rejected": [{"function": "f", "event": "wait"}]}' "$events" >bad.json
refused 2 "a rejected event without 'reason'" "add"
bad_event '"event": "acquire"'; refused 3 "an event without 'function'" "add"
bad_event '"function": "get"'; refused 3 "an event without 'event'" "add"
bad_event '"function": "get",' '"event": "aquire"'; refused 5 "'aquire' is no 'event'" "did you mean 'acquire'\? Allowed here: acquire, read"
bad_event "$get," '"unti": {"argument": 0}'; refused 5 "'unti' is no key of an event" "did you mean 'unit'"
bad_event '"event": "acquire",' '"function": "pool::get"'; refused 5 "'pool::get' is no linkage name" "write it as nm prints it"
bad_event "$get," '"unit": 0'; refused 5 "a unit has to be an object" "allowed here: argument, field, pointee_of, return$"
bad_event "$get," '"unit": {}'; refused 5 "a unit is one thing" 'write ."argument": 0.,'
bad_event "$get," '"unit": {"argument": 0,' '"return": true}'; refused 5 "a unit is one thing" "write"
bad_event "$get," '"unit": {"field": 8,' '"return": true}'; refused 5 "a unit is one thing" "write"
bad_event "$get," '"unit": {' '"argument": 64}'; refused 6 "'argument' has to be a whole number from 0 to 63" "it is too large"
bad_event "$get," '"unit": {"argument": 0,' '"field": -8}'; refused 6 "'field' has to be a whole number from 0 to 2147483647" "it is too small"
bad_event "$get," '"unit": {' '"return": false}'; refused 6 "'return' has to be true" "leave a unit out"
bad_event "$get," '"units": "bytes"'; refused 5 "the number of units has to be an object" "allowed here: argument, return"
bad_event "$get," '"units": {"argument": [0,' '1, 2]}'; refused 5 "a product has two factors" "write"
bad_event "$get," '"units": {"argument": 1,' '"return": true}'; refused 5 "the number of units is one thing" "write a number"
bad_event "$get," '"units": -1'; refused 5 "'units' has to be a whole number from 0 to 4294967295" "it is too small"
bad_event "$get," '"units": "all"'; refused 5 "'all' says nothing about 'acquire'" "it is for: release" meaning
bad_event "$get," '"success": "null"'; refused 5 "'null' is no 'success'" "allowed here: always, zero, nonzero"
bad_event "$get," '"wait": true'; refused 5 "a wait has to be an object" "allowed here: when$"
bad_event "$get," '"wait": {}'; refused 5 "a wait without 'when'" "add"
bad_event '"function": "put", "event": "release",' '"wait": {"when": "zero"}'
refused 5 "'wait' says nothing about 'release'" "it is for: acquire, wait$" meaning
bad_event "$get," '"shared": true'; refused 5 "'shared' says nothing about 'acquire' of what is no lock" "it is for" meaning
bad_event "$get," '"touches": "q"'; refused 5 "'q' is no 'touches'" "did you mean 'r'. Allowed here: r$" meaning
bad_event '"function": "g", "event": "name", "unit": {"argument": 0}'; refused 3 "a 'name' for a resource that has one" "leave" meaning
bad_event '"function": "g", "event": "resize"'; refused 3 "a resize has to name the old unit" "add" meaning
class=lock
bad_event "$get"; refused 3 "an event of a lock without 'unit'" "add" meaning
bad_event "$get," '"units": 2'; refused 5 "a lock has no 'units'" "leave it out" meaning
bad_event "$get, \"unit\": {\"argument\": 0}," '"shared": {"argument": 1}'; refused 5 "'shared' without 'equals'" "add"
bad_event '"function": "g", "event": "resize", "unit": {"argument": 0}'; refused 3 "a lock cannot be resized" "choose" meaning
class=

bad_event "$digest"; refused 4 "'work' belongs to no resource" 'move it into "events" of the probe set itself, beside "resources"$'
bad_work "$get"; refused 3 "'acquire' without a resource" 'move it into "events" of a resource; allowed here: work$'
printf '{"schema_version": 1,\n"events": {}}' >bad.json; refused 2 "'events' has to be a list of at least one" "write"
printf '{"schema_version": 1, "events": [\n5]}' >bad.json; refused 2 "an event has to be an object" "allowed here: function, event, description, units, unit, after$"
bad_work '"function": "digest",' '"event": "wrok"'; refused 4 "'wrok' is no 'event'" "did you mean 'work'. Allowed here: work$"
bad_work '"function": "digest"'; refused 2 "an event without 'event'" "add"
bad_work "$digest"; refused 2 "an event without 'units'" "add"
bad_work '"event": "work", "units": 1,' '"function": "a b"'; refused 4 "'a b' is no linkage name" "write it as nm prints it"
bad_work "$digest, \"units\": 1," '"success": "zero"'; refused 4 "'success' is no key of an event" "allowed here: function, event,"
bad_work "$digest, \"units\": 1," '"unit": "byte"'; refused 4 "'byte' is no 'unit'" "did you mean 'bytes'. Allowed here: bytes, characters, elements, operations$"
bad_work "$digest, \"units\": 1," '"unit": {"argument": 0}'; refused 4 "'unit' has to be a word" "allowed here: bytes"
bad_work "$digest, \"units\": 1," '"after": 1'; refused 4 "'after' has to be true or false" "allowed here"
bad_work "$digest," '"units": "all"'; refused 4 "the number of units has to be an object" "allowed here: argument, field, size, pointee_of, return,"
bad_work "$digest," '"units": -1'; refused 4 "'units' has to be a whole number from 0 to 4294967295" "it is too small"
bad_work "$digest," '"units": {}'; refused 4 "the number of units is one thing" 'write a number, ."argument": 1.,'
bad_work "$digest," '"units": {"argument": 1,' '"return": true}'; refused 4 "the number of units is one thing" "write a number"
bad_work "$digest," '"units": {"return": true,' '"field": 8}'; refused 4 "the number of units is one thing" "write a number"
bad_work "$digest," '"units": {"argument": 0,' '"size": 4}'; refused 4 "the number of units is one thing" "write a number"
bad_work "$digest," '"units": {"argument": 0, "field": 8,' '"size": 3}'; refused 5 "'size' has to be 1, 2, 4 or 8" "write how many bytes"
bad_work "$digest," '"units": {"argument": 0, "field": 8,' '"size": 16}'; refused 5 "'size' has to be a whole number from 1 to 8" "it is too large"
bad_work "$digest," '"units": {' '"argument": 64}'; refused 5 "'argument' has to be a whole number from 0 to 63" "it is too large"
bad_work "$digest," '"units": {' '"argument": [0]}'; refused 5 "a product has two factors" "write"
bad_work "$digest," '"units": {' '"return": 1}'; refused 5 "'return' has to be true" "leave"
bad_work "$digest," '"units": {' '"length_of": "result"}'; refused 5 "'result' is no 'length_of'" 'write the number of an argument, from 0, or "return"$'
bad_work "$digest," '"units": {' '"sum": [1]}'; refused 5 "'sum' has to be a list of at least two" "write"
bad_work "$digest," '"units": {"sum": [1,' '{"product": [1, 2]}]}'; refused 5 "'product' behind something else" "write it first"
bad_work "$digest," '"units": {"sum": [1,' '{"argument": [1, 2]}]}'
refused 5 "'argument' has to be a whole number from 0 to 63" "write a number, without"
bad_work "$digest," '"units": {"sum": [1, 2, 3, 4, 5, 6, 7, 8,' '9]}'; refused 5 "more than 8 terms" "count the part that grows$"
bad_work "$digest," '"units": {"sum": [1, 2, 3, 4, 5, 6, 7,' '"8"]}'; refused 5 "the number of units has to be an object" "allowed"

# contradictions, within a set and between two
again='{"name": "r", "class": "pool", "events": [{"function": "get", "event": "acquire"}]}'
printf '{"schema_version": 1, "resources": [\n%s,\n%s]}' "$again" "${again/\"r\"/\"s\"}" >bad.json
"$cc" --scale-print-events bad.json >out 2>err || fail "a function of two resources: $(cat err)"
same "a function of two resources" "$(printf 'get acquire r\nget acquire s')" "$(cut -f1,3,9 out | tr '\t' ' ')"
timed='"wait": {"when": "always"}'
printf '{"schema_version": 1, "resources": [\n%s,\n%s]}' "${again/\"acquire\"/\"acquire\", $timed}" "$(echo "$again" | sed 's/"r"/"s"/; s/"acquire"/"acquire", '"$timed"'/')" >bad.json
refused 3 "the same call waits for another resource than in bad.json:2" "remove one of the two, or its 'wait'" meaning
printf '{"schema_version": 1, "resources": [\n%s,\n%s]}' "$again" "${again/\"acquire\"/\"acquire\", \"units\": 2}" >bad.json
refused 3 "the same event of the same function in other words than in bad.json:2" "remove" meaning
printf '{"schema_version": 1, "resources": [\n%s,\n%s]}' "$again" "$(echo "$again" | sed 's/get/got/; s/pool/queue/')" >bad.json
refused 3 "a resource that is described otherwise than in bad.json:2" "one resource has one class" meaning
printf '{"schema_version": 1, "resources": [\n%s]}' "$again" >one.json
printf '{"schema_version": 1, "events": [\n{%s, "units": 1},\n{%s, "units": 2}]}' "$digest" "$digest" >bad.json
refused 3 "other work of the same function than in bad.json:2" "remove one of the two: the work of a function has one amount$" meaning
sed 's/"acquire"/"acquire", "units": 2/' one.json >two.json
SCALE_PROBES=one.json "$cc" --scale-probes=two.json -c x.c -o x.o 2>err
same "two sets: status" 1 $?
same "two sets" "scale-cc: two.json:2: the same event of the same function in other words than in one.json:2" \
  "$(head -n 1 err)"

# limits
{ printf '{"schema_version": 1, "description": "'; head -c 1100000 /dev/zero | tr '\0' x; printf '"}'; } >bad.json
"$cc" --scale-check-probes bad.json 2>err; same "a long file" "scale-cc: bad.json: longer than 1048576 bytes" "$(head -n 1 err)"
many() { # COUNT BYTES: functions with names so long
  printf '{"schema_version": 1, "resources": [{"name": "r", "class": "pool", "events": [\n'
  seq "$1" | sed "s/.*/{\"function\": \"f$(head -c "$2" /dev/zero | tr '\0' x)&\", \"event\": \"acquire\"},/; \$s/,\$/]}]}/"
}
many 1000 5 >thousand.json
"$cc" --scale-check-probes thousand.json >out 2>err || fail "1000 events: $(cat err)"
many 1001 5 >bad.json; refused 1002 "more than 1000 events" "describe the functions that matter" meaning
many 1000 100 >bad.json
"$cc" --scale-probes=bad.json -c x.c 2>err; same "long lines: status" 1 $?
"$cc" --scale-check-probes bad.json >out 2>err2; same "long lines, checked: status" 1 $?
same "long lines, checked" "$(cat err)" "$(cat err2)"
has "long lines" "^scale-cc: the events of the probe sets take [0-9]+ bytes of the environment: more than 122880$" "$(head -n 1 err)"
"$cc" --scale-probes=nowhere.json -c x.c 2>err; same "no file: status" 1 $?
same "no file" "scale-cc: the probe set nowhere.json cannot be read: No such file or directory" "$(head -n 1 err)"
"$cc" --scale-check-probes . 2>err; has "a folder" "^scale-cc: the probe set \. cannot be read: it is a folder" "$(cat err)"
"$cc" --scale-check-probes 2>err; same "none" "scale-cc: no probe set" "$(head -n 1 err)"
# ... but only where something is compiled
"$cc" --scale-probes=nowhere.json --version >out 2>err || fail "--version with a set that is not there"

# a compiler cache sees that a set changed
before=$(SCALE_PROBES=one.json:more.json "$cc" --scale-version)
sed -i 's/"seize"/"catch"/' more.json
[ "$before" != "$(SCALE_PROBES=one.json:more.json "$cc" --scale-version)" ] || fail "--scale-version: the same for another set"
finish
