#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A million levels of recursion, and ten thousand threads one after another, in compiled programs: nothing is miscounted,
# and the profile is no larger for them.
. "$(dirname "$0")/instrument/common.sh"
run=$SCALE_BUILD/bin/scale-run
[ -x "$run" ] && [ -x "$cc" ] || { echo "skipped: scale-run or scale-cc was not built"; exit 77; }

cat >prog.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline))
static volatile long sink;
NOINLINE static long odd(long n);
NOINLINE static long down(long n) { return n ? 1 + down(n - 1) : sink; }
NOINLINE static long even(long n) { return n ? 1 + odd(n - 1) : sink; }
NOINLINE static long odd(long n) { return n ? 1 + even(n - 1) : sink; }
NOINLINE static void work(long n)
{
  for (long i = 0; i < n; i++)
    sink += 0 * i;
}
static void *deep(void *levels)
{
  printf("%ld\n", down(*(long *)levels) + even(*(long *)levels));
  return NULL;
}
static void *brief(void *turns)
{
  work(*(long *)turns);
  return NULL;
}
int main(int argc, char **argv)
{
  long levels = atol(argv[1]), threads = atol(argv[2]), turns = 3;
  pthread_t thread;
  pthread_attr_t roomy;
  pthread_attr_init(&roomy);
  pthread_attr_setstacksize(&roomy, (size_t)1 << 30); /* only what is touched takes memory */
  if (pthread_create(&thread, &roomy, deep, &levels) || pthread_join(thread, NULL))
    return 1;
  for (long i = 0; i < threads; i++)
    if (pthread_create(&thread, NULL, brief, &turns) || pthread_join(thread, NULL))
      return 1;
  return 0;
}
C
# counted LEVELS THREADS
counted() {
  rm -rf profiles && mkdir profiles
  same "$level $*: output" "$((2 * $1))" "$(SCALE_PROFILE_DIR=$work/profiles ./prog "$1" "$2" 2>&1)"
  same "$level $*: profiles" 1 "$(find profiles -name '*.scprof' | wc -l)"
  "$run" dump --totals profiles/*.scprof | cut -f 1,2,4- | grep -v 'atol\|^work' | tr '\t' ' ' >totals
  same "$level $*: counts" "function brief $2
function deep 1
function down $(($1 + 1))
function even $(($1 / 2 + 1))
function main 1
function odd $(($1 / 2))
function work $2
loop main 34:3 0 $2
loop work 12:3 0 $((3 * $2))" "$(cat totals)"
  "$run" dump profiles/*.scprof >tree
  has "$level $*: nothing is lost" "threads $(($2 + 2)), truncated 0, lost bytes 0, lost records 0, lost resource events 0\$" "$(cat tree)"
  has "$level $*: levels" "function even .* calls=$(($1 / 2 + 1)) from=:[0-9]* depth=$(($1 / 2))\$" "$(cat tree)"
}
for level in -O0 -O2; do
  "$cc" $level -g prog.c -o prog -pthread || fail "$level: does not build"
  counted 10 10
  few=$(wc -l <tree)
  counted 1000000 10000
  same "$level: places in the tree" "$few" "$(wc -l <tree)"
  size=$(stat -c %s profiles/*.scprof) # a thread that is slow to end takes another arena along, of 64 KiB
  [ "$size" -lt 1000000 ] || fail "$level: a profile of $size bytes"
done
finish
