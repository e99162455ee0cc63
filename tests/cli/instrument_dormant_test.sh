#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Without a profile folder a program keeps one node a function and thread, however many contexts there are, and executes no
# more instructions than with one.
. "$(dirname "$0")/instrument/common.sh"

# Ten functions that call each other through pointers along every path without repeats: 45,000 contexts at depth 6.
cat >paths.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
typedef long step(int depth, unsigned seen);
extern step *const steps[10];
static volatile long sink;
__attribute__((always_inline)) static inline long follow(int depth, unsigned seen)
{
  long s = 1;
  for (int i = 0; depth && i < 10; i++)
    if (!(seen >> i & 1))
      s += steps[i](depth - 1, seen | 1u << i);
  return s;
}
#define STEP(n)                                                  \
  __attribute__((noinline)) static long step_##n(int d, unsigned seen) \
  {                                                              \
    for (int i = 0; i < n; i++)                                  \
      sink += i;                                                 \
    return follow(d, seen) + n;                                  \
  }
STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9)
step *const steps[10] = {step_0, step_1, step_2, step_3, step_4, step_5, step_6, step_7, step_8, step_9};
static void *run(void *depth) { return (void *)follow((int)(long)depth, 0); }
int main(int argc, char **argv)
{
  struct rusage used;
  pthread_t threads[2];
  long sum = 0;
  void *result;
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, run, (void *)(long)atoi(argv[1]));
  for (int i = 0; i < 2; i++) {
    pthread_join(threads[i], &result);
    sum += (long)result;
  }
  getrusage(RUSAGE_SELF, &used);
  printf("%ld %ld\n", sum, used.ru_maxrss);
  return 0;
}
C
for level in -O0 -O2; do
  "$clang" $level -pthread paths.c -o plain && "$cc" $level -pthread paths.c -o paths || fail "$level does not build"
  read -r sum plain < <(./plain 6)
  read -r dormant_sum dormant < <(./paths 6)
  profiled ./paths 6
  read -r active_sum active <out
  same "$level: output" "$sum $sum" "$dormant_sum $active_sum"
  [ $((active - plain)) -gt 8192 ] || fail "$level: not that many contexts: $active KiB, plain $plain"
  [ $((dormant - plain)) -lt 1024 ] || fail "$level: $dormant KiB without a profile, plain $plain"
  # A folder that can't be written to is treated as no folder.
  read -r locked_sum locked < <(SCALE_PROFILE_DIR=/proc/nowhere ./paths 6)
  same "$level: output without a folder" "$sum" "$locked_sum"
  [ $((locked - plain)) -lt 1024 ] || fail "$level: $locked KiB without a folder, plain $plain"
done

# Calls through pointers, too, take the short way.
if command -v valgrind >/dev/null; then
  instructions() { valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 | sed -n 's/.*Collected : //p'; }
  dormant=$(instructions ./paths 4)
  mkdir -p prof
  active=$(SCALE_PROFILE_DIR=prof instructions ./paths 4)
  [ "$dormant" -lt "$active" ] || fail "$dormant instructions without a profile, $active with one"
fi
finish
