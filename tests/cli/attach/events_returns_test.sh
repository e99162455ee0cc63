#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Returns: a call in tail position is one of both functions; what the kernel does not show (recursion deeper than 64 calls, a
# process that is forked within a call) is counted as lost; and where stacks are switched no return is watched, as the
# kernel would return to the wrong callers.
. "$(dirname "$0")/../lib.sh"
. "$here/attach.sh"
need_uprobes

cat >returns.c <<'X'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline))
static int slots[1000], used;
NOINLINE int *inner_get(int i) { __asm__ volatile("" : "+r"(i)); return &slots[used++]; }
NOINLINE int *outer_get(int i) { __asm__ volatile("" : "+r"(i)); return inner_get(i + 1); }
NOINLINE void inner_put(int *slot) { __asm__ volatile("" : "+r"(slot)); used--; }
NOINLINE void outer_put(int *slot) { __asm__ volatile("" : "+r"(slot)); inner_put(slot); }
NOINLINE int enter(int *unit, int depth)
{
  int below = depth ? enter(unit + 1, depth - 1) : 0;
  __asm__ volatile("" : "+r"(below));
  return below + 1;
}
NOINLINE void leave(int *unit) { __asm__ volatile("" : "+r"(unit)); }
NOINLINE int start(int i) { pid_t child = fork(); __asm__ volatile("" ::: "memory"); return child ? i : -1; }
NOINLINE void stop(int i) { __asm__ volatile("" : "+r"(i)); }
int main(int argc, char **argv)
{
  int n = atoi(argv[1]);
  for (int i = 0; i < n; i++)
    outer_put(outer_get(i));
  enter(slots, n - 1);
  for (int i = 0; i < n; i++)
    leave(slots + i);
  for (int i = 0; i < 3; i++) {
    if (start(i) < 0)
      _exit(0);
    stop(i);
    wait(NULL);
  }
  return 0;
}
X
cat >returns.json <<'X'
{"schema_version": 1, "resources": [
 {"name": "outer", "class": "pool", "events": [
  {"function": "outer_get", "event": "acquire", "unit": {"return": true}}, {"function": "outer_put", "event": "release", "unit": {"argument": 0}}]},
 {"name": "inner", "class": "pool", "events": [
  {"function": "inner_get", "event": "acquire", "unit": {"return": true}}, {"function": "inner_put", "event": "release", "unit": {"argument": 0}}]},
 {"name": "frames", "class": "pool", "events": [
  {"function": "enter", "event": "acquire", "unit": {"argument": 0}}, {"function": "leave", "event": "release", "unit": {"argument": 0}}]},
 {"name": "children", "class": "pool", "events": [
  {"function": "start", "event": "acquire", "unit": {"argument": 0}}, {"function": "stop", "event": "release", "unit": {"argument": 0}}]}]}
X
"$plain_cc" -O2 -g -o returns returns.c || exit 1
measure -P n=20,64,100 --probes returns.json -o returns.db -- ./returns '{n}'
python3 - <<'PYTHON' || fault 'other events'
import sqlite3
study = sqlite3.connect("returns.db")
for n, lost in study.execute("SELECT n, lost_events FROM run WHERE role != 'plain'"):
    assert lost == 3 + max(n - 64, 0), (n, lost)
found = {}
for n, name, *values in study.execute("SELECT r.n, s.name, sum(u.acquires), sum(u.returned), sum(u.releases), sum(u.strangers) FROM usage u JOIN run r ON r.id = u.run"
                                      " JOIN resource s ON s.id = u.resource WHERE r.repeat = 0 AND r.role != 'plain' GROUP BY r.id, s.id"):
    found[n, name] = tuple(values)
for n in (20, 64, 100):
    seen = min(n, 64)
    assert found[n, "outer"] == found[n, "inner"] == (n, n, n, 0), (n, found)
    assert found[n, "frames"] == (seen, seen, n, n - seen), (n, found)
    assert found[n, "children"] == (3, 3, 3, 0), (n, found)
PYTHON

# A coroutine's stack lies below its caller's, or above: with returns watched this program goes on at the wrong places.
cat >switches.c <<'X'
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#define NOINLINE __attribute__((noinline))
static ucontext_t first, second, start;
static char stacks[2][65536];
static int drops, rounds;
NOINLINE int hold(int i, ucontext_t *from, ucontext_t *to) { swapcontext(from, to); __asm__ volatile("" ::: "memory"); return i + 1; }
NOINLINE void drop(int i) { drops++; __asm__ volatile("" : "+r"(i)); }
static void low(void) { for (int i = 0; i < rounds; i++) drop(hold(i, &first, &second)); swapcontext(&first, &start); }
static void high(void) { for (int i = 0;; i++) drop(hold(i, &second, &first)); }
static void prepare(ucontext_t *context, char *stack, void (*run)(void))
{
  getcontext(context);
  context->uc_stack.ss_sp = stack;
  context->uc_stack.ss_size = sizeof stacks[0];
  makecontext(context, run, 0);
}
int main(int argc, char **argv)
{
  rounds = atoi(argv[1]);
  prepare(&first, stacks[0], low);
  prepare(&second, stacks[1], high);
  swapcontext(&start, &first);
  return drops != 2 * rounds - 1;
}
X
cat >switches.json <<'X'
{"schema_version": 1, "resources": [
 {"name": "holds", "class": "pool", "events": [
  {"function": "hold", "event": "acquire", "unit": {"argument": 0}}, {"function": "drop", "event": "release", "unit": {"argument": 0}}]},
 {"name": "drops", "class": "other", "events": [{"function": "drop", "event": "read", "unit": {"argument": 0}}]}]}
X
"$plain_cc" -O2 -g -o switches switches.c || exit 1
measure -P n=10,20,40 --timeout 20s --probes switches.json -o switches.db -- ./switches '{n}'
grep -q 'hold of "holds" is not caught: acquire: seeing it return would break a program that switches stacks' err ||
  { fault 'switched stacks'; cat err; }
counts switches.db | grep -q '^40 .*drop 79$' || { fault 'drops are not counted'; cat counted; }

# C that cleans up behind exceptions is unwound, too.
cat >cleans.c <<'X'
#include <stdlib.h>
static void tidy(int *i) { __asm__ volatile("" : : "r"(i) : "memory"); }
void other(void (*what)(void)) { int kept __attribute__((cleanup(tidy))) = 1; what(); }
static void nothing(void) {}
__attribute__((noinline)) int hold(int i) { __asm__ volatile("" : "+r"(i)); return i; }
__attribute__((noinline)) void drop(int i) { __asm__ volatile("" : "+r"(i)); }
int main(int argc, char **argv) { for (int i = 0; i < atoi(argv[1]); i++) { other(nothing); drop(hold(i)); } return 0; }
X
"$plain_cc" -O1 -g -fexceptions -o cleans cleans.c || exit 1
measure -P n=10,20,40 --probes switches.json -o cleans.db -- ./cleans '{n}'
grep -q 'hold of "holds" is not caught: acquire: seeing it return would break exceptions of its file' err || { fault cleanups; cat err; }
exit $status
