#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The same source and the same probe set, built as usual and caught by uprobes, and built with scale-cc: what was acquired,
# released, failed, waited for and used, how much, and what was not given back, are equal to the last digit, of one thread and
# of several, in processes that were forked, and in one that ends by _exit.
. "$(dirname "$0")/../lib.sh"
. "$here/attach.sh"
need_compiler
need_uprobes

cat >pool.c <<'X'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline))
struct pool {
  long pad[2];
  void *key;
  int free[64];
  int left;
};
struct owner {
  struct pool *pool;
};
static struct pool pools[8];
/* An instance by the return value, and failures. */
NOINLINE int *slot_get(struct pool *pool) { return pool->left > 0 ? &pool->free[--pool->left] : NULL; }
NOINLINE void slot_put(struct pool *pool, int *slot)
{
  pool->left++;
  *slot = 0;
}
NOINLINE int slot_read(int *slot) { return *slot; }
NOINLINE void slot_write(int *slot, int value) { *slot = value; }
/* Amounts by arguments and return values, and instances behind a pointer. */
NOINLINE int take_bytes(struct pool *pool, unsigned count, short size)
{
  __asm__ volatile(""); /* or calls whose result nobody needs are none */
  return pool->left >= 0 ? (int)(count * (unsigned)size) : -1;
}
NOINLINE int give_bytes(struct pool *pool, unsigned bytes)
{
  __asm__ volatile("");
  return pool->left >= 0 ? (int)bytes : -1;
}
NOINLINE long pin(struct pool *pool) { return pool->pad[0] += 1; }
NOINLINE void unpin(struct pool *pool) { pool->pad[0] -= 1; }
NOINLINE void key_take(struct owner *owner) { owner->pool->key = owner; }
NOINLINE void key_give(struct owner *owner) { owner->pool->key = NULL; }
/* A lock of its own, which recurs; 1: it had to wait. */
struct big {
  long number;
  pthread_mutex_t mutex;
};
static struct big inside = {0, PTHREAD_MUTEX_INITIALIZER};
static __thread int depth;
NOINLINE int big_lock(struct big *big)
{
  if (depth++ || pthread_mutex_trylock(&big->mutex) == 0)
    return 0;
  pthread_mutex_lock(&big->mutex);
  return 1;
}
NOINLINE void big_unlock(struct big *big)
{
  if (--depth == 0)
    pthread_mutex_unlock(&big->mutex);
}
NOINLINE int linger(struct pool *pool, int how) { return how % 3 == 0 ? usleep(1) : 1 + (int)pool->pad[1]; }

static long rounds;
static void *work(void *argument)
{
  struct pool *pool = argument;
  struct owner owner = {pool};
  for (long i = 0; i < rounds; i++) {
    int *slot = slot_get(pool), *other = i % 7 ? NULL : slot_get(pool);
    if (slot) {
      slot_write(slot, (int)i);
      if (slot_read(slot) >= 0 && i % 11)
        slot_put(pool, slot); /* every eleventh is kept, and comes again unseen */
    }
    if (other)
      slot_put(pool, other);
    int bytes = take_bytes(pool, (unsigned)i % 5, 24);
    if (i % 3)
      give_bytes(pool, (unsigned)bytes);
    big_lock(&inside);
    if (i % 2)
      big_lock(&inside);
    pin(pool);
    pin(pool);
    unpin(pool);
    if (i % 2)
      big_unlock(&inside);
    big_unlock(&inside);
    if (i % 13 == 0)
      key_take(&owner);
    if (i % 26 == 0)
      key_give(&owner);
    if (i % 50 == 0)
      linger(pool, (int)(i / 50));
  }
  return NULL;
}
int main(int argc, char **argv)
{
  rounds = atol(argv[1]);
  int threads = atoi(argv[2]);
  pthread_t list[8];
  for (int i = 0; i < 8; i++)
    pools[i].left = 50;
  for (int i = 0; i < threads; i++) {
    if (threads == 1)
      work(&pools[0]);
    else
      pthread_create(&list[i], NULL, work, &pools[i]);
  }
  for (int i = 0; threads > 1 && i < threads; i++)
    pthread_join(list[i], NULL);
  slot_put(&pools[0], pools[0].free + 63); /* nobody has it, or somebody else */
  if (fork() == 0) {
    rounds /= 2;
    work(&pools[1]);
    _exit(0);
  }
  wait(NULL);
  printf("%d\n", pools[0].left >= 0);
  fflush(stdout);
  _exit(0);
}
X
cat >set.json <<'X'
{"schema_version": 1, "resources": [
 {"name": "slots", "class": "pool", "capacity": 64, "events": [
  {"function": "slot_get", "event": "acquire", "unit": {"return": true}, "success": "nonzero"},
  {"function": "slot_put", "event": "release", "unit": {"argument": 1}},
  {"function": "slot_read", "event": "read", "unit": {"argument": 0}},
  {"function": "slot_write", "event": "write", "unit": {"argument": 0}, "touches": "pins"}]},
 {"name": "bytes", "class": "memory", "events": [
  {"function": "take_bytes", "event": "acquire", "units": {"argument": [1, 2]}, "success": "nonnegative"},
  {"function": "give_bytes", "event": "release", "units": {"return": true}, "success": "notminusone"}]},
 {"name": "pins", "class": "cache", "counted": true, "events": [
  {"function": "pin", "event": "acquire", "unit": {"argument": 0}},
  {"function": "unpin", "event": "release", "unit": {"argument": 0}}]},
 {"name": "keys", "class": "other", "events": [
  {"function": "key_take", "event": "acquire", "unit": {"pointee_of": 0}},
  {"function": "key_give", "event": "release", "unit": {"argument": 0, "field": 0}}]},
 {"name": "big lock", "class": "lock", "events": [
  {"function": "big_lock", "event": "acquire", "unit": {"argument": 0}, "wait": {"when": "nonzero"}},
  {"function": "big_unlock", "event": "release", "unit": {"argument": 0}}]},
 {"name": "events", "class": "queue", "idle": true, "events": [
  {"function": "linger", "event": "wait", "unit": {"argument": 0}, "wait": {"when": "zero"}}]}]}
X
"$plain_cc" -O2 -g -fno-ipa-sra -pthread -o plain pool.c || exit 1
compile -O2 -g -pthread --scale-probes=set.json -o instrumented pool.c
# of threads each has bytes of its own: of one sum, it is the scheduler's whose part another thread gives back
sed 's/"function": "[a-z]*_bytes", "event": "[a-z]*",/& "unit": {"argument": 0},/' set.json >own.json
compile -O2 -g -pthread --scale-probes=own.json -o instrumented4 pool.c
same() { # two studies, how: all that does not depend on time
  python3 - "$@" <<'PYTHON' || fault "events differ: $1 $2"
import sqlite3, sys

def rows(study):
    found = {}
    for row in sqlite3.connect(study).execute(
        "SELECT r.n, r.repeat, s.name, s.class, s.capacity, u.via, u.event, u.shared, sum(u.acquires), sum(u.failures), sum(u.releases),"
        " sum(u.reads), sum(u.writes), sum(u.units), sum(u.units_released), sum(u.returned), sum(u.returned_units), sum(u.unseen),"
        " sum(u.strangers), sum(u.holds), sum(u.waits) FROM usage u JOIN run r ON r.id = u.run JOIN resource s ON s.id = u.resource"
        " WHERE s.name IN ('slots', 'bytes', 'pins', 'keys', 'big lock', 'events') AND r.role != 'plain' AND u.via NOT LIKE 'pthread%'"
        " GROUP BY r.id, s.id, u.via, u.event, u.shared"):
        found[row[:8]] = row[8:]
    return found

probed, counted = rows(sys.argv[1]), rows(sys.argv[2])
# Whether a lock had to be waited for is the scheduler's.
racing = {"big_lock": {12}} if sys.argv[3] == "threads" else {}
common = {key[:2] for key in probed} & {key[:2] for key in counted}
bad = []
keys = {key for key in probed.keys() | counted.keys() if key[:2] in common}
for key in sorted(keys, key=str):
    a, b = probed.get(key), counted.get(key)
    if a is None or b is None or any(i not in racing.get(key[5], ()) and a[i] != b[i] for i in range(13)):
        bad.append((key, a, b))
print(len(common), "runs,", len(keys), "rows,", int(sum(sum(row[:3]) for row in probed.values())), "events")
assert len(common) >= 3 and len(keys) >= 36, (len(common), len(keys))
for key, a, b in bad:
    print(key, a, b, sep="\n  ")
assert not bad
PYTHON
}
sizes=n=100,200,400
measure -P $sizes --at 1e5 --probes set.json -o probed1.db -- ./plain '{n}' 1
measure -P $sizes --at 1e5 --event none -o counted1.db -- ./instrumented '{n}' 1
same probed1.db counted1.db alone
grep . err && fault 'something was not caught'
measure -P $sizes --at 1e5 --probes own.json -o probed4.db -- ./plain '{n}' 4
measure -P $sizes --at 1e5 --event none -o counted4.db -- ./instrumented4 '{n}' 4
same probed4.db counted4.db threads
exit $status
